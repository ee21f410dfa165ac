/** `conductor pause` and `conductor resume`: the control loops of some or all servers. */
import type { ClusterView, ServerView } from './cluster-view.ts';
import { leaderOf } from './cluster-view.ts';
import { OperatorUsageError, RefusedError, type OperatorCommand, type OperatorTask } from './operator-command.ts';
import { pauseSteps, resumeStep, whyUnreachable } from './pause-steps.ts';
import { findServer } from './server-names.ts';

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
paused first, the leader last. What is paused already is skipped. Refuses
before the first when one of them does not answer: name those to pause, or give
--without-quorum, which leaves silent ones out of --all. When one fails on the
way, those paused before it are resumed.`,
  examples: ['conductor pause node-2', 'conductor pause --all'],
  run: pause,
};

export const resumeCommand: OperatorCommand = {
  ...shared,
  name: 'resume',
  description: 'let conductors act again',
  details: `The leader is resumed first. Refuses a leader whose sequencer is unhealthy (it
would hand leadership on at once) and a server that builds blocks without
leading while the leader does not (blocks would stop).`,
  examples: ['conductor resume node-2', 'conductor resume --all'],
  run: resume,
};

async function pause({ words, flags, access, perform }: OperatorTask): Promise<number> {
  const view = await access.observe();
  const named = chosen(view, { words, flags, verb: 'pause' });
  const silent = named.filter(
    ({ config, conductor }) => conductor?.isPaused !== true && whyUnreachable(view, config) !== null,
  );
  const isLeavingOut = flags['all'] === true && flags['withoutQuorum'] === true && silent.length < named.length;
  if (silent.length > 0 && !isLeavingOut) {
    const others = named.filter((server) => !silent.includes(server)).map(({ id }) => id);
    const reasons = silent.map(({ config }) => whyUnreachable(view, config)).join('; ');
    const advice = others.length > 0 ? `; to pause the others: conductor pause ${others.join(' ')}` : '';
    throw new RefusedError(`${reasons}; nobody was paused${advice}`);
  }
  const servers = named.filter((server) => !silent.includes(server));
  const leader = leaderOf(view);
  const ordered = [...servers.filter((one) => one !== leader), ...servers.filter((one) => one === leader)];
  return perform({
    title: titleOf('pause', ordered),
    steps: pauseSteps(
      access,
      ordered.map(({ config }) => config),
      view,
    ),
    command: commandOf('pause', { words, flags }),
    journal: null,
    afterwards: silent.map(({ id, config }) => `${id} was left out: ${whyUnreachable(view, config)}`),
  });
}

async function resume({ words, flags, access, perform }: OperatorTask): Promise<number> {
  const view = await access.observe();
  const named = chosen(view, { words, flags, verb: 'resume' });
  const leader = leaderOf(view);
  // Silent ones last: they are no reason for the others to stay paused.
  const rank = (server: ServerView): number =>
    whyUnreachable(view, server.config) !== null ? 2 : server === leader ? 0 : 1;
  const ordered = named.toSorted((a, b) => rank(a) - rank(b));
  return perform({
    title: titleOf('resume', ordered),
    steps: ordered.map(({ config }) => resumeStep(access, config, view)),
    command: commandOf('resume', { words, flags }),
    journal: null,
  });
}

type Named = Pick<OperatorTask, 'words' | 'flags'>;

/** Each once; throws OperatorUsageError. */
function chosen(view: ClusterView, { words, flags, verb }: Named & { readonly verb: string }): readonly ServerView[] {
  const isAll = flags['all'] === true;
  if (isAll === words.length > 0) throw new OperatorUsageError(`give the ids of servers to ${verb}, or --all`);
  return isAll ? view.servers : [...new Set(words.map((word) => findServer(view, word)))];
}

function titleOf(verb: string, servers: readonly ServerView[]): string {
  return `${verb} ${servers.map(({ id }) => id).join(', ')}`;
}

function commandOf(verb: string, { words, flags }: Named): readonly string[] {
  return [verb, ...(flags['all'] === true ? ['--all'] : words)];
}
