/**
 * Which requests a follower took, and which entries of them raft.tla has to send one by one for that: known only from
 * what follows, so a recording is read once before steps are made of it.
 */
import type { AppendEntriesRequest } from '#conductor/core/raft/types';
import type { IndexedEntry, Recording } from './facts.ts';

/** A follower takes these entries of a request. */
export interface Taking {
  readonly request: AppendEntriesRequest;
  /** What it writes; of what it has already, the last alone, whose index is `last`. */
  readonly written: readonly IndexedEntry[];
  readonly last: number;
}

export interface Plan {
  /** By the number of the fact at which it happens. */
  readonly takings: ReadonlyMap<number, Taking>;
  /** Entries of a request that raft.tla sends, ascending. */
  readonly entriesOf: ReadonlyMap<AppendEntriesRequest, readonly number[]>;
}

/** Of what is taken from fact `begin` on. */
export function planOf({ facts, begin }: Pick<Recording, 'facts' | 'begin'>): Plan {
  const acknowledged = new Set<object>();
  for (const fact of facts) if (fact.kind === 'granted') acknowledged.add(fact.request);
  const takings = new Map<number, Taking>();
  const entriesOf = new Map<AppendEntriesRequest, number[]>();
  const open = new Map<number, AppendEntriesRequest>();
  const known = new Map<number, number>();
  const take = (number: number, at: number, written: readonly IndexedEntry[]): void => {
    const request = open.get(at)!;
    open.delete(at);
    const last = written.at(-1)?.index ?? lastOf(request);
    if (last === 0 || number < begin) return;
    takings.set(number, { request, written, last });
    const indexes = written.length === 0 ? [last] : written.map(({ index }) => index);
    entriesOf.set(request, [...(entriesOf.get(request) ?? []), ...indexes]);
  };
  for (const [number, fact] of facts.entries()) {
    if (fact.kind === 'asked') open.set(fact.at, fact.request);
    else if (fact.kind === 'started') open.delete(fact.at);
    else if (fact.kind === 'written' && isOf(open.get(fact.at), fact.entries)) take(number, fact.at, fact.entries);
    else if (fact.kind === 'observed') {
      const request = open.get(fact.at);
      const isNews = fact.commitIndex > (known.get(fact.at) ?? 0);
      known.set(fact.at, fact.commitIndex);
      if (request === undefined) continue;
      const isFollowing = fact.role !== 'leader' && fact.term === request.term;
      // Each request is taken once: one that comes twice changes nothing. One without entries brings news of commits or nothing.
      const hasEntries = (request.entries?.length ?? 0) > 0;
      const isTaken = isNews || (hasEntries && acknowledged.has(request) && !entriesOf.has(request));
      if (isFollowing && isTaken) take(number, fact.at, []);
      else open.delete(fact.at);
    }
  }
  return { takings, entriesOf };
}

/** Whether these entries came with that request; a leader writes its own. */
function isOf(request: AppendEntriesRequest | undefined, entries: readonly IndexedEntry[]): boolean {
  const [first] = entries;
  if (request === undefined || first === undefined) return false;
  return request.entries?.some(({ index, term }) => index === first.index && term === first.term) ?? false;
}

/** The last entry that a request speaks of: what follows the one before it, or that one. */
function lastOf({ prevLogIndex, entries }: AppendEntriesRequest): number {
  return prevLogIndex + (entries?.length ?? 0);
}
