import { expect, onTestFinished, test } from 'vitest';
import { blockHash } from '#conductor/core/payload/block-hash';
import { buildBlock } from '#conductor/core/payload/build-block';
import { formatEnvelope } from '#conductor/core/payload/envelope';
import { prefixedHex } from '#conductor/core/payload/hex';
import { parseEnvelope } from '#conductor/core/payload/parse-envelope';
import { freePorts } from '../../tests/cluster/free-ports.ts';
import { EngineProxy, type Seal } from './engine-proxy.ts';
import { callRpc } from './json-rpc.ts';

const block = buildBlock({ parent: null, timestamp: 1_700_000_000, transactions: [Uint8Array.of(0x02, 1)] });
const hash = prefixedHex(block.executionPayload.blockHash);
const newPayload = [{ blockHash: hash, parentHash: prefixedHex(block.executionPayload.parentHash) }, []];

/** An engine that seals that block and calls everything VALID, behind a proxy. */
function fixture(): { readonly proxy: EngineProxy; readonly url: string; readonly stop: () => Promise<void> } {
  const engine = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { id, method } = (await request.json()) as { id: number; method: string };
      const result = method.startsWith('engine_getPayload') ? formatEnvelope(block) : { status: 'VALID' };
      return Response.json({ jsonrpc: '2.0', id, result });
    },
  });
  const [port] = freePorts(1) as [number];
  const proxy = new EngineProxy(port, engine.url.href);
  onTestFinished(async () => {
    await proxy[Symbol.asyncDispose]();
    await engine.stop(true);
  });
  return { proxy, url: `http://127.0.0.1:${port}`, stop: () => engine.stop(true) };
}

function sealed(url: string): Promise<unknown> {
  return callRpc(url, 'engine_getPayloadV4', ['0x01']);
}

test('without orders everything passes as it is, and what op-node had executed is known', async () => {
  const { proxy, url } = fixture();
  expect(await sealed(url)).toEqual(JSON.parse(JSON.stringify(formatEnvelope(block))));
  expect(await callRpc(url, 'engine_newPayloadV4', newPayload)).toEqual({ status: 'VALID' });
  expect([...proxy.asked]).toEqual([]);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'engine_newPayloadV4', params: newPayload });
  await fetch(url, { method: 'POST', body, headers: { 'User-Agent': 'Go-http-client/1.1' } });
  expect([...proxy.asked]).toEqual([hash]);
});

test('a spoilt seal has another state root and the hash of its own fields', async () => {
  const { proxy, url } = fixture();
  const seals: Seal[] = [];
  proxy.orders = { spoils: () => true, onSeal: (seal) => seals.push(seal) };
  const spoilt = parseEnvelope(await sealed(url));
  if (spoilt instanceof Error) throw spoilt;
  const { stateRoot, blockHash: claimed } = spoilt.executionPayload;
  expect(stateRoot).not.toEqual(block.executionPayload.stateRoot);
  expect(claimed).toEqual(blockHash(spoilt));
  expect(seals).toMatchObject([{ payloadId: '0x01', hash: prefixedHex(claimed), isFull: true }]);
});

test('what is refused is INVALID here alone, and a builder that is out of order says so', async () => {
  const { proxy, url } = fixture();
  proxy.orders = { refuses: (refused) => refused.hash === hash, failsToSeal: true };
  expect(await callRpc(url, 'engine_newPayloadV4', newPayload)).toMatchObject({ status: 'INVALID' });
  expect(await callRpc(url, 'engine_newPayloadV4', [{ blockHash: '0x02' }])).toEqual({ status: 'VALID' });
  await expect(sealed(url)).rejects.toThrow('out of order');
});

test('a client that is gone gives no answer', async () => {
  const { url, stop } = fixture();
  await stop();
  await expect(sealed(url)).rejects.toThrow(/socket|closed|reset/i);
});
