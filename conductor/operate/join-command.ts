/** `conductor join`: a server comes into the cluster, with a vote once it has caught up. */
import { leaderOf, memberOf, type ClusterView, type ServerView } from './cluster-view.ts';
import { isHostPort } from './cluster-file.ts';
import { joinSteps } from './membership-steps.ts';
import { OperatorUsageError, textOf, type OperatorCommand, type OperatorTask } from './operator-command.ts';
import { findServer } from './server-names.ts';

export const joinCommand: OperatorCommand = {
  name: 'join',
  description: 'take a server into the cluster: as a nonvoter, then with a vote',
  arguments: [{ name: '<id>', doc: 'the server; its conductor runs, with an empty raft directory or its own' }],
  options: [
    { flags: '--consensus <host:port>', doc: 'where the members reach its raft, if not as in the cluster file' },
    { flags: '--nonvoter', doc: 'give it no vote' },
  ],
  kind: 'procedure',
  details: `Adds it as a nonvoter, waits until it has the log and its op-node is at the
head, then makes it a voter. A server without the log never counts for a
majority. Refuses a server that was bootstrapped by itself. Blocks go on.`,
  examples: ['conductor join node-4', 'conductor join node-4 --consensus node-4:50050 --nonvoter'],
  async run(task) {
    const name = task.words[0] ?? '';
    const view = await task.access.observe();
    const server = findServer(view, name);
    const joiner = { config: server.config, id: server.id, address: addressOf(task, view, server) };
    const isNonvoter = task.flags['nonvoter'] === true;
    const given = textOf(task.flags, 'consensus');
    return task.execute({
      title: `take ${server.id} into the cluster${leaderOf(view) === null ? '' : ` of ${leaderOf(view)?.id}`}`,
      steps: joinSteps(task.access, joiner, isNonvoter),
      command: [
        'join',
        server.id,
        ...(given === undefined ? [] : ['--consensus', given]),
        ...(isNonvoter ? ['--nonvoter'] : []),
      ],
      journal: null,
    });
  },
};

function addressOf({ flags, config }: OperatorTask, view: ClusterView, server: ServerView): string {
  if (server.config.isLearnt)
    throw new OperatorUsageError(
      `nobody tells the id of a server that is not in the cluster: write it before its URL, --rpc id=http://…`,
    );
  const given = textOf(flags, 'consensus');
  if (given !== undefined && !isHostPort(given))
    throw new OperatorUsageError(`--consensus must be host:port, such as node-4:50050, not "${given}"`);
  const address = given ?? server.config.consensus ?? memberOf(view, server.id)?.address;
  if (address !== undefined) return address;
  throw new OperatorUsageError(
    `where do the members reach the raft of ${server.id}? Write consensus = "host:port" in ${config.path ?? 'the cluster file'}, or give --consensus`,
  );
}
