/**
 * Everything that is demanded of us in numbers, and what is told beside it, as data: `npm run bench -- goals` puts the
 * measured value and its spread next to each. A goal is never adapted to what was measured.
 */
import { clusters, type ClusterName } from './disagreement/clusters.ts';
import { rows as disagreements } from './disagreement/rows.ts';
import { goals as harmGoals } from './gaps/goals.ts';
import type { Bound, Figure } from './judge.ts';
import {
  commits,
  disagreed,
  harmed,
  logFailover,
  reads,
  script,
  site,
  steady,
  validated,
  validationCost,
  withinLimit,
  type FindReading,
} from './readings.ts';
import { MODES, SIZES, type Measured as Validated } from './validation/cells.ts';

export interface Goal {
  /** Rows of one group stand together. */
  readonly group: string;
  readonly title: string;
  readonly unit: string;
  readonly figure: Figure;
  /** Empty for what is only told. */
  readonly bound: Bound;
  readonly reading: FindReading;
}

const METHODS = ['leader', 'active', 'clusterMembership'] as const;
const USERS = [1, 16, 64] as const;
const CLIENTS = [1, 8] as const;
/** Commits per second by op-conductor's, at least. */
const COMMIT_RATES = [
  { bytes: 1_000, atLeast: 1.5 },
  { bytes: 100_000, atLeast: 3 },
  { bytes: 1_000_000, atLeast: 5 },
] as const;
/** What op-conductor refuses and ours must take. */
const LARGE = [
  { bytes: 5_000_000, clients: 1 },
  { bytes: 5_000_000, clients: 8 },
  { bytes: 20_000_000, clients: 1 },
] as const;
const KILLED = "the leader's conductor is killed";
const TRANSFERRED = 'leadership is transferred';
const NOT_SLOWER = { atMost: 1 };
const TEN_TIMES_FASTER = { atMost: 0.1 };
const nothing: Bound = {};

const readGoals = METHODS.flatMap((name): Goal[] =>
  USERS.flatMap((users): Goal[] => {
    const method = `conductor_${name}`;
    const title = `${name}, ${users} user${users > 1 ? 's' : ''}`;
    const common = { group: 'reads', figure: 'ratio' } as const;
    return [
      {
        ...common,
        title: `${title}: server CPU per call`,
        unit: 'µs',
        bound: { atMost: 0.5 },
        reading: reads(method, users, (one) => one.serverCpuMicros),
      },
      {
        ...common,
        title: `${title}: p99`,
        unit: 'ms',
        bound: NOT_SLOWER,
        reading: reads(method, users, (one) => one.p99Ms),
      },
    ];
  }),
);

const commitGoals = COMMIT_RATES.flatMap(({ bytes, atLeast }): Goal[] =>
  CLIENTS.flatMap((clients): Goal[] => {
    const title = cellTitle(bytes, clients);
    const common = { group: 'commits', figure: 'ratio' } as const;
    return [
      {
        ...common,
        title: `${title}: rate`,
        unit: '/s',
        // The goals are set for one client at a time, as one op-node is; more are told.
        bound: clients === 1 ? { atLeast } : nothing,
        reading: commits(bytes, clients, (load) => load.perSecond),
      },
      {
        ...common,
        title: `${title}: p99`,
        unit: 'ms',
        bound: NOT_SLOWER,
        reading: commits(bytes, clients, (load) => load.latencyMs.p99),
      },
      ...processes(bytes, clients),
    ];
  }),
);

const largeGoals = LARGE.flatMap(({ bytes, clients }): Goal[] => [
  {
    group: 'commits',
    title: `${cellTitle(bytes, clients)}: works`,
    unit: '/s',
    figure: 'ours',
    bound: { atLeast: Number.MIN_VALUE },
    reading: commits(bytes, clients, (load) => load.perSecond),
  },
  ...processes(bytes, clients),
]);

const failoverGoals: readonly Goal[] = [
  failover('replicated log: kill −9 to the next commit', TEN_TIMES_FASTER, logFailover),
  failover('development sequencers: kill to another start', TEN_TIMES_FASTER, harmed('gaps', KILLED, 'startMs')),
  failover('development sequencers: transfer to another start', nothing, harmed('gaps', TRANSFERRED, 'startMs')),
  failover('development sequencers: transfer, longest gap', nothing, harmed('gaps', TRANSFERRED, 'gapMs')),
  failover('real net: kill to another start', TEN_TIMES_FASTER, harmed('realnet', KILLED, 'startMs')),
  failover('real net: transfer to another start', nothing, harmed('realnet', TRANSFERRED, 'startMs')),
  failover('real net: kill, longest gap', nothing, harmed('realnet', KILLED, 'gapMs')),
  failover('real net: transfer, longest gap', nothing, harmed('realnet', TRANSFERRED, 'gapMs')),
  {
    ...failover(
      'reads and commits by k6: longest time without a commit',
      TEN_TIMES_FASTER,
      script('leader-kill', 'gapMs'),
    ),
    figure: 'ratio',
  },
];

const gapGoals = harmGoals.map(({ harm, limitMs, share, measure }): Goal => ({
  group: 'nothing published',
  title: `${harm.title}: ${measure === 'gap' ? 'gap' : 'start'} within ${limitMs} ms`,
  unit: '% of rounds',
  figure: 'ours',
  bound: { atLeast: share * 100 },
  reading: withinLimit(harm.title),
}));

/** The worst round counts: a chain that stands once has stood. */
const disagreementGoals = disagreements.flatMap(({ title, on }) =>
  Object.entries(on).flatMap(([name, { atMostMs, thenAtMostMs }]): Goal[] => {
    const cluster = name as ClusterName;
    const goal = (words: string, atMost: number | undefined, pick: 'ms' | 'thenMs'): Goal[] => {
      if (atMost === undefined) return [];
      const head = { group: 'log and nodes disagree', title: `${title}, ${clusters[cluster].title}${words}` };
      return [
        { ...head, unit: 'ms', figure: 'our-worst', bound: { atMost }, reading: disagreed(title, cluster, pick) },
      ];
    };
    return [...goal('', atMostMs, 'ms'), ...goal(': second time', thenAtMostMs, 'thenMs')];
  }),
);

const validationGoals = SIZES.flatMap((bytes): Goal[] => {
  const size = `blocks of ${bytes < 1_000_000 ? `${bytes / 1000} kB` : `${bytes / 1_000_000} MB`}`;
  const common = { group: 'cost of validated commits', figure: 'ours' } as const;
  const each = (title: string, pick: (one: Validated) => number): Goal[] =>
    MODES.map((mode) => ({
      ...{ ...common, title: `${size}, ${title}, validate ${mode}`, unit: 'ms', bound: nothing },
      reading: validated(bytes, mode, pick),
    }));
  return [
    {
      ...{ ...common, title: `${size}: block period, by that without validation`, unit: '%', bound: { atMost: 102 } },
      reading: validationCost(bytes, (one) => one.periodMs),
    },
    ...each('slot to another client', (one) => one.slotToHeadMs.p50),
    ...each("CPU per block of the leader's conductor", (one) => one.cpuMs.leaderConductor),
    ...each("CPU per block of the leader's client", (one) => one.cpuMs.leaderClient),
  ];
});

const runningGoals: readonly Goal[] = [
  running('leader at blocks of 100 kB a second: CPU', '% of a core', { atMost: 2.6 }, (one) => [one.leaderPercent]),
  running('a follower at the same', '% of a core', nothing, (one) => one.followersPercent),
  running('resident after load, largest node', 'MB', { atMost: 255 }, (one) => [Math.max(...one.residentMb)]),
  running('start to ready on that store', 'ms', { atMost: 150 }, (one) => one.readyMs),
  scripted('fan-out to 1 000 clients: p99 from source to client', 'ms', nothing, script('fan-out', 'p99Ms')),
  scripted('fan-out: server CPU per message and client', 'µs', nothing, script('fan-out', 'cpuMicros')),
  scripted('fan-out: messages that did not arrive', '%', { atMost: 0 }, script('fan-out', 'lostPercent')),
  scripted('soak: resident, largest of any node', 'MB', { atMost: 255 }, script('soak', 'residentMbMax')),
  scripted('soak: growth of memory, last by middle third', '×', { atMost: 1.25 }, script('soak', 'growth')),
  scripted('soak: loop lag, p99', 'ms', { atMost: 50 }, script('soak', 'lagP99Ms')),
];

/** The page that is edited: the longest. */
const LONGEST_PAGE = 'builders/chain-operators/tools/op-conductor';

const siteGoals: readonly Goal[] = [
  {
    ...{ group: 'documentation', title: 'build of all pages', unit: 's', figure: 'ours', bound: { atMost: 12 } },
    reading: site(({ builds }) => builds.map(({ wallSeconds }) => wallSeconds)),
  },
  {
    ...{
      group: 'documentation',
      title: 'edit to sight, longest page',
      unit: 'ms',
      figure: 'ours',
      bound: { atMost: 150 },
    },
    reading: site(({ edits }) => edits[LONGEST_PAGE] ?? []),
  },
];

export const goals: readonly Goal[] = [
  ...readGoals,
  ...commitGoals,
  ...largeGoals,
  ...failoverGoals,
  ...gapGoals,
  ...disagreementGoals,
  ...validationGoals,
  ...runningGoals,
  ...siteGoals,
];

function cellTitle(bytes: number, clients: number): string {
  const size = bytes < 1_000_000 ? `${bytes / 1000} kB` : `${bytes / 1_000_000} MB`;
  return `${size}, ${clients} client${clients > 1 ? 's' : ''}`;
}

/** Processor time per commit, which hardly depends on what else the machine does. */
function processes(bytes: number, clients: number): Goal[] {
  const row = (who: string, at: number): Goal => ({
    group: 'commits',
    title: `${cellTitle(bytes, clients)}: CPU of ${who}`,
    unit: 'ms',
    figure: bytes > 1_000_000 ? 'ours' : 'ratio',
    bound: nothing,
    reading: commits(bytes, clients, (load) => load.cpuMs[at] ?? Number.NaN),
  });
  return [row('the leader', 0), row('follower 1', 1), row('follower 2', 2)];
}

function failover(title: string, bound: Bound, reading: FindReading): Goal {
  return { group: 'failover', title, unit: 'ms', figure: 'ratio-of-medians', bound, reading };
}

function running(title: string, unit: string, bound: Bound, pick: Parameters<typeof steady>[0]): Goal {
  return { group: 'running', title, unit, figure: 'ours', bound, reading: steady(pick) };
}

function scripted(title: string, unit: string, bound: Bound, reading: FindReading): Goal {
  return { group: 'running', title, unit, figure: 'ours', bound, reading };
}
