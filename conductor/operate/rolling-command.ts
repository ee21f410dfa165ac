/** `conductor rolling`: deploys to all servers, one after the other, the leader last. */
import { beginningOf, deploymentDependencies, deploySteps, freshOption, noteBeginning } from './deployment-order.ts';
import { transferStep } from './leadership-step.ts';
import { textOf, type OperatorCommand } from './operator-command.ts';
import { findServer } from './server-names.ts';

export const rollingCommand: OperatorCommand = {
  name: 'rolling',
  description: 'deploy to all servers, one after the other, the leader last',
  options: [{ flags: '--leader <id>', doc: 'who leads at the end; without it whoever took over' }, freshOption],
  kind: 'procedure',
  details: `Needs a cluster file. Runs the deploy command of each server in it, or asks you
to deploy where there is none, and goes on when the server is well again.

The command has SERVER_ID, CONDUCTOR_URL, NODE_URL, EXECUTION_URL and
CONSENSUS_ADDRESS in its environment, and no terminal. It must return only when
what it deployed runs, and failed unless it ends with 0. It may take 30 minutes,
or --timeout; then it is ended with all that it started. What fails is taken
back with the server's rollback command.

Leadership is taken from a server before its turn. A server whose loss would
cost the majority is never touched, nor is leadership taken from it.

What was deployed is kept in a journal beside the cluster file: the same command
goes on where it stopped, also when it was killed. It refuses while a deploy
command of the killed run still runs; one whose end nobody saw is run again.
--fresh begins again, also where the journal is damaged.`,
  examples: ['conductor rolling --dry-run', 'conductor rolling --yes --leader node-1'],
  async run(task) {
    const view = await task.access.observe();
    const dependencies = deploymentDependencies(task, { name: 'rolling', view });
    const beginning = beginningOf(dependencies, view);
    const { leader } = beginning;
    const last = textOf(task.flags, 'leader');
    if (last !== undefined) findServer(view, last);
    const followers = task.config.servers.filter((server) => server !== leader);
    return task.execute({
      title: `deploy to ${[...followers, leader].map(({ id }) => id).join(', then ')}`,
      steps: [
        ...[...followers, leader].flatMap((server) => deploySteps(dependencies, beginning, server)),
        ...(last === undefined ? [] : [transferStep(task.access, last)]),
      ],
      command: ['rolling', ...(last === undefined ? [] : ['--leader', last])],
      journal: dependencies.journal,
      begin: () => noteBeginning(dependencies, beginning),
    });
  },
};
