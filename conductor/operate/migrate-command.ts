/** `conductor migrate`: op-conductors are replaced by this conductor, or the other way, one server at a time. */
import type { ServerConfig } from './cluster-config.ts';
import { seen, type ClusterView, type ServerView } from './cluster-view.ts';
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
import { RefusedError, type OperatorCommand } from './operator-command.ts';
import { programOf, type Program } from './program.ts';
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
in a journal that the servers themselves can tell. op-conductor is known by that
it has no page /readyz: a proxy has to pass GET requests on, too.`,
  examples: ['conductor migrate --dry-run', 'conductor migrate --yes', 'conductor migrate --back --yes'],
  async run(task) {
    const isBack = task.flags['back'] === true;
    const program: Program = isBack ? 'op-conductor' : 'conductor';
    const view = await task.access.observe();
    const why = view.servers.flatMap((server) => whyUnrecognised(server, program) ?? [])[0];
    if (why !== undefined) throw new RefusedError(why);
    const dependencies = deploymentDependencies(task, {
      name: isBack ? 'migrate back' : 'migrate',
      view,
      isThere: (server) => programOf(seen(view, server)) === program,
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

interface Replacement {
  readonly beginning: Beginning;
  readonly server: ServerConfig;
  readonly program: Program;
}

function replaceSteps(dependencies: DeploymentDependencies, { beginning, server, program }: Replacement): Step[] {
  const { task, clusterFile } = dependencies;
  const isDone = (view: ClusterView): boolean => programOf(seen(view, server)) === program;
  const variables = { PROGRAM: program };
  const variablesBack = { PROGRAM: program === 'conductor' ? 'op-conductor' : 'conductor' };
  const deployment = { server, output: task.output, clusterFile, variables, variablesBack };
  const deploy = deployBesideOthers(deployment, { isDone });
  const whyNot = (view: ClusterView): string | null => whyUnrecognised(seen(view, server), program);
  const progress = (view: ClusterView): string => {
    const unwell = deploy.progress?.(view) ?? '';
    return unwell === '' && !isDone(view) ? (whyNot(view) ?? `${program} does not run there`) : unwell;
  };
  return inTurn(dependencies, { beginning, server, deploy: { ...deploy, progress }, isDone, whyNot });
}

/** Why it would not be known when `program` runs there, or whether it does now; null where it is, and while nothing answers. */
function whyUnrecognised(server: ServerView, program: Program): string | null {
  const { id, conductor, unread } = server;
  if (conductor === null || unread === undefined || programOf(server) === program) return null;
  return `whether ${id} runs conductor or op-conductor is told by its page /readyz, which could not be read: ${unread.why}. Have GET requests for it reach that server, as calls do, and run this again`;
}
