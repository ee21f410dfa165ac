import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildNextBlock, genesisBlock, spoilt } from './block.ts';
import type { DevBlock } from './block.ts';
import { openBlockStore } from './block-store.ts';
import { EngineLink } from './engine-link.ts';
import { ExecutionClient } from './execution-client.ts';
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
  const client = new ExecutionClient({ store, genesis, faults, log: () => undefined });
  const engine = new EngineLink(client, faults);
  const log = (_level: string, _message: string, fields: unknown): unknown => dropped.push(fields);
  const chain = new UnsafeChain({ engine, head: client.head, faults, log });
  return { chain, client, faults, store, dropped };
}

afterEach(() => vi.useRealTimers());

describe('the unsafe chain', () => {
  it('inserts a posted payload some time after it was taken in, not at once', async () => {
    const { chain } = setUp();
    const [one] = blocks(1) as [DevBlock];
    chain.post(one);
    expect(chain.head).toEqual(genesis);
    await vi.runAllTimersAsync();
    expect(chain.head.hash).toBe(one.hash);
  });

  it('keeps what comes early until the missing block arrives, in any order', async () => {
    const { chain } = setUp();
    const [one, two, three] = blocks(3) as [DevBlock, DevBlock, DevBlock];
    chain.post(three);
    chain.post(two);
    await vi.runAllTimersAsync();
    expect(chain.head.number).toBe(0);
    expect(chain.lowestWaiting).toBe(2);
    chain.post(one);
    await vi.runAllTimersAsync();
    expect(chain.head.hash).toBe(three.hash);
    expect(chain.lowestWaiting).toBeNull();
  });

  it('drops what does not extend the head, and goes on with what does', async () => {
    const { chain, dropped } = setUp();
    const [one, two] = blocks(2) as [DevBlock, DevBlock];
    const [other] = blocks(1) as [DevBlock];
    const [onOther] = blocks(1, other) as [DevBlock];
    for (const block of [one, other, onOther, two]) chain.post(block);
    await vi.runAllTimersAsync();
    expect(chain.head.hash).toBe(two.hash);
    expect(dropped).toMatchObject([{ hash: onOther.hash }]);
  });

  it('holds everything while the head is stalled, and catches up after', async () => {
    const { chain, faults } = setUp();
    const [one] = blocks(1) as [DevBlock];
    faults.isHeadStalled = true;
    chain.post(one);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(chain.head.number).toBe(0);
    faults.isHeadStalled = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(chain.head.number).toBe(1);
  });

  it('bounds what waits, forgetting the highest first', async () => {
    const { chain } = setUp();
    const made = blocks(1_100);
    for (const block of made.slice(1)) chain.post(block);
    chain.post(made[0] as DevBlock);
    await vi.runAllTimersAsync();
    expect(chain.head.number).toBe(1_024);
  });

  it('rewinds to a lower block and takes another branch from there', async () => {
    const { chain, client, store } = setUp();
    const [one, two] = blocks(2) as [DevBlock, DevBlock];
    await chain.insert(one);
    await chain.insert(two);
    expect(await chain.rewind(store.byNumber(5))).toBe(false);
    expect(await chain.rewind(store.byNumber(1))).toBe(true);
    expect(store.byHash(two.hash)).toBeNull();
    expect(client.byHash(two.hash)).toEqual(two);
    const [other] = blocks(1, one) as [DevBlock];
    expect(await chain.insert(other)).toBe('inserted');
    expect(store.head()).toEqual(other);
  });

  it('does not take what the execution client refuses, and says why', async () => {
    const { chain, dropped } = setUp();
    const [one] = blocks(1) as [DevBlock];
    const bad = spoilt(one);
    chain.post(bad);
    await vi.runAllTimersAsync();
    expect(chain.head.number).toBe(0);
    expect(dropped).toMatchObject([{ hash: bad.hash, err: 'invalid merkle root' }]);
    chain.post(one);
    await vi.runAllTimersAsync();
    expect(chain.head.hash).toBe(one.hash);
  });

  it('never follows again when its client lost the head, until the blocks are given back', async () => {
    const { chain, client } = setUp();
    const [one, two, three] = blocks(3) as [DevBlock, DevBlock, DevBlock];
    for (const block of [one, two]) await chain.insert(block);
    client.loseBlocks(2);
    chain.post(three);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([chain.head.number, client.head.number, chain.lowestWaiting]).toEqual([2, 0, 3]);
    for (const block of [one, two]) expect(await client.newPayload(block)).toMatchObject({ status: 'VALID' });
    expect(client.head.number).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([chain.head.hash, client.head.hash]).toEqual([three.hash, three.hash]);
  });

  it('a reset starts over from the head of the client', async () => {
    const { chain, client } = setUp();
    const [one, two] = blocks(2) as [DevBlock, DevBlock];
    for (const block of [one, two]) await chain.insert(block);
    client.loseBlocks(1);
    expect(chain.head.hash).toBe(two.hash);
    await chain.reset();
    expect(chain.head.hash).toBe(one.hash);
  });

  it('remembers where its heads were, whatever its client has lost', async () => {
    const { chain, client } = setUp();
    const made = blocks(5);
    for (const block of made) await chain.insert(block);
    client.loseBlocks(5);
    expect(chain.latestUntil(made[2]!.timestamp)).toMatchObject({ hash: made[2]!.hash });
    expect(chain.latestUntil(genesis.timestamp - 1)).toBeNull();
  });

  it('waits for a client that is frozen, goes on when it is back, and gives up one that is down', async () => {
    const { chain, faults, dropped } = setUp();
    const [one, two] = blocks(2) as [DevBlock, DevBlock];
    faults.execution = 'frozen';
    const waiting = chain.insert(one);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(chain.head.number).toBe(0);
    faults.execution = 'up';
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toBe('inserted');
    faults.execution = 'down';
    expect(await chain.insert(two)).toBe('unjudged');
    expect(String((dropped[0] as { err: Error }).err)).toContain('connection refused');
  });
});
