/** Long batches share the process with everything else, however many come at once. */
import { expect, test } from 'vitest';
import type { Outcome } from '#conductor/core/rpc/message';
import { serveHttp } from './http.ts';
import { createMetrics } from '../metrics/prometheus.ts';

test('between the items of long batches everything else has its turn', async () => {
  let turns = 0;
  const turnsAtCalls: number[] = [];
  const invoke = (): Outcome => {
    const began = performance.now();
    while (performance.now() - began < 3);
    turnsAtCalls.push(turns);
    return { kind: 'result', json: 'true' };
  };
  const server = serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    bodyBytesMax: 64 * 1024,
    batchItemsMax: 50,
    dispatch: { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' },
    version: 'v0',
    metrics: createMetrics('v0'),
    invoke,
    readiness: () => '',
  });
  const counting = setInterval(() => (turns += 1), 1);
  try {
    const body = JSON.stringify(
      Array.from({ length: 40 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'conductor_leader' })),
    );
    const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
    const sent = [1, 2, 3].map(() => fetch(`http://127.0.0.1:${server.port}/`, request));
    const answers = await Promise.all(sent.map(async (one) => (await one).json() as Promise<{ id: number }[]>));
    for (const answer of answers) expect(answer.map(({ id }) => id)).toEqual([...Array.from({ length: 40 }).keys()]);
    // A slice is over after four calls; 120 calls then need 30 of them.
    expect(new Set(turnsAtCalls).size).toBeGreaterThan(15);
  } finally {
    clearInterval(counting);
    server.stop(0);
  }
});
