/** `conductor migrate`: op-conductors are replaced by this conductor, or the other way, one server at a time. */
import type { ServerConfig } from './cluster-config.ts';
import { seen, type ClusterView } from './cluster-view.ts';
import { deployBesideOthers } from './deploy-step.ts';
import {
  beginningOf,
  deploymentDependencies,
  freshOption,
  noteBeginning,
  inTurn,
  type Beginning,
  type DeploymentDependencies,
} from './deployment-order.ts';
import type { OperatorCommand } from './operator-command.ts';
import type { Step } from './step.ts';

export const migrateCommand: OperatorCommand = {
  name: 'migrate',
  description: 'replace op-conductors by this conductor one at a time, or with --back the other way',
  options: [{ flags: '--back', doc: 'from this conductor to op-conductor' }, freshOption],
  kind: 'procedure',
  details: `Needs a cluster file. Like "conductor rolling", see its --help: for each server,
followers first, runs its deploy command with PROGRAM=conductor (or op-conductor
with --back) in the environment, which stops the one and starts the other on the
same storage directory. The first start takes op-conductor's directory over by
itself; before op-conductor is started the command has to run "conductor export",
which does nothing where op-conductor's files are in place already. The rollback
command, which takes a failed step back, is given the program that ran before as
PROGRAM, so the same script serves as both. A server is done when the wanted program answers and has
caught up; the cluster may stay mixed for as long as you like. Nothing is kept
in a journal that the servers themselves can tell.`,
  examples: ['conductor migrate --dry-run', 'conductor migrate --yes', 'conductor migrate --back --yes'],
  async run(task) {
    const isBack = task.flags['back'] === true;
    const program = isBack ? 'op-conductor' : 'conductor';
    const view = await task.access.observe();
    const dependencies = deploymentDependencies(task, {
      name: isBack ? 'migrate back' : 'migrate',
      view,
      isThere: (server) => programOf(view, server) === program,
    });
    const beginning = beginningOf(dependencies, view);
    const { leader } = beginning;
    const order = [...task.config.servers.filter((server) => server !== leader), leader];
    return task.execute({
      title: `replace the conductors of ${order.map(({ id }) => id).join(', then ')} by ${program}`,
      steps: order.flatMap((server) => replaceSteps(dependencies, { beginning, server, program })),
      command: ['migrate', ...(isBack ? ['--back'] : [])],
      journal: dependencies.journal,
      begin: () => noteBeginning(dependencies, beginning),
      afterwards: isBack
        ? []
        : ['delete *.imported in the storage directories when all is well; keep raft-log.db and raft-stable.db'],
    });
  },
};

type Program = 'conductor' | 'op-conductor';

interface Replacement {
  readonly beginning: Beginning;
  readonly server: ServerConfig;
  readonly program: Program;
}

function replaceSteps(dependencies: DeploymentDependencies, { beginning, server, program }: Replacement): Step[] {
  const { task, clusterFile } = dependencies;
  const isDone = (view: ClusterView): boolean => programOf(view, server) === program;
  const variables = { PROGRAM: program };
  const variablesBack = { PROGRAM: program === 'conductor' ? 'op-conductor' : 'conductor' };
  const deployment = { server, output: task.output, clusterFile, variables, variablesBack };
  const deploy = deployBesideOthers(deployment, { isDone });
  return inTurn(dependencies, { beginning, server, deploy, isDone });
}

/** What answers there; null while nothing does. Only this conductor has a page that says whether it is ready. */
function programOf(view: ClusterView, server: ServerConfig): Program | null {
  const { conductor, readiness } = seen(view, server);
  if (conductor === null) return null;
  return readiness === null ? 'op-conductor' : 'conductor';
}
