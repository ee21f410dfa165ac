/** Whole development sequencers in this process, on real sockets, beside a stand-in for their conductors. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDevNode } from './dev-node.ts';
import type { DevNode } from './dev-node.ts';
import { callRpc } from './json-rpc-client.ts';
import { serveJsonRpc } from './json-rpc-server.ts';
import type { JsonRpcServer } from './json-rpc-server.ts';

const WAIT_MS_MAX = 10_000;
const secret = new Uint8Array(32).fill(7);
const LOOK_EVERY_MS = 10;

interface Head {
  readonly number: number;
  readonly hash: string;
  readonly timestamp: number;
}

let folder = '';
let conductor: JsonRpcServer;
let commits: string[] = [];
let nodes: DevNode[] = [];
const now = (): number => Math.floor(Date.now() / 1000);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dev-node-'));
  commits = [];
  conductor = serveJsonRpc({
    hostname: '127.0.0.1',
    port: 0,
    delayMs: () => 0,
    methods: {
      conductor_leader: () => true,
      conductor_commitUnsafePayload: ([envelope]) => {
        commits.push((envelope as { executionPayload: { blockHash: string } }).executionPayload.blockHash);
      },
    },
  });
});

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
  await conductor.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface StartOptions {
  readonly peers?: readonly DevNode[];
  readonly hasConductor?: boolean;
}

async function start(name: string, genesisTime: number, options: StartOptions = {}): Promise<DevNode> {
  const { peers = [], hasConductor = true } = options;
  const node = await startDevNode({
    spec: { genesisTime, blockSeconds: 1, chainId: 901 },
    storePath: join(folder, `${name}.db`),
    hostname: '127.0.0.1',
    nodePort: 0,
    executionPort: 0,
    engine: { port: 0, secret },
    conductorUrl: hasConductor ? `http://127.0.0.1:${conductor.port}` : null,
    conductorTimeoutMs: 1_000,
    peerUrls: peers.map((peer) => `http://127.0.0.1:${peer.nodePort}`),
    transactionsPerBlock: 2,
    transactionBytes: 64,
    faults: {},
    log: () => undefined,
  });
  nodes.push(node);
  return node;
}

function call(node: DevNode, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const port = method.startsWith('eth_') ? node.executionPort : node.nodePort;
  return callRpc({ url: `http://127.0.0.1:${port}`, timeoutMs: 5_000 }, method, params);
}

async function head(node: DevNode): Promise<Head> {
  return ((await call(node, 'optimism_syncStatus')) as { unsafe_l2: Head }).unsafe_l2;
}

async function reach(node: DevNode, number: number): Promise<Head> {
  const deadline = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const seen = await head(node);
    if (seen.number >= number) return seen;
    if (performance.now() > deadline) throw new Error(`stayed at block ${seen.number}, wanted ${number}`);
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

async function sequence(node: DevNode): Promise<void> {
  await call(node, 'admin_startSequencer', [(await head(node)).hash]);
}

describe('a development sequencer', () => {
  it('commits, then publishes every block, and fills the slots since genesis', async () => {
    const node = await start('a', now() - 20);
    await sequence(node);
    const { number } = await reach(node, 20);
    await call(node, 'admin_stopSequencer');
    const published = (await call(node, 'dev_published')) as Head[];
    expect(published.slice(0, number).map((block) => block.hash)).toEqual(commits.slice(0, number));
    expect(published.map((block) => block.number)).toEqual(published.map((_, at) => at + 1));
  });

  it('without a conductor asks nobody, says so, and finds its chain again when one is enabled', async () => {
    const genesisTime = now() - 5;
    const node = await start('a', genesisTime, { hasConductor: false });
    expect(await call(node, 'admin_conductorEnabled')).toBe(false);
    await sequence(node);
    await reach(node, 5);
    const hash = await call(node, 'admin_stopSequencer');
    expect(commits).toEqual([]);
    await node.stop();
    nodes = [];
    const again = await start('a', genesisTime);
    expect(await call(again, 'admin_conductorEnabled')).toBe(true);
    expect((await head(again)).hash).toBe(hash);
  });

  it('does not fill the slots of a long sleep, but goes on from now', async () => {
    const node = await start('a', now() - 100_000);
    await sequence(node);
    const seen = await reach(node, 1);
    expect(Math.abs(seen.timestamp - now())).toBeLessThanOrEqual(3);
    expect(seen.number).toBeLessThan(10);
  });

  it('comes back with its chain, stopped', async () => {
    const genesisTime = now() - 5;
    const node = await start('a', genesisTime);
    await sequence(node);
    await reach(node, 5);
    const hash = await call(node, 'admin_stopSequencer');
    await node.stop();
    nodes = [];
    const again = await start('a', genesisTime);
    expect((await head(again)).hash).toBe(hash);
    expect(await call(again, 'admin_sequencerActive')).toBe(false);
  });

  it('fetches what it missed from a peer, and counts the peer', async () => {
    const genesisTime = now() - 200;
    const first = await start('a', genesisTime);
    await sequence(first);
    await reach(first, 200);
    await call(first, 'admin_stopSequencer');
    const { number, hash } = await head(first);
    const second = await start('b', genesisTime, { peers: [first] });
    expect((await reach(second, number)).hash).toBe(hash);
    expect(await call(second, 'opp2p_peerStats')).toMatchObject({ connected: 1, blocksTopicV4: 1 });
    await call(second, 'dev_unhealthy', [true]);
    expect(await call(second, 'opp2p_peerStats')).toMatchObject({ connected: 0 });
  });

  it('tells nobody of a block whose gossip is dropped until a later one is sent', async () => {
    const genesisTime = now() - 10;
    const follower = await start('b', genesisTime);
    const leader = await start('a', genesisTime, { peers: [follower] });
    await call(leader, 'dev_dropGossip', [-1]);
    await sequence(leader);
    await reach(leader, 10);
    expect(await call(leader, 'dev_peerStatus')).toMatchObject({ number: 0 });
    expect(await call(leader, 'dev_blocks', ['0x1', '0x5'])).toEqual([]);
    expect((await head(follower)).number).toBe(0);
    await call(leader, 'dev_dropGossip', [0]);
    const { number } = await head(leader);
    await reach(leader, number + 1);
    await call(leader, 'admin_stopSequencer');
    expect(await call(leader, 'dev_blocks', ['0x1', '0x5'])).toHaveLength(5);
  });

  it('stalls and rewinds on demand, and refuses nonsense with a sentence', async () => {
    const node = await start('a', now() - 10);
    await sequence(node);
    await reach(node, 10);
    await call(node, 'dev_stallHead');
    expect(await call(node, 'dev_faults')).toMatchObject({ isHeadStalled: true });
    await call(node, 'admin_stopSequencer');
    await call(node, 'dev_rewindHead', [4]);
    expect((await head(node)).number).toBe(4);
    expect(await call(node, 'eth_getBlockByNumber', ['0x5', false])).toBeNull();
    await expect(call(node, 'dev_rewindHead', [9])).rejects.toThrow('there is no block 9 at or below the head 4');
    await expect(call(node, 'dev_slow', ['x'])).rejects.toThrow('want a number from 0 to 60000');
    await expect(call(node, 'eth_getBlockByNumber', ['first'])).rejects.toThrow('invalid argument 0');
    await expect(call(node, 'eth_getBlockByHash', ['0x12'])).rejects.toThrow('32-byte hash');
    await expect(call(node, 'optimism_outputAtBlock', ['0xffff'])).rejects.toThrow('could not get payload: not found');
  });
});
