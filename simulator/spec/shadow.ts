/**
 * What the steps made so far come to, as far as making the next ones needs it: a small copy of raft.tla's variables.
 * It decides nothing: whether a step may be is for the model checker, which keeps the whole state itself.
 */
import type { Recording, SpecEntry } from './facts.ts';

export interface ShadowServer {
  term: number;
  votedFor: number | null;
  state: 'Follower' | 'Candidate' | 'Leader';
  log: SpecEntry[];
  commitIndex: number;
  highest: number;
  nextIndex: number[];
  matchIndex: number[];
  /** Indexes that followers have acknowledged to this leader and that it has not counted, by follower. */
  arrived: number[][];
  /** The commit index it last showed; null for a process that has shown none. */
  shown: number | null;
}

/** A message in the bag. */
export interface Message {
  readonly kind: 'voteRequest' | 'grant' | 'append' | 'acknowledgement';
  readonly from: number;
  readonly to: number;
  readonly term: number;
  /** The entry that is carried or acknowledged, and what is said of commits. */
  readonly index?: number;
  readonly commitIndex?: number;
}

export class Shadow {
  readonly servers: ShadowServer[];
  readonly messages: Message[] = [];

  constructor({ servers }: Recording) {
    const longest = servers.find(({ isLeader }) => isLeader)?.log.length ?? 0;
    this.servers = servers.map(({ isLeader, term, votedFor, commitIndex, log }) => ({
      term,
      votedFor,
      state: isLeader ? 'Leader' : 'Follower',
      log: [...log],
      commitIndex,
      highest: commitIndex,
      nextIndex: servers.map(() => (isLeader ? longest + 1 : 1)),
      matchIndex: servers.map((other) => (isLeader ? other.log.length : 0)),
      arrived: servers.map(() => []),
      shown: commitIndex,
    }));
  }

  find(wanted: Message): Message | undefined {
    const keys = Object.keys(wanted) as (keyof Message)[];
    return this.messages.find((message) => keys.every((key) => message[key] === wanted[key]));
  }

  remove(message: Message): void {
    const at = this.messages.indexOf(message);
    if (at >= 0) this.messages.splice(at, 1);
  }

  /** Messages that nobody will look at any more. */
  stale(): Message[] {
    return this.messages.filter(({ kind, to, term }) => {
      const receiver = this.servers[to]!;
      if (kind === 'voteRequest' || kind === 'append') return receiver.term > term;
      return receiver.term > term || receiver.state !== (kind === 'grant' ? 'Candidate' : 'Leader');
    });
  }
}
