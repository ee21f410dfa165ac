import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withOwnHash } from '#conductor/core/payload/header-hash';
import type { Values } from '#conductor/host/settings/config-values';
import type { RunConfig } from '#conductor/host/settings/flags-config';
import type { Answer } from '../rpc-endpoint.ts';
import { votersOf } from '../store/testing/stores.ts';
import { ask, type Asked } from './asked.ts';
import { checkClocks } from './clock-check.ts';
import { checkConductor } from './conductor-check.ts';
import { checkExecution } from './execution-check.ts';
import { checkExposure } from './exposure-check.ts';
import type { Finding } from './finding.ts';
import { checkNames } from './name-check.ts';
import { checkNode } from './node-check.ts';
import { checkStanding } from './standing-check.ts';
import type { Subject } from './subject.ts';

const nowMs = 1_800_000_000_000;

/** A server that answers with these results; it does not know the methods whose result is undefined. */
function asked(results: Readonly<Record<string, unknown>>, more: Partial<Asked> = {}): Asked {
  const answers = Object.entries(results).map(([method, result]): [string, Answer] => [
    method,
    result === undefined ? { kind: 'unknown', message: 'the method does not exist' } : { kind: 'result', result },
  ]);
  return { url: 'http://127.0.0.1:1', why: '', answers: new Map(answers), clockAheadMs: 0, ...more };
}

const silent: Asked = { url: 'http://127.0.0.1:1', why: 'connection refused', answers: new Map(), clockAheadMs: null };

const wellNode = {
  optimism_syncStatus: {
    unsafe_l2: { number: 100, timestamp: nowMs / 1000 - 1 },
    head_l1: { timestamp: nowMs / 1000 - 9 },
  },
  admin_sequencerActive: true,
  admin_conductorEnabled: true,
  opp2p_peerStats: { connected: 5 },
  optimism_rollupConfig: { block_time: 2, l2_chain_id: 901 },
};
const wellConductor = {
  health_status: 'v0.1.0',
  conductor_leader: true,
  conductor_leaderWithID: { id: 'n1', addr: '127.0.0.1:1' },
  conductor_paused: false,
  conductor_stopped: false,
  conductor_sequencerHealthy: true,
  conductor_leaderOverridden: false,
  conductor_clusterMembership: { servers: [], version: 1 },
};
const wellExecution = {
  eth_chainId: '0x385',
  eth_syncing: false,
  eth_getBlockByNumber: { number: '0x64' },
};

const health = { unsafeIntervalSeconds: 5, minPeerCount: 2, executionPeers: null };
const config = {
  health,
  serverId: 'n1',
  tls: null,
  auth: null,
  isAdminEnabled: true,
  rpc: { hostname: '127.0.0.1', port: 8545 },
  consensus: { hostname: '127.0.0.1', port: 1, advertised: '127.0.0.1:1' },
} as unknown as RunConfig;

const subject = (more: Partial<Subject> = {}): Subject => ({
  values: null,
  config,
  blockSeconds: 2,
  conductor: asked(wellConductor),
  node: asked(wellNode),
  execution: asked(wellExecution),
  nodeEnvironment: null,
  ...more,
});

const lines = (findings: readonly Finding[]): string[] => findings.map(({ verdict, says }) => `${verdict}: ${says}`);
const troubles = (findings: readonly Finding[]): string[] =>
  lines(findings).filter((line) => !line.startsWith('good') && !line.startsWith('unseen'));

describe('op-node', () => {
  const check = (node: Asked, more: Partial<Subject> = {}) => troubles(checkNode(subject({ node, ...more }), nowMs));

  test('nothing is said against one that is well', () => {
    expect(check(asked(wellNode))).toEqual([]);
  });

  test.each([
    [{ admin_conductorEnabled: false }, /bad: it has no conductor enabled/],
    [{ admin_conductorEnabled: undefined }, /bad: it does not answer admin_conductorEnabled/],
    [{ admin_sequencerActive: undefined }, /bad: it does not answer admin_sequencerActive/],
    [{ admin_sequencerActive: false }, /bad: this conductor leads, and its sequencer is stopped/],
    [{ opp2p_peerStats: { connected: 1 } }, /bad: it has 1 peer, .*unhealthy/],
    [{ opp2p_peerStats: { connected: 2 } }, /warning: it has 2 peers.*one peer less/],
    [{ opp2p_peerStats: undefined }, /bad: opp2p_peerStats tells no number/],
    [{ optimism_rollupConfig: { block_time: 1 } }, /bad: its blocks come every 1 s.*every 2 s/],
    [
      { optimism_rollupConfig: { block_time: 2, l2_chain_id: 902 } },
      /bad: it is on chain 902, and the execution client on 901/,
    ],
    [{ optimism_syncStatus: null }, /bad: optimism_syncStatus tells no unsafe head/],
  ])('%j', (change, expected) => {
    const found = check(asked({ ...wellNode, ...change }));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });

  test('a kona-node is told by what it says of its heads', () => {
    const status = { ...wellNode.optimism_syncStatus, local_safe_l2: {} };
    expect(check(asked({ ...wellNode, optimism_syncStatus: status }))).toEqual([
      expect.stringMatching(/^warning: it is no op-node.*kona-node/),
    ]);
    expect(check(asked({ ...wellNode, optimism_syncStatus: { ...status, pending_safe_l2: {} } }))).toEqual([]);
  });

  test('a sequencer that is active beside a follower', () => {
    const conductor = asked({ ...wellConductor, conductor_leader: false });
    expect(check(asked(wellNode), { conductor })).toEqual([
      expect.stringMatching(/bad: its sequencer is active, and this conductor follows n1: it is the op-node of n1, or/),
    ]);
    const other = asked({ ...wellConductor, conductor_leader: false, conductor_leaderWithID: { id: '', addr: '' } });
    expect(check(asked(wellNode), { conductor: other })).toEqual([
      expect.stringMatching(/blocks are made that nobody/),
    ]);
    expect(check(silent)).toEqual([expect.stringMatching(/bad: it does not answer: connection refused/)]);
  });

  test('what no RPC tells is read in its environment', () => {
    const good = {
      OP_NODE_SEQUENCER_ENABLED: 'true',
      OP_NODE_CONDUCTOR_ENABLED: 'TRUE',
      OP_NODE_RPC_ENABLE_ADMIN: '1',
      OP_NODE_CONDUCTOR_RPC: 'http://conductor:1',
    };
    const env = (nodeEnvironment: Record<string, string>) => check(asked(wellNode), { nodeEnvironment });
    expect(env(good)).toEqual([]);
    expect(env({ ...good, OP_NODE_RPC_ADMIN_STATE: '/data/state.json' })).toEqual([
      expect.stringMatching(/bad: OP_NODE_RPC_ADMIN_STATE is \/data/),
    ]);
    expect(env({ ...good, OP_NODE_CONDUCTOR_ENABLED: 'false', OP_NODE_CONDUCTOR_RPC: 'http://conductor:2' })).toEqual([
      expect.stringMatching(/OP_NODE_CONDUCTOR_ENABLED/),
      expect.stringMatching(/has port 2, and this conductor listens on 1/),
    ]);
  });
});

describe('the execution client', () => {
  const check = (change: Readonly<Record<string, unknown>>, more: Partial<Subject> = {}) =>
    troubles(checkExecution(subject({ execution: asked({ ...wellExecution, ...change }), ...more })));

  test('a header that leaves out a field hashes to another block', () => {
    const word = (digits: string): string => `0x${digits.repeat(32)}`;
    const fields = {
      parentHash: word('11'),
      sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
      miner: `0x${'22'.repeat(20)}`,
      ...{ stateRoot: word('33'), transactionsRoot: word('44'), receiptsRoot: word('55') },
      logsBloom: `0x${'00'.repeat(256)}`,
      ...{ difficulty: '0x0', number: '0x64', gasLimit: '0x1', gasUsed: '0x1', timestamp: '0x1' },
      ...{ extraData: '0x', mixHash: word('66'), nonce: `0x${'00'.repeat(8)}`, baseFeePerGas: '0x1' },
      ...{ withdrawalsRoot: word('77'), blobGasUsed: '0x0', excessBlobGas: '0x0', parentBeaconBlockRoot: word('88') },
    };
    const whole = withOwnHash({ ...fields, requestsHash: word('99') }) as { readonly hash: string };
    expect(check({ eth_getBlockByNumber: whole })).toEqual([]);
    expect(check({ eth_getBlockByNumber: { ...fields, hash: whole.hash } })).toEqual([
      expect.stringMatching(/^bad: it tells block 100 as 0x.* hashes to 0x.* another branch$/),
    ]);
    expect(check({ eth_getBlockByNumber: { number: '0x64', hash: whole.hash } })).toEqual([
      expect.stringContaining('cannot be hashed'),
    ]);
  });

  test('is well, syncs, lags, is none, or has too few peers', () => {
    expect(check({})).toEqual([]);
    expect(check({ eth_syncing: { currentBlock: '0x1' } })).toEqual([expect.stringMatching(/warning: it is syncing/)]);
    expect(check({ eth_getBlockByNumber: { number: '0x1' } })).toEqual([
      expect.stringMatching(/bad: its head is block 1, and that of op-node is 100/),
    ]);
    expect(check({ eth_getBlockByNumber: null })).toEqual([expect.stringMatching(/bad: it tells no latest block/)]);
  });

  test('an op-reth whose head has not moved since its start is idle, one whose stages differ syncs, and an op-geth that indexes does not', () => {
    /** As op-reth answers: it names its head twice, and its stages (reth v2, rpc-eth-api/src/helpers/spec.rs). */
    const reth = (...stages: readonly string[]) => ({
      startingBlock: '0x0',
      currentBlock: '0x64',
      highestBlock: '0x64',
      warpChunksAmount: null,
      warpChunksProcessed: null,
      stages: ['Headers', 'Bodies', 'SenderRecovery', 'Execution', 'Finish'].map((name, at) => ({
        name,
        block: stages[at] ?? '0x64',
      })),
    });
    expect(check({ eth_syncing: reth() })).toEqual([]);
    for (const syncing of [reth('0x65'), reth('0x64', '0x64', '0x64', '0x60', '0x60')])
      expect(check({ eth_syncing: syncing })).toEqual([expect.stringMatching(/warning: it is syncing/)]);
    const indexing = { currentBlock: '0x64', highestBlock: '0x64', txIndexRemainingBlocks: '0x3' };
    expect(check({ eth_syncing: indexing })).toEqual([]);
    const behind = { eth_syncing: reth(), eth_getBlockByNumber: { number: '0x1' } };
    expect(check(behind)).toEqual([expect.stringMatching(/bad: its head is block 1, and that of op-node is 100/)]);
  });
});

test('the conductor: who leads, what is overridden, paused, stopped or unhealthy', () => {
  const check = (change: Readonly<Record<string, unknown>>) =>
    troubles(checkConductor(subject({ conductor: asked({ ...wellConductor, ...change }) })));
  expect(check({})).toEqual([]);
  expect(check({ conductor_leaderOverridden: true })).toEqual([
    expect.stringMatching(/warning: its leadership is overridden/),
  ]);
  const overridden = asked({ ...wellConductor, conductor_leaderOverridden: true });
  expect(checkConductor(subject({ conductor: overridden })).map(({ advice }) => advice)).toContainEqual(
    expect.stringMatching(/restart its op-node.*then end it/),
  );
  expect(check({ conductor_paused: true })).toEqual([expect.stringMatching(/warning: it is paused/)]);
  expect(check({ conductor_stopped: true })).toEqual([expect.stringMatching(/bad: it is stopped/)]);
  // One that goes on without acting, as op-conductor after conductor_stop: what else builds is seen by the tool alone.
  const stopped = asked({ ...wellConductor, conductor_stopped: true });
  expect(checkConductor(subject({ conductor: stopped })).map(({ advice }) => advice)).toContainEqual(
    expect.stringMatching(/^conductor status says how it may be started again: with --paused/),
  );
  expect(check({ conductor_sequencerHealthy: false })).toEqual([expect.stringMatching(/bad: it calls its sequencer/)]);
  expect(check({ conductor_leader: false, conductor_leaderWithID: { id: '' } })).toEqual([
    expect.stringMatching(/bad: it knows no leader/),
  ]);
  expect(check({ conductor_leader: undefined })).toEqual([
    expect.stringMatching(/bad: what answers at 127.0.0.1:1 is no conductor/),
  ]);
});

test('nodes and log: who is against the newest committed block, or has lost it, and what to do', () => {
  const block = (number: number) => ({ number, hash: `0x${String(number).padStart(64, '0')}` });
  const node = { id: 'n1', ageMs: 300, node: block(100), client: block(100), safe: 90, verdict: 'holds', says: [] };
  const check = (own: object, disputed: object[] = []) =>
    checkStanding(
      subject({
        conductor: asked({
          ...wellConductor,
          conductor_clusterNodes: { committed: block(100), nodes: [{ ...node, ...own }], disputed, givenUp: null },
        }),
      }),
    );
  expect(lines(check({}))).toEqual([
    expect.stringMatching(/^good: nothing speaks against block 100 .* by the word of 1 node$/),
  ]);
  expect(lines(check({ verdict: 'notTaken' }))).toEqual([
    expect.stringMatching(/^bad: the node of n1 is against .*: notTaken/),
  ]);
  expect(check({ verdict: 'notTaken' })[0]?.advice).toContain('restart this client');
  expect(lines(check({ client: block(50) }))).toEqual([
    'warning: the execution client of n1 is 50 blocks behind what is committed, at 50, below its op-node at 100',
  ]);
  expect(lines(check({}, [{ ...block(100), proved: false, why: 'n2 is not heard' }]))).toEqual([
    expect.stringMatching(/^bad: not all nodes take a committed block: n2 is not heard/),
  ]);
  const [forbidden] = check({}, [{ ...block(100), proved: false, forbidden: true, why: 'it is proved (left, by n1)' }]);
  expect(forbidden).toMatchObject({
    says: 'it is proved (left, by n1)',
    advice: expect.stringContaining('gives it up'),
  });
  expect(checkStanding(subject())).toEqual([]);
});

test('clocks: of the processes it talks to, of the peers, and blocks from the future', () => {
  const check = (ahead: number, peers: Asked[] = []) =>
    troubles(checkClocks(subject({ node: asked(wellNode, { clockAheadMs: ahead }) }), peers, nowMs));
  expect(check(900)).toEqual([]);
  expect(check(-3000)).toEqual([expect.stringMatching(/warning: the clock of 127.0.0.1:1 is 3.0 s behind/)]);
  expect(check(0, [asked({}, { url: 'http://user:secret@peer:2', clockAheadMs: 61_000 })])).toEqual([
    'bad: the clock of peer:2 is 61.0 s ahead of the one here',
  ]);
  const future = troubles(checkClocks(subject(), [], nowMs - 30_000));
  expect(future).toEqual([
    expect.stringMatching(/newest L2 block is 29 s in the future/),
    expect.stringMatching(/newest L1 block is 21 s/),
  ]);
});

test('names: the address in the membership, ports that are open, names that resolve', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const open = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const values = { 'raft.server.id': 'n1' } as Values;
  const check = async (advertised: string, members: readonly (readonly [string, string])[]) => {
    const servers = members.map(([id, addr]) => ({ id, addr, suffrage: 0 }));
    const conductor = asked({ ...wellConductor, conductor_clusterMembership: { servers, version: 1 } });
    const consensus = { ...config.consensus, advertised };
    return troubles(await checkNames(subject({ values, conductor, config: { ...config, consensus } }), []));
  };
  const loopback = expect.stringMatching(/warning: .* reaches this machine only/) as string;
  expect(
    await check(open, [
      ['n1', open],
      ['n2', open],
    ]),
  ).toEqual([loopback]);
  expect(await check(open, [['n1', 'elsewhere:1']])).toEqual([
    loopback,
    expect.stringMatching(/bad: the members know n1 as elsewhere:1/),
  ]);
  expect(await check('127.0.0.1:1', [['n2', open]])).toEqual([
    loopback,
    expect.stringMatching(/bad: the conductor runs, and from here nobody answers/),
    expect.stringMatching(/warning: n1 is not in the membership/),
  ]);
  expect(await check(open, [['n2', open]])).toEqual([
    loopback,
    expect.stringMatching(/bad: .* which n1 advertises, is the raft address of n2/),
  ]);
  expect(await check('no-such-name.invalid:1', [])).toEqual([
    expect.stringMatching(/bad: no-such-name.invalid cannot be resolved/),
  ]);
});

test('before a start the other members are looked for where the store says', async () => {
  const values = { 'raft.server.id': 'n1' } as Values;
  const found = await checkNames(subject({ values, conductor: silent }), votersOf(2).servers);
  expect(lines(found)).toContainEqual('warning: n2 cannot be reached at 127.0.0.1:2');
});

test('exposure: the warnings of the start', () => {
  expect(troubles(checkExposure(subject()))).toEqual([]);
  const open = {
    ...config,
    rpc: { ...config.rpc, hostname: '0.0.0.0' },
    consensus: { ...config.consensus, hostname: '0.0.0.0' },
  };
  expect(troubles(checkExposure(subject({ config: open })))).toEqual([
    expect.stringMatching(/ADMIN METHODS ARE OPEN/),
    expect.stringMatching(/raft port has no authentication/),
  ]);
});

test('exposure: what web pages may do is said where admin methods are on', () => {
  const pages = (isAdminEnabled: boolean): string[] =>
    lines(checkExposure(subject({ config: { ...config, isAdminEnabled } }))).filter((line) =>
      line.includes('web page'),
    );
  expect(pages(true)).toEqual([expect.stringMatching(/^good: admin calls of web pages .*Origin.* are refused$/)]);
  expect(pages(false)).toEqual([]);
});

test('a server is asked everything at once, and one that is silent, or no JSON-RPC server, is no accident', async () => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (request.method === 'GET') return new Response('', { headers: { date: new Date().toUTCString() } });
      const body = (await request.json()) as { id: number; method: string } | { id: number; method: string }[];
      const answer = ({ id, method }: { id: number; method: string }) => ({ jsonrpc: '2.0', id, result: method });
      return Response.json(Array.isArray(body) ? body.map(answer) : answer(body));
    },
  });
  onTestFinished(() => server.stop(true));
  const all = await ask(server.url.href, [['a'], ['b'], ['c', [1]]]);
  expect([...all.answers.keys()]).toEqual(['a', 'b', 'c']);
  expect(Math.abs(all.clockAheadMs ?? NaN)).toBeLessThan(10_000);
  expect((await ask('http://127.0.0.1:1', [['a']])).why).toMatch(/127\.0\.0\.1:1/);
  expect((await ask(null, [['a']])).url).toBeNull();
});
