/** `conductor pause` and `conductor resume`: the control loops of some or all servers. */
import { leaderOf, memberOf, membershipOf, type ClusterView, type ServerView } from './cluster-view.ts';
import { OperatorUsageError, RefusedError, type OperatorCommand, type OperatorTask } from './operator-command.ts';
import { pauseSteps, resumeStep, whyUnreachable } from './pause-steps.ts';
import { findServer } from './server-names.ts';

const shared = {
  kind: 'procedure',
  isForEmergencies: true,
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
--without-quorum, which leaves silent ones out of --all. Servers that are no
members are left out of --all. When one fails on the way, those paused before
it are resumed.`,
  examples: ['conductor pause node-2', 'conductor pause --all'],
  run: pause,
};

export const resumeCommand: OperatorCommand = {
  ...shared,
  name: 'resume',
  description: 'let conductors act again',
  details: `The leader is resumed first. Refuses whom it could make a second sequencer: all
op-nodes are asked, and one that does not answer may build, unless you name it
with --idle. Refuses a leader that sequences and calls itself unhealthy (it
would hand leadership on at once) and a server that builds blocks without
leading while the leader does not (blocks would stop). Servers that are
no members are left out of --all, with --without-quorum also silent ones; else
a silent one is waited for, after all others, and the command fails.`,
  examples: ['conductor resume node-2', 'conductor resume --all'],
  run: resume,
};

async function pause({ words, flags, access, execute }: OperatorTask): Promise<number> {
  const view = await access.observe();
  const { servers, leftOut } = chosen(view, { words, flags, verb: 'pause' });
  const silent = servers.filter(
    ({ config, conductor }) => conductor?.isPaused !== true && whyUnreachable(view, config) !== null,
  );
  if (silent.length > 0) {
    const others = servers.filter((server) => !silent.includes(server)).map(({ id }) => id);
    const reasons = silent.map(({ config }) => whyUnreachable(view, config)).join('; ');
    const advice = others.length > 0 ? `; to pause the others: conductor pause ${others.join(' ')}` : '';
    throw new RefusedError(`${reasons}; nobody was paused${advice}`);
  }
  const leader = leaderOf(view);
  const ordered = [...servers.filter((one) => one !== leader), ...servers.filter((one) => one === leader)];
  return execute({
    title: titleOf('pause', ordered),
    steps: pauseSteps(
      access,
      ordered.map(({ config }) => config),
      view,
    ),
    command: commandOf('pause', { words, flags }),
    journal: null,
    afterwards: leftOut,
  });
}

async function resume({ words, flags, access, execute }: OperatorTask): Promise<number> {
  const view = await access.observe();
  const { servers, leftOut } = chosen(view, { words, flags, verb: 'resume' });
  const leader = leaderOf(view);
  // Silent ones last: they are no reason for the others to stay paused.
  const rank = (server: ServerView): number =>
    whyUnreachable(view, server.config) !== null ? 2 : server === leader ? 0 : 1;
  const ordered = servers.toSorted((a, b) => rank(a) - rank(b));
  return execute({
    title: titleOf('resume', ordered),
    steps: ordered.map(({ config }) => resumeStep(access, config, view)),
    command: commandOf('resume', { words, flags }),
    journal: null,
    afterwards: leftOut,
  });
}

type Named = Pick<OperatorTask, 'words' | 'flags'>;

interface Chosen {
  readonly servers: readonly ServerView[];
  /** A sentence for each that --all does not mean. */
  readonly leftOut: readonly string[];
}

/** Each once; throws OperatorUsageError. */
function chosen(view: ClusterView, { words, flags, verb }: Named & { readonly verb: string }): Chosen {
  const isAll = flags['all'] === true;
  if (isAll === words.length > 0) throw new OperatorUsageError(`give the ids of servers to ${verb}, or --all`);
  if (!isAll) return { servers: [...new Set(words.map((word) => findServer(view, word)))], leftOut: [] };
  const reasons = view.servers.map((server) => whyLeftOut(view, server, flags['withoutQuorum'] === true));
  // Where nobody is left, each says for itself why.
  if (!reasons.includes(null)) return { servers: view.servers, leftOut: [] };
  return {
    servers: view.servers.filter((_, at) => reasons[at] === null),
    leftOut: reasons.flatMap((why, at) => (why === null ? [] : [`${view.servers[at]?.id} was left out: ${why}`])),
  };
}

/** Why --all does not mean a server; null when it does. */
function whyLeftOut(view: ClusterView, { id, isNamed, config }: ServerView, isSilentLeftOut: boolean): string | null {
  const isKnown = isNamed && membershipOf(view).members.length > 0;
  if (isKnown && memberOf(view, id) === null) return 'it is not a member of the cluster';
  return isSilentLeftOut ? whyUnreachable(view, config) : null;
}

function titleOf(verb: string, servers: readonly ServerView[]): string {
  return `${verb} ${servers.map(({ id }) => id).join(', ')}`;
}

function commandOf(verb: string, { words, flags }: Named): readonly string[] {
  const all = flags['all'] === true ? ['--all'] : words;
  return [verb, ...all, ...(flags['withoutQuorum'] === true ? ['--without-quorum'] : [])];
}
