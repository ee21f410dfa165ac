/** The execution side of a development sequencer on real sockets, asked by the conductor's own client. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineClient } from '#conductor/adapters/engine/engine-client';
import { executeRequest } from '#conductor/adapters/sequencer/sequencer';
import { blockByHash, latestBlock, readHeader, type CallResult, type NodeRequest } from '#conductor/core/node/calls';
import {
  aliveProbe,
  badBlocks,
  clientVersion,
  newPayload,
  readAlive,
  readBadBlocks,
  readPayloadStatus,
  readSyncing,
  syncing,
  type PayloadStatus,
} from '#conductor/core/node/engine-calls';
import { EnvelopeError, parseEnvelope } from '#conductor/core/payload/parse-envelope';
import { buildNextBlock, genesisBlock, spoilt, type DevBlock } from './block.ts';
import { startDevNode, type DevNode } from './dev-node.ts';
import { callRpc } from './json-rpc-client.ts';

const WAIT_MS_MAX = 10_000;
const spec = { genesisTime: Math.floor(Date.now() / 1000) - 100, blockSeconds: 1, chainId: 901 };
const content = { transactionsPerBlock: 2, transactionBytes: 64 };
const genesis = genesisBlock(spec);
const secret = 'ab'.repeat(32);

let folder = '';
let node: DevNode;
let client: EngineClient;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'execution-side-'));
  node = await startDevNode({
    ...{ spec, ...content, storePath: join(folder, 'blocks.db'), hostname: '127.0.0.1', nodePort: 0, executionPort: 0 },
    ...{ conductorUrl: null, conductorTimeoutMs: 1_000, peerUrls: [], faults: {}, log: () => undefined },
    engine: { port: 0, secret: Uint8Array.fromHex(secret) },
  });
  client = engineClient(secret);
});

afterEach(async () => {
  await call('dev_setExecution', ['up']);
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

function engineClient(hex: string): EngineClient {
  const path = join(folder, `${hex.slice(0, 4)}.txt`);
  writeFileSync(path, hex, { mode: 0o600 });
  const metrics = { count: () => undefined, gauge: () => undefined, observe: () => undefined };
  const ports = { logger: { log: () => undefined }, metrics, unixMs: Date.now, now: () => performance.now() };
  return new EngineClient({ url: `http://127.0.0.1:${node.enginePort ?? 0}`, jwtSecretFile: path, ...ports });
}

function call(method: string, params: readonly unknown[] = []): Promise<unknown> {
  return callRpc({ url: `http://127.0.0.1:${node.nodePort}`, timeoutMs: 5_000 }, method, params);
}

function ask(request: NodeRequest): Promise<CallResult> {
  const url = `http://127.0.0.1:${node.executionPort}`;
  return executeRequest({ node: url, execution: url, executionPeers: url, rollupBoost: '' }, request);
}

function requestOf({ text }: DevBlock, timeoutMs = 5_000): NodeRequest {
  const envelope = parseEnvelope(JSON.parse(text));
  if (envelope instanceof EnvelopeError) throw envelope;
  return newPayload(envelope, timeoutMs);
}

async function verdictOn(block: DevBlock): Promise<PayloadStatus> {
  return readPayloadStatus(await client.execute(requestOf(block)));
}

async function clientHead(): Promise<bigint | undefined> {
  const answer = await ask(latestBlock);
  return answer.kind === 'result' ? readHeader(answer.value)?.number : undefined;
}

function next(parent: DevBlock): DevBlock {
  return buildNextBlock(parent, parent.timestamp + 1, content);
}

/** Waits until the node's head, as its rollup node says, is at a height. */
async function reach(number: number): Promise<void> {
  const deadline = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const status = (await call('optimism_syncStatus')) as { unsafe_l2: { number: number } };
    if (status.unsafe_l2.number >= number) return;
    if (performance.now() > deadline) throw new Error(`stayed at block ${status.unsafe_l2.number}, wanted ${number}`);
    await Bun.sleep(10);
  }
}

describe('the engine API of a development sequencer', () => {
  it('says VALID of a sound block and keeps it beside the chain; a forkchoice update makes it the head', async () => {
    const one = next(genesis);
    expect(await verdictOn(one)).toEqual({ kind: 'valid' });
    expect(await clientHead()).toBe(0n);
    expect(await ask(blockByHash(one.hash))).toMatchObject({ value: { hash: one.hash } });
    const update = (params: string): Promise<CallResult> =>
      client.execute({ target: 'engine', method: 'engine_forkchoiceUpdatedV3', params, timeoutMs: 5_000 });
    expect(await update(`[{"headBlockHash":"${one.hash}"},null]`)).toMatchObject({
      value: { payloadStatus: { status: 'VALID' }, payloadId: null },
    });
    expect(await clientHead()).toBe(1n);
    expect(await update(`[{"headBlockHash":"${next(one).hash}"}]`)).toMatchObject({
      value: { payloadStatus: { status: 'SYNCING' } },
    });
    expect(await update(`[{"headBlockHash":"${one.hash}"},{}]`)).toMatchObject({ kind: 'error', code: -38003 });
  });

  it('says INVALID of a spoilt block and of what is built on it, until it is restarted, and lists it', async () => {
    const bad = spoilt(next(genesis));
    const expected = { kind: 'invalid', message: 'invalid merkle root', latestValidHash: genesis.hash };
    expect(await verdictOn(bad)).toEqual(expected);
    expect(await verdictOn(bad)).toEqual(expected);
    expect(await verdictOn(next(bad))).toMatchObject({ message: 'links to previously rejected block' });
    expect(readBadBlocks(await ask(badBlocks))).toContain(bad.hash);
    expect(await ask(blockByHash(bad.hash))).toEqual({ kind: 'result', value: null });
    await call('dev_loseHead', [0]);
    expect(readBadBlocks(await ask(badBlocks))).toEqual([]);
  });

  it('says SYNCING where the parent is missing, and an error is no word at all', async () => {
    expect(await verdictOn(next(next(genesis)))).toEqual({ kind: 'none', reason: 'syncing' });
    const asV3 = { ...requestOf(next(genesis)), method: 'engine_newPayloadV3' };
    expect(await client.execute(asV3)).toMatchObject({ kind: 'error', code: -38005 });
    const cut = { ...requestOf(next(genesis)), params: '[{},[],null,[]]' };
    expect(await client.execute(cut)).toMatchObject({ kind: 'error', code: -32602 });
  });

  it('a payload that does not hash to its claim is INVALID', async () => {
    const request = requestOf(next(genesis));
    const params = request.params.replace('"gasUsed":"0x', '"gasUsed":"0x1');
    expect(readPayloadStatus(await client.execute({ ...request, params }))).toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(/payload has bad block hash/) as string,
      latestValidHash: null,
    });
  });

  it('answers nobody without a token of its secret', async () => {
    const stranger = await engineClient('cd'.repeat(32)).execute(requestOf(next(genesis)));
    expect(readPayloadStatus(stranger)).toEqual({ kind: 'none', reason: 'unauthorized' });
    const bare = await fetch(`http://127.0.0.1:${node.enginePort ?? 0}`, { method: 'POST', body: '{}' });
    expect([bare.status, await bare.text()]).toEqual([401, 'missing token\n']);
  });

  it('answers the questions about itself', async () => {
    expect(readSyncing(await ask(syncing))).toBe(false);
    await call('dev_setExecution', ['syncing']);
    expect(readSyncing(await ask(syncing))).toBe(true);
    expect(await ask(clientVersion)).toMatchObject({ value: 'conductor-dev-sequencer' });
  });
});

describe('an execution client in trouble', () => {
  it('refuses connections while it is down and answers nothing while it is frozen; its node answers all the time', async () => {
    const probes = async (): Promise<unknown[]> => [
      readAlive(await ask(aliveProbe('execution'))),
      readAlive(await client.execute(aliveProbe('engine'))),
    ];
    expect(await probes()).toEqual(['answers', 'answers']);
    await call('dev_setExecution', ['down']);
    expect(await probes()).toEqual(['refused', 'refused']);
    await call('dev_setExecution', ['frozen']);
    expect(await probes()).toEqual(['silent', 'silent']);
    expect(await call('admin_sequencerActive')).toBe(false);
    await call('dev_setExecution', ['up']);
    expect(await probes()).toEqual(['answers', 'answers']);
  });

  it('loses its newest blocks and takes them back in order; its node adopts them when it sequences again', async () => {
    await call('admin_startSequencer', [genesis.hash]);
    await reach(20);
    const hash = await call('admin_stopSequencer');
    const { unsafe_l2: head } = (await call('optimism_syncStatus')) as { unsafe_l2: { number: number; hash: string } };
    const blocks = (await call('dev_blocks', [1, 128])) as Record<string, unknown>[];
    expect(await call('dev_loseHead')).toBe(0);
    expect(await call('dev_execution')).toMatchObject({ number: 0, losses: 1 });
    expect(await call('optimism_syncStatus')).toMatchObject({ unsafe_l2: { number: head.number, hash } });
    for (const envelope of blocks) {
      const parsed = parseEnvelope(envelope);
      if (parsed instanceof EnvelopeError) throw parsed;
      expect(readPayloadStatus(await client.execute(newPayload(parsed, 5_000)))).toEqual({ kind: 'valid' });
    }
    expect(await clientHead()).toBe(0n);
    await call('admin_startSequencer', [head.hash]);
    await reach(head.number + 1);
    expect(Number(await clientHead())).toBeGreaterThan(head.number);
  });

  it('after a reset the node is where its client is', async () => {
    await call('admin_startSequencer', [genesis.hash]);
    await reach(10);
    await call('admin_stopSequencer');
    await call('dev_loseHead', [4]);
    const { number } = (await call('dev_execution')) as { number: number };
    await call('admin_resetDerivationPipeline');
    expect(await call('optimism_syncStatus')).toMatchObject({ unsafe_l2: { number } });
  });

  it('says VALID while it stops without keeping anything, and INVALID of sound blocks when it is broken', async () => {
    const one = next(genesis);
    await call('dev_setExecution', ['stopping']);
    expect(await verdictOn(spoilt(one))).toEqual({ kind: 'valid' });
    expect(await verdictOn(one)).toEqual({ kind: 'valid' });
    await call('dev_setExecution', ['broken']);
    expect(await verdictOn(one)).toMatchObject({ kind: 'invalid' });
    await call('dev_setExecution', ['up']);
    expect(await verdictOn(one)).toMatchObject({ kind: 'invalid' });
    await call('dev_loseHead', [0]);
    expect(await verdictOn(one)).toEqual({ kind: 'valid' });
  });

  it('can disagree alone, and be slow', async () => {
    const [one, two] = [next(genesis), next(genesis)];
    await call('dev_reject', [one.hash]);
    expect(await verdictOn(one)).toMatchObject({ kind: 'invalid', message: 'rejected on demand' });
    expect(await verdictOn(two)).toEqual({ kind: 'valid' });
    await call('dev_slowExecution', [60_000]);
    const three = next(genesis);
    expect(readPayloadStatus(await client.execute(requestOf(three, 100)))).toEqual({ kind: 'none', reason: 'timeout' });
    expect(readAlive(await client.execute(aliveProbe('engine')))).toBe('answers');
  });

  it.each([
    ['dev_sealInvalid', [1, 'often'], 'want one of any, full, sticky'],
    ['dev_setExecution', ['asleep'], 'want one of up, down, frozen, syncing, stopping, broken'],
    ['dev_reject', ['0x12'], '32-byte hash'],
    ['dev_slowExecution', [-1], 'want a number from 0 to 60000'],
  ])('%s(%j) is refused with a sentence', async (method, params, message) => {
    await expect(call(method, params)).rejects.toThrow(message);
  });

  it('says what it was told to do wrong', async () => {
    await call('dev_sealInvalid', [-1, 'sticky']);
    expect(await call('dev_faults')).toMatchObject({
      invalidSealsLeft: -1,
      invalidSealKind: 'sticky',
      execution: 'up',
    });
    await call('dev_sealInvalid');
    expect(await call('dev_faults')).toMatchObject({ invalidSealsLeft: 1, invalidSealKind: 'any' });
  });
});
