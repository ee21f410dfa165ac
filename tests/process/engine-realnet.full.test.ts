/**
 * The engine API's client before a real op-geth that a real op-node drives: its words about sound and spoilt blocks,
 * refused tokens, a client that hangs and one that is gone. Skipped unless OP_NODE_BIN and OP_GETH_BIN name them.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RealNet } from '../../bench/realnet/real-net.ts';
import type { RealNode } from '../../bench/realnet/real-node.ts';
import { EngineClient } from '#conductor/adapters/engine/engine-client';
import { executeRequest } from '#conductor/adapters/sequencer/sequencer';
import { blockByHash, type CallResult, type NodeRequest } from '#conductor/core/node/calls';
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
import type { Envelope } from '#conductor/core/payload/envelope';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { changed, payloadAt } from './execution-block.ts';

const LONG_MS = 240_000;
const ANSWER_MS = 5000;
const geth = process.env['OP_GETH_BIN'] ?? '';
const opNode = process.env['OP_NODE_BIN'] ?? '';

function engineOf(node: RealNode, jwtSecretFile = node.jwtSecretFile): EngineClient {
  const metrics = { count: () => undefined, gauge: () => undefined, observe: () => undefined };
  const ports = { logger: { log: () => undefined }, metrics, unixMs: Date.now, now: () => performance.now() };
  return new EngineClient({ url: node.engineUrl, jwtSecretFile, ...ports });
}

function ask(node: RealNode, request: NodeRequest): Promise<CallResult> {
  const url = node.executionUrl;
  return executeRequest({ node: node.nodeUrl, execution: url, executionPeers: url, rollupBoost: '' }, request);
}

test('op-geth says what a block is worth, and its silence is told', { timeout: LONG_MS }, async (context) => {
  if (!existsSync(geth) || !existsSync(opNode)) context.skip('OP_NODE_BIN and OP_GETH_BIN name no op-node and op-geth');
  const folder = mkdtempSync(join(tmpdir(), 'engine-realnet-'));
  using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  await using net = await RealNet.start({ geth, opNode, conductor: conductorCommand(), parent: folder });
  const leader = await net.steady();
  const [node] = net.others(leader) as [RealNode];
  const engine = engineOf(node);
  const verdictOn = async (envelope: Envelope): Promise<PayloadStatus> =>
    readPayloadStatus(await engine.execute(newPayload(envelope, ANSWER_MS)));

  const head = await node.head();
  const sound = await payloadAt((method, params) => node.callGeth(method, params), head);
  expect(await verdictOn(sound)).toEqual({ kind: 'valid' });
  const { stateRoot } = sound.executionPayload;
  const spoilt = changed(sound, { stateRoot: stateRoot.with(31, stateRoot[31]! ^ 1) });
  const verdict = await verdictOn(spoilt);
  expect(verdict).toMatchObject({ kind: 'invalid', message: expect.stringMatching(/invalid merkle root/) as string });
  const spoiltHash = `0x${spoilt.executionPayload.blockHash.toHex()}`;
  expect(readBadBlocks(await ask(node, badBlocks))).toContain(spoiltHash);
  expect(await ask(node, blockByHash(spoiltHash))).toEqual({ kind: 'result', value: null });
  const orphan = changed(sound, { parentHash: stateRoot });
  expect(await verdictOn(orphan)).toEqual({ kind: 'none', reason: 'syncing' });

  expect(readSyncing(await ask(node, syncing))).toBe(false);
  expect(await ask(node, clientVersion)).toMatchObject({ value: expect.stringMatching(/^Geth\//) as string });

  const otherSecret = join(folder, 'other.txt');
  writeFileSync(otherSecret, 'ab'.repeat(32));
  const stranger = await engineOf(node, otherSecret).execute(newPayload(sound, ANSWER_MS));
  expect(readPayloadStatus(stranger)).toEqual({ kind: 'none', reason: 'unauthorized' });
  expect(readAlive(stranger)).toBe('unauthorized');

  const probes = async (): Promise<unknown[]> => [
    readAlive(await engine.execute(aliveProbe('engine'))),
    readAlive(await ask(node, aliveProbe('execution'))),
  ];
  expect(await probes()).toEqual(['answers', 'answers']);
  node.geth.freeze();
  // It may answer one more question before it stops.
  await expect.poll(probes, { timeout: ANSWER_MS }).toEqual(['silent', 'silent']);
  const late = await engine.execute(newPayload(sound, 300));
  expect(readPayloadStatus(late)).toEqual({ kind: 'none', reason: 'timeout' });
  node.geth.thaw();
  expect(await verdictOn(sound)).toEqual({ kind: 'valid' });
  await node.geth.kill();
  expect(await probes()).toEqual(['refused', 'refused']);
});
