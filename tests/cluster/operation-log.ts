/**
 * The test state machine of the Bun node: the ordered list of every operation applied, with a
 * snapshot format shared with bench/gonode/machine.go (count as u64, then 24-byte records, all
 * big endian), so that snapshots cross between the two implementations.
 */
import type { AppliedEntry, StateMachine } from '#conductor/core/ports';
import { EntryType } from '#conductor/core/raft/types';
import { OPERATION_BYTES, RECORD_BYTES } from './operation.ts';

const COUNT_BYTES = 8;
const FIRST_CAPACITY = 1024;

export class OperationLog implements StateMachine {
  /** Records one after the other; only the first `count` are in use. */
  #records = new Uint8Array(FIRST_CAPACITY * RECORD_BYTES);
  #count = 0;

  /** The operation id, kept beside the entry so that applying never reads the data back from disk. */
  summarize(entry: { readonly type: number; readonly data: Uint8Array | null }): Uint8Array | null {
    return entry.type === EntryType.command ? operationId(entry.data) : null;
  }

  appended(): void {}
  truncated(): void {}
  compacted(): void {}

  apply(entry: AppliedEntry): null {
    if (entry.type !== EntryType.command) return null;
    const id = entry.summary ?? operationId(entry.data());
    const at = this.#count * RECORD_BYTES;
    if (at === this.#records.byteLength) this.#grow();
    new DataView(this.#records.buffer).setBigUint64(at, BigInt(entry.index));
    this.#records.set(id, at + 8);
    this.#count += 1;
    return null;
  }

  snapshot(): Uint8Array | null {
    if (this.#count === 0) return null;
    const data = new Uint8Array(COUNT_BYTES + this.#count * RECORD_BYTES);
    new DataView(data.buffer).setBigUint64(0, BigInt(this.#count));
    data.set(this.#records.subarray(0, this.#count * RECORD_BYTES), COUNT_BYTES);
    return data;
  }

  restore(data: Uint8Array): string | null {
    const bytes = data.byteLength - COUNT_BYTES;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (bytes < 0 || bytes % RECORD_BYTES !== 0 || view.getBigUint64(0) !== BigInt(bytes / RECORD_BYTES)) {
      return `${data.byteLength} bytes are not a snapshot of an operation log`;
    }
    this.#count = bytes / RECORD_BYTES;
    this.#records = new Uint8Array(Math.max(bytes, FIRST_CAPACITY * RECORD_BYTES));
    this.#records.set(data.subarray(COUNT_BYTES));
    return null;
  }

  /** The encoded records whose index is at least `index`, as GET /operations answers them. */
  from(index: number): Uint8Array {
    const view = new DataView(this.#records.buffer);
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (view.getBigUint64(middle * RECORD_BYTES) < BigInt(index)) low = middle + 1;
      else high = middle;
    }
    return this.#records.slice(low * RECORD_BYTES, this.#count * RECORD_BYTES);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#records.byteLength * 2);
    larger.set(this.#records);
    this.#records = larger;
  }
}

function operationId(data: Uint8Array | null): Uint8Array {
  const id = new Uint8Array(OPERATION_BYTES);
  if (data !== null) id.set(data.subarray(0, OPERATION_BYTES));
  return id;
}
