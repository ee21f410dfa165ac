import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildNextBlock, genesisBlock, transactionCount } from './block.ts';
import type { DevBlock } from './block.ts';
import { BlockProducer } from './block-producer.ts';
import { openBlockStore } from './block-store.ts';
import { EngineLink } from './engine-link.ts';
import { ExecutionClient } from './execution-client.ts';
import { noFaults } from './faults.ts';
import { PayloadBuilder } from './payload-builder.ts';
import { UnsafeChain } from './unsafe-chain.ts';

const spec = { genesisTime: 1_800_000_000, blockSeconds: 1, chainId: 901 };
const genesis = genesisBlock(spec);

function setUp() {
  const faults = noFaults();
  const store = openBlockStore(':memory:', genesis);
  const log = (): void => undefined;
  const client = new ExecutionClient({ store, genesis, faults, log });
  const engine = new EngineLink(client, faults);
  const chain = new UnsafeChain({ engine, head: client.head, faults, log });
  const builder = new PayloadBuilder({
    engine,
    faults,
    slot: ({ timestamp }) => ({ dueMs: (timestamp + 1) * 1000, timestamp: timestamp + 1 }),
    build: (parent, timestamp, isRecovering) =>
      buildNextBlock(parent, timestamp, { transactionsPerBlock: isRecovering ? 1 : 2, transactionBytes: 32 }),
  });
  const commits: DevBlock[] = [];
  const published: DevBlock[] = [];
  const conductor = {
    leads: true,
    accepts: true,
    isLeader: () => Promise.resolve(conductor.leads),
    commit: (block: DevBlock) => {
      commits.push(block);
      return conductor.accepts ? Promise.resolve() : Promise.reject(new Error('node is not the leader'));
    },
  };
  const producer = new BlockProducer({
    chain,
    conductor,
    faults,
    log,
    builder,
    blockMs: 1_000,
    publish: (block) => {
      expect(chain.head.hash).toBe(block.parentHash);
      published.push(block);
    },
  });
  return { builder, chain, client, faults, conductor, commits, published, producer };
}

/** Hash of the client's own block at a height. */
function hashAt(client: ExecutionClient, number: number): string {
  let block = client.head;
  while (block.number > number) block = client.byHash(block.parentHash) as DevBlock;
  return block.hash;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(spec.genesisTime * 1000);
});
afterEach(() => vi.useRealTimers());

describe('the sequencing loop', () => {
  it('makes one block per slot, sealed before its time, published before it is inserted', async () => {
    const { chain, producer, published } = setUp();
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(940);
    expect(chain.head.number).toBe(0);
    await vi.advanceTimersByTimeAsync(3_060);
    expect(chain.head.number).toBe(4);
    expect(published.map((block) => block.number)).toEqual([1, 2, 3, 4]);
  });

  it('fills the slots it missed without waiting', async () => {
    const { chain, producer } = setUp();
    vi.setSystemTime((spec.genesisTime + 20) * 1000);
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(100);
    expect(chain.head.number).toBe(20);
  });

  it('repeats a refused commit of the very same block every second, publishing nothing', async () => {
    const { chain, commits, conductor, producer, published } = setUp();
    conductor.accepts = false;
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(commits.length).toBe(4);
    expect(new Set(commits.map((block) => block.hash)).size).toBe(1);
    expect(published).toEqual([]);
    conductor.accepts = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(chain.head.number).toBeGreaterThanOrEqual(1);
    expect(published[0]?.hash).toBe(commits[0]?.hash);
  });

  it('drops its job when another block takes its place, and builds on that', async () => {
    const { chain, commits, conductor, producer } = setUp();
    conductor.accepts = false;
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(1_500);
    const other = buildNextBlock(genesis, genesis.timestamp + 1, { transactionsPerBlock: 1, transactionBytes: 32 });
    chain.post(other);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(commits.at(-1)?.parentHash).toBe(other.hash);
  });

  it.each([
    ['its conductor does not lead', { leads: false }, genesis.hash, 'sequencer is not the leader, aborting'],
    [
      'the hash is not the head',
      {},
      `0x${'00'.repeat(32)}`,
      `block hash does not match: head ${genesis.hash}:0, received 0x${'00'.repeat(32)}`,
    ],
  ])('does not start when %s', async (_why, changes, hash, message) => {
    const { conductor, producer } = setUp();
    Object.assign(conductor, changes);
    await expect(producer.start(hash)).rejects.toThrow(message);
    expect(producer.isActive).toBe(false);
  });

  it('neither starts nor stops twice', async () => {
    const { producer } = setUp();
    await expect(producer.stop()).rejects.toThrow('sequencer not running');
    await producer.start(genesis.hash);
    await expect(producer.start(genesis.hash)).rejects.toThrow('sequencer already running');
    expect(await producer.stop()).toBe(genesis.hash);
    await expect(producer.stop()).rejects.toThrow('sequencer not running');
  });

  it('finishes the commit under way before it stops, and returns that block', async () => {
    const { chain, conductor, producer, published } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    conductor.commit = () => promise;
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(1_000);
    const stopped = producer.stop();
    resolve();
    expect(await stopped).toBe(chain.head.hash);
    expect(published).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(chain.head.number).toBe(1);
  });

  it('can be made to fail one stop, and to stall', async () => {
    const { chain, faults, producer } = setUp();
    await producer.start(genesis.hash);
    faults.failsNextStop = true;
    await expect(producer.stop()).rejects.toThrow('injected');
    expect(producer.isActive).toBe(true);
    faults.isHeadStalled = true;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(chain.head.number).toBe(0);
  });

  it('asks no conductor once it is told to override', async () => {
    const { chain, commits, conductor, producer } = setUp();
    conductor.leads = false;
    producer.ignoreConductor();
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(chain.head.number).toBe(2);
    expect(commits).toEqual([]);
  });

  it('commits and publishes an invalid block, drops it, and one block time later builds another on its parent', async () => {
    const { chain, client, commits, faults, producer, published } = setUp();
    faults.invalidSealsLeft = 1;
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(chain.head.number).toBe(0);
    expect(client.badBlocks).toMatchObject([{ block: { hash: commits[0]?.hash }, reason: 'invalid merkle root' }]);
    expect(published.map((block) => block.hash)).toEqual([commits[0]?.hash]);
    await vi.advanceTimersByTimeAsync(900);
    expect(commits).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(commits[1]).toMatchObject({ number: 1, parentHash: genesis.hash });
    expect(chain.head.number).toBeGreaterThanOrEqual(1);
  });

  it('a sticky builder gives the same bad block for the same job, also after a stop and a start; recover mode is another job', async () => {
    const { builder, chain, commits, faults, producer } = setUp();
    faults.invalidSealKind = 'sticky';
    faults.invalidSealsLeft = 1;
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(3_500);
    await producer.stop();
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(commits.length).toBeGreaterThanOrEqual(4);
    expect(new Set(commits.map((block) => block.hash)).size).toBe(1);
    expect(chain.head.number).toBe(0);
    builder.isRecovering = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(chain.head.number).toBeGreaterThanOrEqual(1);
    expect(transactionCount(chain.head)).toBe(1);
  });

  it('only full blocks can be made bad: recover mode goes on', async () => {
    const { builder, chain, commits, faults, producer } = setUp();
    faults.invalidSealKind = 'full';
    faults.invalidSealsLeft = Infinity;
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(chain.head.number).toBe(0);
    builder.isRecovering = true;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(chain.head.number).toBeGreaterThanOrEqual(2);
    expect(commits.at(-1)?.hash).toBe(chain.head.hash);
  });

  it('seals the same job again after a failed commit: a builder that is bad once is cured by that', async () => {
    const { chain, commits, conductor, faults, producer } = setUp();
    faults.invalidSealsLeft = 1;
    conductor.accepts = false;
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(new Set(commits.map((block) => block.hash)).size).toBe(2);
    conductor.accepts = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(chain.head.number).toBeGreaterThanOrEqual(1);
  });

  it('is parked for half a minute by a client that does not know the head, and active all the while', async () => {
    const { chain, client, producer } = setUp();
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(3_500);
    const lost = chain.head;
    const payloads = [1, 2, 3].map((number) => client.byHash(hashAt(client, number)) as DevBlock);
    client.loseBlocks(2);
    await vi.advanceTimersByTimeAsync(2_000);
    const { number } = chain.head;
    expect(number - lost.number).toBeLessThanOrEqual(1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([chain.head.number, producer.isActive]).toEqual([number, true]);
    for (const payload of payloads) await client.newPayload(payload);
    await producer.stop();
    await producer.start(chain.head.hash);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(chain.head.number).toBeGreaterThan(number);
  });

  it('publishes a block only once when the client does not judge it at first', async () => {
    const { chain, faults, producer, published } = setUp();
    await producer.start(genesis.hash);
    await vi.advanceTimersByTimeAsync(500);
    faults.execution = 'syncing';
    await vi.advanceTimersByTimeAsync(5_000);
    expect([published.length, chain.head.number]).toEqual([1, 0]);
    faults.execution = 'up';
    await vi.advanceTimersByTimeAsync(1_000);
    expect(chain.head.number).toBeGreaterThanOrEqual(1);
    expect(new Set(published.map((block) => block.number)).size).toBe(published.length);
  });
});
