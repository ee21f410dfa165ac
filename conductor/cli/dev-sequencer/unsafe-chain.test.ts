import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildNextBlock, genesisBlock } from './block.ts';
import type { DevBlock } from './block.ts';
import { openBlockStore } from './block-store.ts';
import { noFaults } from './faults.ts';
import { UnsafeChain } from './unsafe-chain.ts';

const spec = { genesisTime: 1_800_000_000, blockSeconds: 1, chainId: 901 };
const content = { transactionsPerBlock: 1, transactionBytes: 32 };
const genesis = genesisBlock(spec);

function blocks(count: number, parent: DevBlock = genesis): DevBlock[] {
  const made: DevBlock[] = [];
  for (let on = parent; made.length < count; on = made.at(-1) ?? parent) {
    made.push(buildNextBlock(on, on.timestamp + 1, content));
  }
  return made;
}

function setUp() {
  vi.useFakeTimers();
  const faults = noFaults();
  const dropped: unknown[] = [];
  const store = openBlockStore(':memory:', genesis);
  const chain = new UnsafeChain({ store, genesis, faults, log: (_level, _message, fields) => dropped.push(fields) });
  return { chain, faults, store, dropped };
}

afterEach(() => vi.useRealTimers());

describe('the unsafe chain', () => {
  it('inserts a posted payload some time after it was taken in, not at once', () => {
    const { chain } = setUp();
    const [one] = blocks(1) as [DevBlock];
    chain.post(one);
    expect(chain.head).toEqual(genesis);
    vi.runAllTimers();
    expect(chain.head.hash).toBe(one.hash);
  });

  it('keeps what comes early until the missing block arrives, in any order', () => {
    const { chain } = setUp();
    const [one, two, three] = blocks(3) as [DevBlock, DevBlock, DevBlock];
    chain.post(three);
    chain.post(two);
    vi.runAllTimers();
    expect(chain.head.number).toBe(0);
    expect(chain.lowestWaiting).toBe(2);
    chain.post(one);
    vi.runAllTimers();
    expect(chain.head.hash).toBe(three.hash);
    expect(chain.lowestWaiting).toBeNull();
  });

  it('drops what does not extend the head, and goes on with what does', () => {
    const { chain, dropped } = setUp();
    const [one, two] = blocks(2) as [DevBlock, DevBlock];
    const [other] = blocks(1) as [DevBlock];
    const [onOther] = blocks(1, other) as [DevBlock];
    for (const block of [one, other, onOther, two]) chain.post(block);
    vi.runAllTimers();
    expect(chain.head.hash).toBe(two.hash);
    expect(dropped).toMatchObject([{ hash: onOther.hash }]);
  });

  it('holds everything while the head is stalled, and catches up after', () => {
    const { chain, faults } = setUp();
    const [one] = blocks(1) as [DevBlock];
    faults.isHeadStalled = true;
    chain.post(one);
    vi.advanceTimersByTime(1_000);
    expect(chain.head.number).toBe(0);
    faults.isHeadStalled = false;
    vi.advanceTimersByTime(1_000);
    expect(chain.head.number).toBe(1);
  });

  it('bounds what waits, forgetting the highest first', () => {
    const { chain } = setUp();
    const made = blocks(1_100);
    for (const block of made.slice(1)) chain.post(block);
    chain.post(made[0] as DevBlock);
    vi.runAllTimers();
    expect(chain.head.number).toBe(1_024);
  });

  it('rewinds to a lower block and takes another branch from there', () => {
    const { chain, store } = setUp();
    const [one, two] = blocks(2) as [DevBlock, DevBlock];
    chain.insert(one);
    chain.insert(two);
    expect(chain.rewind(5)).toBe(false);
    expect(chain.rewind(1)).toBe(true);
    expect(store.byHash(two.hash)).toBeNull();
    const [other] = blocks(1, one) as [DevBlock];
    expect(chain.insert(other)).toBe(true);
    expect(store.head()).toEqual(other);
  });
});
