/**
 * What a run of the simulator shows of raft, in order: the facts that `mapping.ts` makes steps of raft.tla of. Servers
 * are numbers here. Heartbeats, pre-votes, hand-overs and peer status are left out: of them raft.tla knows nothing, and what
 * they bring about shows in what is written.
 */
import type { AppendEntriesRequest, Entry, RequestVoteRequest } from '#conductor/core/raft/types';
import type { Role } from '#conductor/core/raft/events';
import { contentOf } from '#simulator/oracles/committed';

/** An entry as raft.tla has it: its content is a short name of what it holds. */
export interface SpecEntry {
  readonly term: number;
  readonly value: string;
}

export function specEntry(entry: Entry): SpecEntry {
  return { term: entry.term, value: contentOf(entry) };
}

export interface IndexedEntry extends SpecEntry {
  readonly index: number;
}

export type Sent = AppendEntriesRequest | RequestVoteRequest;

export type Fact =
  /** A request leaves; the same object is what is received. */
  | { readonly kind: 'sent'; readonly at: number; readonly to: number; readonly request: Sent }
  /** An append request is handled. */
  | { readonly kind: 'asked'; readonly at: number; readonly request: AppendEntriesRequest }
  /** Whoever sent that request handles a good answer: a vote, or an acknowledgement. */
  | { readonly kind: 'granted'; readonly at: number; readonly request: Sent }
  /** A transaction is durable. */
  | {
      readonly kind: 'written';
      readonly at: number;
      /** Absent where neither was written; `votedFor` is null for no vote in that term. */
      readonly ballot?: { readonly term: number; readonly votedFor: number | null };
      readonly entries: readonly IndexedEntry[];
      /** The log as it is then. */
      readonly lastIndex: number;
      readonly last: SpecEntry | null;
    }
  /** A server has said all it wants for now. */
  | {
      readonly kind: 'observed';
      readonly at: number;
      readonly role: Role;
      readonly term: number;
      readonly commitIndex: number;
    }
  /** A process begins with what its disk holds. */
  | { readonly kind: 'started'; readonly at: number; readonly lastIndex: number }
  /** From here on raft.tla cannot follow: a snapshot, a change of members, a lost disk. */
  | { readonly kind: 'beyond'; readonly why: string };

/** One server where the steps begin. */
export interface StartServer {
  readonly term: number;
  readonly votedFor: number | null;
  readonly isLeader: boolean;
  readonly commitIndex: number;
  readonly log: readonly SpecEntry[];
}

/** What was seen of one run. */
export interface Recording {
  readonly servers: readonly StartServer[];
  readonly facts: readonly Fact[];
  /** Facts before this number are of the time in which the cluster was formed: of them only what is on its way matters. */
  readonly begin: number;
}
