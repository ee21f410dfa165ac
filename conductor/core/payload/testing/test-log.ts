/** A log in memory with an UnsafeChain over it, driven entry by entry. */
import type { EntrySummary } from '../../ports.ts';
import { EntryType } from '../../raft/types.ts';
import type { BlockSummary } from '../block-summary.ts';
import { testData } from './test-blocks.ts';
import { UnsafeChain, type ApplyResult } from '../unsafe-chain.ts';

export class TestLog {
  /** Entry data by index. */
  readonly data = new Map<number, Uint8Array>();
  reads = 0;
  readonly chain = new UnsafeChain((index) => {
    this.reads++;
    return this.data.get(index) ?? null;
  });
  last = 0;

  append(data: Uint8Array | BlockSummary, type: number = EntryType.command): EntrySummary {
    const index = ++this.last;
    const whole = data instanceof Uint8Array ? data : testData(data);
    this.data.set(index, whole);
    const summary = this.chain.summarize({
      index,
      term: 1,
      type,
      data: whole,
      extensions: null,
      appendedAt: new Uint8Array(15),
    });
    const entry = { index, term: 1, type, size: whole.length, summary };
    this.chain.appended(entry);
    return entry;
  }

  apply(entry: EntrySummary): ApplyResult | null {
    return this.chain.apply({ ...entry, data: () => this.data.get(entry.index) ?? null });
  }

  commit(...blocks: (Uint8Array | BlockSummary)[]): void {
    for (const block of blocks) this.apply(this.append(block));
  }

  compact(through: number): void {
    for (const index of this.data.keys()) if (index <= through) this.data.delete(index);
    this.chain.compacted(through);
  }
}
