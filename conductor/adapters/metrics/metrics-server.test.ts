/** The page over real sockets: made for all that ask at once. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { RawClient } from '../http/testing/raw-client.ts';
import { serveMetrics } from './metrics-server.ts';
import { createMetrics } from './prometheus.ts';

/** Serves pages that take this long to make, and counts them. */
function serve(makingMs: number) {
  const metrics = createMetrics('v0');
  const world = { made: 0, port: 0 };
  const server = serveMetrics(metrics, { hostname: '127.0.0.1', port: 0 }, () => {
    const began = performance.now();
    while (performance.now() - began < makingMs);
    world.made += 1;
    metrics.gauge('committed_block_number', world.made);
  });
  onTestFinished(() => server.stop());
  world.port = server.port;
  return world;
}

const blockOn = async (port: number): Promise<number> => {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^op_conductor_committed_block_number (\d+)$/m.exec(page)?.[1]);
};

test('who asks at once has the same page, and a new one is made soon', async () => {
  const world = serve(20);
  const blocks = await Promise.all(Array.from({ length: 40 }, () => blockOn(world.port)));
  expect(world.made).toBeLessThan(5);
  expect(new Set(blocks).size).toBe(world.made);
  await vi.waitFor(async () => expect(await blockOn(world.port)).toBeGreaterThan(Math.max(...blocks)), {
    timeout: 5000,
    interval: 20,
  });
});

test('HEAD makes no page', async () => {
  const world = serve(0);
  const client = new RawClient(world.port);
  onTestFinished(() => client.destroy());
  client.send('HEAD /metrics HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  expect(await client.ended()).toMatch(/^HTTP\/1\.1 200 [^]*Content-Type: text\/plain; version=0\.0\.4[^]*\r\n\r\n$/i);
  expect(world.made).toBe(0);
});
