/** `conductor pause` and `conductor resume`: the control loops of some or all servers. */
import type { ClusterView, ServerView } from './cluster-view.ts';
import { leaderOf } from './cluster-view.ts';
import { OperatorUsageError, type OperatorCommand, type OperatorTask } from './operator-command.ts';
import { pauseStep, resumeStep } from './pause-steps.ts';
import { findServer } from './server-names.ts';
import type { Step } from './step.ts';

const shared = {
  kind: 'procedure',
  arguments: [{ name: '[ids...]', doc: 'server ids' }],
  options: [
    { flags: '--all', doc: 'all servers' },
    { flags: '--without-quorum', doc: 'also when nobody leads or too few voters answer' },
  ],
} as const;

export const pauseCommand: OperatorCommand = {
  ...shared,
  name: 'pause',
  description: 'stop conductors from acting by themselves; raft and sequencing go on',
  details: `While a conductor is paused it neither starts nor stops its sequencer and hands
nothing over; the sequencer that is active goes on building. Followers are
paused first, the leader last. What is paused already is skipped.`,
  examples: ['conductor pause node-2', 'conductor pause --all'],
  run: (task) => run(task, 'pause', (server) => pauseStep(task.access, server.config)),
};

export const resumeCommand: OperatorCommand = {
  ...shared,
  name: 'resume',
  description: 'let conductors act again',
  details: `The leader is resumed first. Refuses a leader whose sequencer is unhealthy (it
would hand leadership on at once) and a server that builds blocks without
leading while the leader does not (blocks would stop).`,
  examples: ['conductor resume node-2', 'conductor resume --all'],
  run: (task) => run(task, 'resume', (server, view) => resumeStep(task.access, server.config, view)),
};

async function run(
  { words, flags, access, perform }: OperatorTask,
  verb: 'pause' | 'resume',
  stepFor: (server: ServerView, view: ClusterView) => Step,
): Promise<number> {
  const isAll = flags['all'] === true;
  if (isAll === words.length > 0) throw new OperatorUsageError(`give the ids of servers to ${verb}, or --all`);
  const view = await access.observe();
  const servers = isAll ? view.servers : [...new Set(words.map((word) => findServer(view, word)))];
  const leader = leaderOf(view);
  const rank = (server: ServerView): number => (server === leader ? 1 : 0) * (verb === 'pause' ? 1 : -1);
  const ordered = servers.toSorted((a, b) => rank(a) - rank(b));
  return perform({
    title: `${verb} ${ordered.map(({ id }) => id).join(', ')}`,
    steps: ordered.map((server) => stepFor(server, view)),
    command: [verb, ...(isAll ? ['--all'] : words)],
    journal: null,
  });
}
