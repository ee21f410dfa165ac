/** What servers say is committed, entry by entry, as their disks have it. */
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Entry } from '#conductor/core/raft/types';
import type { Machine } from '../machine.ts';

/** What is known to be committed, by index. */
export class Committed {
  readonly #terms = new Map<number, { readonly term: number; readonly content: string; readonly inTerm: number }>();
  readonly #seen = new Map<string, { life: number; index: number }>();

  /** Calls back for every newly committed entry of a server that its disk has had. */
  advance(
    { id, life, disk }: Machine,
    { commitIndex, term: inTerm, hasFailed }: RaftPosition,
    seen: (entry: Entry, inTerm: number) => void,
  ): void {
    // A server whose disk has failed knows more than it could write, and acknowledges nothing of it.
    if (hasFailed) return;
    const known = this.#seen.get(id);
    const from = known?.life === life ? known.index : 0;
    if (commitIndex <= from) return;
    this.#seen.set(id, { life, index: commitIndex });
    for (let index = from + 1; index <= commitIndex; index++) {
      const entry = disk.everAt(index);
      if (entry !== null) seen(entry, inTerm);
    }
  }

  get(index: number) {
    return this.#terms.get(index);
  }

  set(entry: Entry, inTerm: number): void {
    const { index, term } = entry;
    const known = this.#terms.get(index);
    if (known === undefined || inTerm < known.inTerm)
      this.#terms.set(index, { term, content: contentOf(entry), inTerm });
  }

  all() {
    return this.#terms.entries();
  }
}

/** What an entry says, shortly: its type, and a digest of its data. */
export function contentOf({ type, data }: Entry): string {
  return `${type} ${data === null ? '' : digest(data)}`;
}

const digests = new WeakMap<Uint8Array, { readonly length: number; readonly hash: number }>();

/** A short name of an entry's content; each buffer is read once, and again when its bytes were given back since. */
function digest(data: Uint8Array): number {
  const { length } = data;
  const known = digests.get(data);
  if (known?.length === length) return known.hash;
  let hash = 0x811c9dc5;
  // One that has none any more cannot be gone through.
  if (length > 0) for (const byte of data) hash = Math.imul(hash ^ byte, 0x01000193);
  digests.set(data, { length, hash: hash >>> 0 });
  return hash >>> 0;
}
