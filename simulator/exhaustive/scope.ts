/**
 * How far an exhaustive search goes: where the cluster begins, and how often each kind of thing may happen
 * on one path. Everything within these bounds happens in every order.
 */

/** Where one server begins: the terms of its entries (the first holds the configuration), its term and its vote in that. */
interface Position {
  readonly log: readonly number[];
  readonly term: number;
  /** Server that has its vote, 0..2; null for nobody. */
  readonly vote: number | null;
}

export interface Scope {
  /** What it is there to show. */
  readonly about: string;
  /** One for each of the three servers. */
  readonly start: readonly [Position, Position, Position];
  /** No server campaigns for a later term. */
  readonly termMax: number;
  /** Each of these is how often it may happen on one path, 0..15. */
  readonly proposals: number;
  /** Timers of followers and candidates that run out: a pre-vote, then a vote. */
  readonly timeouts: number;
  /** Servers told to campaign without a pre-vote, as a hand-over does at any time. */
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
}

/** What may happen this often and no more; the order is that of their digits in a world's key. */
export const budgets = ['proposals', 'timeouts', 'handOvers', 'crashes', 'breaks', 'stallsOfLeaders'] as const;
export type Budget = (typeof budgets)[number];

const afterElection: Position = { log: [1], term: 1, vote: null };

const small: Scope = {
  about: 'two campaigns, one entry, one crash',
  start: [afterElection, afterElection, afterElection],
  termMax: 3,
  proposals: 1,
  timeouts: 0,
  handOvers: 2,
  crashes: 1,
  breaks: 0,
  stallsOfLeaders: 0,
  tellsCommits: false,
  appendEntriesMax: 1,
  inflightRequestsMax: 1,
};

/** By name, as the command line knows them. */
export const scopes = {
  small,
  entries: { ...small, about: 'two terms, two entries, one crash', proposals: 2 },
  timeouts: {
    ...small,
    about: 'two campaigns that begin with pre-votes, one crash',
    timeouts: 2,
    handOvers: 0,
    stallsOfLeaders: 1,
  },
  connections: { ...small, about: 'two campaigns, one entry, one connection lost', crashes: 0, breaks: 1 },
  figure8: {
    ...small,
    about: 'figure 8 of the paper: two tails of earlier terms, each in one log; two campaigns, one crash',
    start: [
      { log: [1, 2], term: 3, vote: null },
      { log: [1, 3], term: 3, vote: 1 },
      { log: [1], term: 3, vote: 1 },
    ],
    termMax: 5,
    proposals: 0,
  },
} as const satisfies Readonly<Record<string, Scope>>;

export type ScopeName = keyof typeof scopes;
