/**
 * The replicated state machine: the unsafe head exactly as op-conductor computes it, and around it the
 * chain of payloads that the log still holds, so that a leader can refuse what would fork it and bring
 * its sequencer up from any distance (rules 1 to 7). It works on summaries; payloads are read on demand.
 */
import { assert } from '../assert.ts';
import type { AppliedEntry, EntrySummary, StateMachine } from '../ports.ts';
import { EntryType, type Entry } from '../raft/types.ts';
import { admit, type Admission } from './admission.ts';
import { identityOf, readSummary, summarizeData, summaryOf, type BlockSummary } from './block-summary.ts';
import { blockOf, type ChainBlock } from './chain-block.ts';
import { ChainIndex, type ChainState } from './chain-index.ts';
import { NONE, RESTORED } from './chain-records.ts';
import { prefixedHex } from './hex.ts';
import { ROLLBACK_HEADER_BYTES } from './rollback-entry.ts';
import { checkSsz, SszError } from './ssz-check.ts';
import { decodeSsz, encodeSsz } from './ssz.ts';

/** What applying an entry came to; null for entries that are not commands. */
export type ApplyResult =
  | { readonly kind: 'applied'; readonly number: bigint; readonly isHead: boolean }
  /** No payload could be read; op-conductor's error text. The state did not change. */
  | { readonly kind: 'rejected'; readonly message: string };

export type { ChainBlock };

export class UnsafeChain implements StateMachine {
  readonly #chain = new ChainIndex();
  readonly #readEntry: (index: number) => Uint8Array | null;
  /** Everything up to here is committed. */
  #committedIndex = 0;
  /** The last payload record applied since the boundary, or NONE. */
  #lastApplied = NONE;
  /** Log index of the last committed rollback that the log holds, 0 when it has none. */
  #rollbackIndex = 0;
  /** What `tip` answers until something changes; null where that is to be looked up. */
  #tip: { readonly block: ChainBlock | null } | null = null;
  /** SSZ of heads and tips that the log may lose or has lost. */
  readonly #kept = new Map<number, Uint8Array>();

  /**
   * `readEntry` gives the data of an entry of the log, null for one that is not readable now; data of an entry
   * since replaced at that index is not taken for it. It is called for snapshots, catch-up, heads whose entry is
   * compacted (during `compacted`), and entries whose summary another version wrote; not at open otherwise.
   */
  constructor(readEntry: (index: number) => Uint8Array | null) {
    this.#readEntry = readEntry;
  }

  // ---------------------------------------------------------------- the state machine of ports.ts

  summarize(entry: Entry): Uint8Array | null {
    return entry.type === EntryType.command ? summarizeData(entry.data, entry.extensions) : null;
  }

  appended(entry: EntrySummary): void {
    this.#tip = null;
    if (entry.type !== EntryType.command || entry.summary === null) return;
    const block = readSummary(entry.summary) ?? this.#summaryFromData(entry.index);
    if (block === null) return;
    const size = entry.size - (block.isRollback ? ROLLBACK_HEADER_BYTES : 0);
    this.#chain.append({ ...block, index: entry.index, size });
    // Under a snapshot that was there before.
    if (block.isRollback && entry.index <= this.#committedIndex)
      this.#rollbackIndex = Math.max(this.#rollbackIndex, entry.index);
  }

  truncated(from: number): void {
    this.#tip = null;
    assert(
      this.#lastApplied === NONE || this.#chain.records.indexOf(this.#lastApplied) < from,
      'applied entries are never truncated',
    );
    this.#chain.truncate(from);
  }

  compacted(through: number): void {
    this.#tip = null;
    for (const sequence of this.#chain.neededBelow(through)) {
      const ssz = this.#ssz(sequence);
      if (ssz !== null) this.#kept.set(sequence, ssz);
    }
    this.#chain.compact(through);
    if (!this.#chain.records.has(this.#lastApplied)) this.#lastApplied = NONE;
    if (this.#rollbackIndex <= through) this.#rollbackIndex = 0;
    this.#releaseBytes();
  }

  /** Head = the highest number so far, the first one at that height; a rollback entry sets it (rules 1 and 6). */
  apply(entry: AppliedEntry): ApplyResult | null {
    this.#tip = null;
    assert(entry.index > this.#committedIndex, 'entries are applied once and in order');
    this.#committedIndex = entry.index;
    if (entry.type !== EntryType.command) return null;
    const { records } = this.#chain;
    const sequence = records.after(entry.index) - 1;
    if (!records.has(sequence) || records.indexOf(sequence) !== entry.index) {
      assert(
        entry.summary === null || readSummary(entry.summary) === null,
        'an entry enters the log before it is applied',
      );
      return { kind: 'rejected', message: rejection(entry.data()) };
    }
    if (records.record(sequence).isRollback) this.#rollbackIndex = entry.index;
    const before = this.#committed.head;
    this.#lastApplied = sequence;
    const isHead = this.#committed.head === sequence;
    if (before !== this.#committed.head) this.#releaseBytes();
    return { kind: 'applied', number: records.numberOf(sequence), isHead };
  }

  /**
   * The SSZ of the head, written anew as op-conductor does; null while no payload is held (rule 7), and while
   * `readEntry` does not give its bytes.
   */
  snapshot(): Uint8Array | null {
    const { head } = this.#committed;
    if (head === NONE) return null;
    const stored = this.#ssz(head);
    if (stored === null) return null;
    const decoded = decodeSsz(stored);
    assert(!(decoded instanceof SszError), 'the head was readable when it was applied');
    const ssz = encodeSsz(decoded.envelope);
    assert(!(ssz instanceof SszError), 'what was decoded can be encoded');
    this.#kept.set(head, ssz);
    return ssz;
  }

  restore(data: Uint8Array, index: number, _term: number): string | null {
    this.#tip = null;
    if (index < this.#committedIndex)
      return `snapshot at ${index} is older than what is applied (${this.#committedIndex})`;
    const decoded = decodeSsz(data);
    if (decoded instanceof SszError) return decoded.message;
    this.#chain.restore({ ...summaryOf(decoded.envelope), index, size: data.length });
    this.#committedIndex = index;
    this.#rollbackIndex = this.#chain.records.lastRollbackUpTo(index);
    this.#lastApplied = NONE;
    this.#kept.clear();
    this.#kept.set(RESTORED, data);
    return null;
  }

  // ---------------------------------------------------------------- what is committed

  /** The unsafe head, as op-conductor's state machine would have it; null while no payload is held. */
  head(): ChainBlock | null {
    return this.#block(this.#committed.head);
  }

  /** The block to build on: the head, or the last payload committed at its height (rule 1). Asked with every event. */
  tip(): ChainBlock | null {
    this.#tip ??= { block: this.#block(this.#committed.tip) };
    return this.#tip.block;
  }

  /** The committed payload at a height of the current chain; null when the log does not reach it. */
  payloadAt(number: bigint): ChainBlock | null {
    const block = this.#block(this.#chain.descend(this.#committed.tip, number));
    return block?.number === number ? block : null;
  }

  /**
   * Committed payloads of the current chain from `number` up, ascending, at most `max`. Heights may be missing
   * at the start, where the log does not reach, and in between, after an accepted gap (rule 4).
   */
  chainFrom(number: bigint, max: number): ChainBlock[] {
    const found: number[] = [];
    let sequence = this.#committed.tip;
    while (sequence !== NONE && this.#chain.numberOf(sequence)! >= number) {
      found.push(sequence);
      sequence = this.#chain.previous(sequence);
    }
    return found
      .slice(Math.max(0, found.length - max))
      .reverse()
      .map((each) => this.#block(each)!);
  }

  /** Whether every height of the current chain from `number` to the tip is held; one walk, however far. */
  holdsFrom(number: bigint): boolean {
    let sequence = this.#committed.tip;
    for (let at = this.#chain.numberOf(sequence); at !== null; at -= 1n) {
      if (at === number) return true;
      sequence = this.#chain.previous(sequence);
      if (this.#chain.numberOf(sequence) !== at - 1n) return false;
    }
    return false;
  }

  /** Whether the log holds this block, committed, and the chain has gone elsewhere since (rule 6). */
  hasGivenUp(number: bigint, hash: string): boolean {
    const { records } = this.#chain;
    const found = records.find(number, Uint8Array.fromHex(hash.slice(2)));
    if (found === NONE || records.indexOf(found) > this.#committedIndex) return false;
    const held = this.payloadAt(number);
    // A height below the tip that is not held says nothing: an operator accepted a gap there (rule 4).
    return held === null ? number > (this.tip()?.number ?? number) : held.hash !== hash;
  }

  /** SSZ of a block that one of these methods returned; null when it has left the log since. */
  payloadOf(block: ChainBlock): Uint8Array | null {
    if (block.isInLog) return this.#payloadAtIndex(block.index, block);
    const pin = this.#chain.pinned.find(({ record }) => prefixedHex(record.hash) === block.hash);
    return pin === undefined ? null : this.#ssz(pin.sequence);
  }

  /** Log index of the last committed rollback that the log holds; 0 for none (rule 6). */
  get rollbackIndex(): number {
    return this.#rollbackIndex;
  }

  // ---------------------------------------------------------------- what is pending too

  /** As `tip`, after the entries of the log that are not committed yet. */
  pendingTip(): ChainBlock | null {
    return this.#block(this.#chain.last.tip);
  }

  /** As `payloadAt`, on the chain that ends in the pending tip. */
  pendingPayloadAt(number: bigint): ChainBlock | null {
    const block = this.#block(this.#chain.descend(this.#chain.last.tip, number));
    return block?.number === number ? block : null;
  }

  /** Payload entries of the log that are not committed. */
  get pendingCount(): number {
    return this.#chain.records.next - this.#chain.records.after(this.#committedIndex);
  }

  /** Payload entries indexed. */
  get size(): number {
    return this.#chain.records.size;
  }

  /** Bytes of payloads held in memory: the head while it stands still after a snapshot, and what the log has lost. */
  get keptBytes(): number {
    return [...this.#kept.values()].reduce((sum, ssz) => sum + ssz.length, 0);
  }

  /**
   * Whether a payload may follow the log as it is now, uncommitted entries included (rules 1, 2, 4). Only the
   * leader's answer counts, once the first entry of its term is applied, and only until the log changes.
   */
  admit(block: BlockSummary): Admission {
    return admit(this.#chain, this.#committedIndex, block);
  }

  get #committed(): ChainState {
    return this.#chain.stateAfter(this.#lastApplied);
  }

  #block(sequence: number): ChainBlock | null {
    return blockOf(this.#chain, sequence);
  }

  #ssz(sequence: number): Uint8Array | null {
    const restored = sequence === this.#chain.restoredAs ? this.#kept.get(RESTORED) : undefined;
    const kept = this.#kept.get(sequence) ?? restored;
    if (kept !== undefined) return kept;
    const block = this.#block(sequence);
    return block?.isInLog === true ? this.#payloadAtIndex(block.index, block) : null;
  }

  /** What the log has at an index, if it is that block: another may stand there until the log is written. */
  #payloadAtIndex(index: number, { hash, parentHash }: ChainBlock): Uint8Array | null {
    const data = this.#readEntry(index);
    const found = data === null ? null : identityOf(data);
    return found?.hash === hash && found.parentHash === parentHash ? found.ssz : null;
  }

  #summaryFromData(index: number): BlockSummary | null {
    const summary = summarizeData(this.#readEntry(index), null);
    return summary === null ? null : readSummary(summary);
  }

  /** Lets go of bytes that the log holds too and that no snapshot is about to need. */
  #releaseBytes(): void {
    const { head, tip } = this.#committed;
    const pinned = this.#chain.pinned.map((pin) => pin.sequence);
    const { restoredAs } = this.#chain;
    for (const sequence of this.#kept.keys()) {
      const isNeeded =
        sequence === RESTORED
          ? restoredAs === RESTORED || restoredAs === head || head === RESTORED
          : pinned.includes(sequence);
      if (!isNeeded && sequence !== head && sequence !== tip) this.#kept.delete(sequence);
    }
  }
}

function rejection(data: Uint8Array | null): string {
  if (data === null || data.length === 0) return 'log data is nil or empty';
  const outcome = checkSsz(data);
  return outcome instanceof SszError ? outcome.message : 'the entry was not readable when it was stored';
}
