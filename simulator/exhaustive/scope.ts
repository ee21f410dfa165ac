/**
 * How far an exhaustive search goes: where the cluster begins, and how often each kind of thing may happen
 * on one path. Everything within these bounds happens in every order.
 */

/** Where one server begins: the terms of its entries (the first holds the configuration), its term, and its vote in that. */
interface Position {
  readonly log: readonly number[];
  readonly term: number;
  /** Server that has its vote, 0..2; null for nobody. */
  readonly vote: number | null;
}

export interface Scope {
  /** What it holds, for people. */
  readonly about: string;
  /** One for each of the three servers. */
  readonly start: readonly [Position, Position, Position];
  /** No server campaigns for a later term. */
  readonly termMax: number;
  /** Commands that a leader is given. This and the following: how often it may happen on one path, 0..15. */
  readonly proposals: number;
  /** Timers of followers and candidates that run out: a pre-vote, then a vote. */
  readonly timeouts: number;
  /** Servers told to campaign without a pre-vote, as a hand-over may at any time. */
  readonly handOvers: number;
  /** Processes that die, at rest or before or after each write of what they are doing. */
  readonly crashes: number;
  /** Connections that break while something is on them. */
  readonly breaks: number;
  /** Leaders that stop hearing a quorum and follow. */
  readonly stallsOfLeaders: number;
  /** Leaders tell idle followers of commits; otherwise with the next entry only. */
  readonly tellsCommits: boolean;
  /** Entries in one append request: with 1, every entry can be on its way alone. */
  readonly appendEntriesMax: number;
  /** Append requests to one server that wait for answers at once. */
  readonly inflightRequestsMax: number;
  /** What can change nothing happens at once; otherwise it is a step like all others, and there are many more states. */
  readonly isSettled: boolean;
}

/** What may happen this often and no more; the order is that of their digits in a cluster's state. */
export const budgets = ['proposals', 'timeouts', 'handOvers', 'crashes', 'breaks', 'stallsOfLeaders'] as const;
export type Budget = (typeof budgets)[number];

/** All logs hold the configuration, and nobody leads. */
const calm: Position = { log: [1], term: 1, vote: null };

const none: Omit<Scope, 'about'> = {
  start: [calm, calm, calm],
  termMax: 3,
  proposals: 0,
  timeouts: 0,
  handOvers: 0,
  crashes: 0,
  breaks: 0,
  stallsOfLeaders: 0,
  tellsCommits: false,
  appendEntriesMax: 1,
  inflightRequestsMax: 1,
  isSettled: true,
};

/** By name, as the command line knows them; in the order of how long they take. */
export const scopes = {
  elections: { ...none, about: 'two campaigns, a command', handOvers: 2, proposals: 1 },
  crash: { ...none, about: 'two campaigns, a crash', handOvers: 2, crashes: 1 },
  connections: {
    ...none,
    about: 'two campaigns, a command, a lost connection',
    handOvers: 2,
    proposals: 1,
    breaks: 1,
  },
  base: { ...none, about: 'two campaigns, a command, a crash', handOvers: 2, proposals: 1, crashes: 1 },
  timeouts: {
    ...none,
    about: 'two campaigns with pre-votes, a command, a crash, a leader that loses its quorum',
    timeouts: 2,
    proposals: 1,
    crashes: 1,
    stallsOfLeaders: 1,
  },
  figure8: {
    ...none,
    about: 'figure 8 of the paper, from (b) on, with a longer tail: two more campaigns, a crash',
    start: [
      { log: [1, 2, 2], term: 3, vote: null },
      { log: [1, 3], term: 3, vote: 1 },
      { log: [1], term: 3, vote: 1 },
    ],
    termMax: 5,
    handOvers: 2,
    crashes: 1,
  },
  commands: {
    ...none,
    about: 'two campaigns, two commands, a crash',
    handOvers: 2,
    proposals: 2,
    crashes: 1,
  },
} as const satisfies Readonly<Record<string, Scope>>;

export type ScopeName = keyof typeof scopes;
