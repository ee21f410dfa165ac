/** UnsafeChain against the plain model, through any order of what raft may do to a log. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EntrySummary } from '../ports.ts';
import { EntryType } from '../raft/types.ts';
import type { BlockSummary } from './block-summary.ts';
import { prefixedHex } from './hex.ts';
import { NaiveChain, type NaiveEntry } from './testing/naive-chain.ts';
import { testBlock, testData, testSsz } from './testing/test-blocks.ts';
import type { ChainBlock } from './chain-block.ts';
import { UnsafeChain } from './unsafe-chain.ts';

type Step =
  | {
      kind: 'append';
      on: number;
      up: number;
      shape: 'child' | 'foreign' | 'again' | 'rollback' | 'unreadable' | 'noop';
    }
  | { kind: 'truncate' | 'commit' | 'compact' | 'install'; share: number }
  | { kind: 'snapshot' | 'reopen' };

const share = fc.double({ min: 0, max: 1, noNaN: true });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      on: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(6) }),
      up: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constantFrom(0, 2, 5) }),
      shape: fc.oneof(
        { weight: 5, arbitrary: fc.constant('child' as const) },
        { weight: 5, arbitrary: fc.constantFrom('foreign', 'again', 'rollback', 'unreadable', 'noop') },
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('commit' as const, 'commit' as const, 'truncate' as const, 'compact' as const),
      share,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('install' as const), share }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('snapshot' as const, 'snapshot' as const, 'reopen' as const) }),
  },
);

const PAYLOAD_BYTES = testSsz(testBlock('any', 1n, new Uint8Array(32))).length;

/** Drives both, and stands for the stores. */
class Pair {
  readonly naive = new NaiveChain();
  real = this.#create();
  snapshot: { index: number; block: BlockSummary } | null = null;
  /** Head as op-conductor folds it, over every entry ever committed. */
  goHead: BlockSummary | null = null;
  #names = 0;

  #create(): UnsafeChain {
    return new UnsafeChain((index) => {
      const entry = this.naive.log.find((each) => each.index === index);
      return entry === undefined || entry.block === null ? null : testData(entry.block);
    });
  }

  #summaryOf(entry: NaiveEntry): EntrySummary {
    const data = entry.block === null ? Uint8Array.of(1) : testData(entry.block);
    const whole = {
      index: entry.index,
      term: 1,
      type: EntryType.command,
      data,
      extensions: null,
      appendedAt: new Uint8Array(15),
    };
    return {
      index: entry.index,
      term: 1,
      type: EntryType.command,
      size: data.length,
      summary: this.real.summarize(whole),
    };
  }

  #append(block: BlockSummary | null): void {
    this.naive.append(this.naive.lastIndex + 1, block);
    this.real.appended(this.#summaryOf(this.naive.log.at(-1)!));
  }

  #commitNext(): void {
    const entry = this.naive.log.find((each) => each.index === this.naive.committed + 1)!;
    this.naive.committed++;
    const { summary } = this.#summaryOf(entry);
    const outcome = this.real.apply({
      index: entry.index,
      term: 1,
      type: EntryType.command,
      summary,
      data: () => Uint8Array.of(1),
    });
    expect(outcome?.kind).toBe(entry.block === null ? 'rejected' : 'applied');
    this.#fold(entry.block);
  }

  #fold(block: BlockSummary | null): void {
    if (block !== null && (this.goHead === null || block.isRollback || block.number > this.goHead.number))
      this.goHead = block;
  }

  run(action: Step): void {
    const { naive } = this;
    const open = naive.lastIndex - naive.committed;
    if (action.kind === 'append') return this.#append(this.#shape(action));
    if (action.kind === 'commit') for (let left = Math.ceil(action.share * open); left > 0; left--) this.#commitNext();
    else if (action.kind === 'truncate' && open > 0) {
      const from = naive.lastIndex - Math.floor(action.share * (open - 1));
      this.#truncate(from);
    } else if (action.kind === 'snapshot') this.#takeSnapshot();
    else if (action.kind === 'compact' && this.snapshot !== null) {
      const first = naive.log[0]?.index ?? naive.lastIndex + 1;
      const through = Math.min(first - 1 + Math.ceil(action.share * 8), this.snapshot.index);
      if (through < first) return;
      this.real.compacted(through);
      naive.compact(through);
    } else if (action.kind === 'reopen') this.#reopen();
    else if (action.kind === 'install') this.#install(action.share);
  }

  #shape(action: Step & { kind: 'append' }): BlockSummary | null {
    if (action.shape === 'noop' || action.shape === 'unreadable') return null;
    const held = this.naive.log.filter((entry) => entry.block !== null).map((entry) => entry.block!);
    const parent = held.at(-1 - action.on) ?? this.naive.state(Infinity).head?.block;
    if (!parent) return testBlock(`${this.#names++}`, 5n, new Uint8Array(32));
    if (action.shape === 'again') return { ...parent, isRollback: false };
    const parentHash = action.shape === 'foreign' ? new Uint8Array(32).fill(7) : parent.hash;
    return testBlock(`${this.#names++}`, parent.number + BigInt(action.up), parentHash, action.shape === 'rollback');
  }

  #truncate(from: number): void {
    this.naive.truncate(from);
    this.real.truncated(from);
  }

  #takeSnapshot(): void {
    const bytes = this.real.snapshot();
    expect(bytes === null).toBe(this.goHead === null);
    if (bytes === null) return;
    expect(prefixedHex(bytes)).toBe(prefixedHex(testSsz(this.goHead!)));
    this.snapshot = { index: this.naive.committed, block: this.goHead! };
  }

  #reopen(): void {
    const { committed } = this.naive;
    this.real = this.#create();
    if (this.snapshot !== null) this.real.restore(testSsz(this.snapshot.block), this.snapshot.index, 1);
    this.goHead = this.snapshot?.block ?? null;
    this.naive.reopen(this.snapshot?.block ?? null, this.snapshot?.index ?? 0);
    for (const entry of this.naive.log) this.real.appended(this.#summaryOf(entry));
    while (this.naive.committed < committed) this.#commitNext();
  }

  /** A leader's snapshot: of entries we hold uncommitted (then the rest stays), or beyond our log (then it goes). */
  #install(part: number): void {
    const { naive } = this;
    const open = naive.lastIndex - naive.committed;
    const index = naive.committed + 1 + Math.floor(part * (open + 3));
    for (const entry of naive.log) if (entry.index > naive.committed && entry.index <= index) this.#fold(entry.block);
    this.goHead ??= testBlock(`${this.#names++}`, 9n, new Uint8Array(32));
    const fits = index <= naive.lastIndex;
    expect(this.real.restore(testSsz(this.goHead), index, 1)).toBeNull();
    naive.restore(this.goHead, index);
    if (!fits) {
      if (part < 0.95) this.#truncate(naive.log[0]?.index ?? index + 1);
      this.real.compacted(index);
      naive.compact(index);
    }
    this.snapshot = { index, block: this.goHead };
  }

  check(): void {
    const { naive, real } = this;
    const name = (block: ChainBlock | null): string => (block === null ? 'none' : `${block.number} ${block.hash}`);
    const naiveName = (entry: NaiveEntry | null | undefined): string =>
      entry?.block ? `${entry.block.number} ${prefixedHex(entry.block.hash)}` : 'none';
    const committed = naive.state(naive.committed);
    expect(name(real.head())).toBe(
      this.goHead === null ? 'none' : `${this.goHead.number} ${prefixedHex(this.goHead.hash)}`,
    );
    expect(naiveName(committed.head)).toBe(name(real.head()));
    expect(name(real.tip())).toBe(naiveName(committed.tip));
    expect(name(real.pendingTip())).toBe(naiveName(naive.state(Infinity).tip));
    const chain = naive.chain(naive.committed).reverse();
    const blocks = real.chainFrom(0n, 1000);
    expect(blocks.map(name)).toEqual(chain.map(naiveName));
    for (const block of blocks) {
      expect(name(real.payloadAt(block.number))).toBe(name(block));
      const ssz = real.payloadOf(block);
      if (block.isInLog || [real.head()?.hash, real.tip()?.hash].includes(block.hash)) expect(ssz).not.toBeNull();
      if (ssz !== null) expect(prefixedHex(ssz.subarray(504, 536))).toBe(block.hash);
      expect(block.size).toBe(PAYLOAD_BYTES);
    }
    for (const offered of this.#offers()) {
      const answer = real.admit(offered);
      expect(asText(answer)).toBe(naive.admit(offered));
    }
    expect(real.pendingCount).toBe(
      naive.log.filter((entry) => entry.index > naive.committed && entry.block !== null).length,
    );
  }

  #offers(): BlockSummary[] {
    const held = this.naive.log.filter((entry) => entry.block !== null).map((entry) => entry.block!);
    const parents = [...held.slice(-4), ...(this.goHead === null ? [] : [this.goHead])];
    return parents.flatMap((block) => [
      block,
      testBlock('sibling', block.number, block.parentHash),
      testBlock('child', block.number + 1n, block.hash),
      testBlock('far', block.number + 4n, block.hash),
    ]);
  }
}

function asText(answer: ReturnType<UnsafeChain['admit']>): string {
  if (answer.kind === 'append') return 'append';
  if (answer.kind === 'gap') return `gap ${answer.steps}`;
  if (answer.kind === 'same') return `same ${answer.committed}`;
  return answer.reason === 'height-held' ? `height-held ${answer.held.hash} ${answer.held.committed}` : answer.reason;
}

test('head, tip, chain, admission and bytes agree with the model after every step', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 50 }), (steps) => {
      const pair = new Pair();
      for (const each of steps) {
        pair.run(each);
        pair.check();
      }
    }),
    { numRuns: 300 },
  );
});
