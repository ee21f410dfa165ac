import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { StartupError } from '#conductor/core/errors';
import type { Metrics } from '#conductor/core/ports';
import { encodeRequest } from '#conductor/core/wire/encode-message';
import { Endpoint, acknowledge, append, eventually } from './testing/endpoint.ts';
import { RawServer, rawConnect } from './testing/raw-peer.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function endpoint(metrics?: Metrics): Promise<Endpoint> {
  const opened = await Endpoint.open(metrics === undefined ? {} : { metrics });
  opened.answer = acknowledge;
  closers.push(() => opened.transport.close());
  return opened;
}

describe('kill -9 of the process at the other end', () => {
  test('is reported at once: pending requests are reset, its connection to us is closed, a redial fails too', async () => {
    const a = await endpoint();
    const program = join(import.meta.dirname, 'testing/endpoint.ts');
    const child = Bun.spawn([process.execPath, program, a.address], { stdout: 'pipe' });
    closers.push(() => child.kill('SIGKILL'));
    const { value } = await child.stdout.getReader().read();
    const address = `127.0.0.1:${new TextDecoder().decode(value).trim()}`;
    expect((await a.outcome(a.send(address, { timeoutMs: 30_000 }))).kind).toBe('response');
    await a.received('request');
    process.kill(child.pid, 'SIGSTOP');
    const pending = a.send(address, { timeoutMs: 30_000 });
    const toldMs = new Map<string, number>();
    a.observe = (event) => {
      if (!toldMs.has(event.kind)) toldMs.set(event.kind, performance.now() - killedMs);
      if (event.kind === 'failed' && event.requestId === pending) a.send(address);
    };
    const killedMs = performance.now();
    child.kill('SIGKILL');
    await a.received('failed', 2);
    await a.received('inboundClosed');
    expect(a.of('failed')[0]).toMatchObject({ requestId: pending, reason: 'reset' });
    // The kernel may still accept for a dying process until it gets to the listening socket.
    expect(['refused', 'reset']).toContain(a.of('failed')[1]!.reason);
    const times = [...toldMs].map(([kind, ms]) => `${kind} ${ms.toFixed(1)} ms`);
    console.log(`after kill -9: ${times.join(', ')}`);
  });
});

describe('forget', () => {
  test('cancels what is pending to that peer on every channel and leaves the others alone', async () => {
    const server = new RawServer();
    closers.push(() => server.close());
    const a = await endpoint();
    const heartbeat = a.send(server.address);
    const append1 = a.send(server.address, { channel: 'replicate', request: append(1, 5) });
    const other = a.send(server.address, { peerId: 'c' });
    await server.accepted(2);
    let isInside = true;
    a.observe = () => expect(isInside).toBe(false);
    a.transport.forget('b');
    a.transport.forget('nobody');
    isInside = false;
    for (const id of [heartbeat, append1])
      expect(await a.outcome(id)).toMatchObject({ kind: 'failed', reason: 'cancelled' });
    expect(a.of('failed').map((one) => one.requestId)).not.toContain(other);
    await eventually('two connections to close', () => server.connections.filter((one) => one.isClosed).length === 2);
  });
});

describe('close', () => {
  test('cancels what is pending, closes every connection, frees the port and says nothing more', async () => {
    const [a, b] = [await endpoint(), await endpoint()];
    b.answer = () => null;
    const pending = a.send(b.address);
    await b.received('request');
    const { address } = b;
    await b.transport.close();
    expect(await a.outcome(pending)).toMatchObject({ kind: 'failed', reason: 'reset' });
    const seen = b.events.length;
    b.transport.reply(b.of('request')[0]!.inboundId, acknowledge(append(1)));
    b.transport.closeInbound(1);
    b.send(a.address);
    expect(await a.outcome(a.send(address))).toMatchObject({ kind: 'failed', reason: 'refused' });
    expect(b.events).toHaveLength(seen);
    const again = a.send(a.address);
    const closing = a.transport.close();
    expect(await a.outcome(again)).toMatchObject({ kind: 'failed', reason: 'cancelled' });
    await closing;
  });

  test('does not wait longer than a second for a peer that neither reads nor closes', async () => {
    const b = await endpoint();
    b.answer = (request) => ({ kind: 'error', message: `${request.id}`.repeat(20_000_000) });
    const connection = await rawConnect(b.transport.port);
    connection.socket.pause();
    connection.write(Buffer.concat(encodeRequest(append(1))));
    await b.received('request');
    const started = performance.now();
    await b.transport.close();
    expect(performance.now() - started).toBeLessThan(3000);
    connection.socket.terminate();
  });
});

test('a port in use is an error that says so', async () => {
  const a = await endpoint();
  const listen = { hostname: '127.0.0.1', port: a.transport.port };
  await expect(Endpoint.open({ listen })).rejects.toThrow(StartupError);
  await expect(Endpoint.open({ listen })).rejects.toThrow(`127.0.0.1:${listen.port}`);
  await expect(Endpoint.open({ listen })).rejects.toThrow('(EADDRINUSE)');
});

test('what the core throws ends the process instead of being swallowed by a socket', async () => {
  const program = `
    import { Endpoint } from '${join(import.meta.dirname, 'testing/endpoint.ts')}';
    const [a, b] = [await Endpoint.open(), await Endpoint.open()];
    b.answer = () => { throw new Error('broken invariant'); };
    a.send(b.address);
    setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, '-e', program], { stderr: 'pipe', stdout: 'ignore' });
  closers.push(() => child.kill('SIGKILL'));
  expect(await child.exited).not.toBe(0);
  expect(await new Response(child.stderr).text()).toContain('broken invariant');
});

test('connections, bytes, failures and queues are counted, and come back to nothing', async () => {
  const gauges = new Map<string, number>();
  const counters = new Map<string, number>();
  const metrics: Metrics = {
    count: (name: string, labels?: Readonly<Record<string, string>>, by = 1) => {
      const key = [name, ...Object.values(labels ?? {})].join(' ');
      counters.set(key, (counters.get(key) ?? 0) + by);
    },
    gauge: (name: string, value: number, labels?: Readonly<Record<string, string>>) =>
      void gauges.set([name, ...Object.values(labels ?? {})].join(' '), value),
    observe: () => undefined,
  };
  const [a, b] = [await endpoint(metrics), await endpoint()];
  const ids = Array.from({ length: 4 }, (_, i) =>
    a.send(b.address, { channel: 'replicate', request: append(i, 8_000_000), timeoutMs: 30_000 }),
  );
  for (const id of ids) expect((await a.outcome(id)).kind).toBe('response');
  expect(gauges.get('raft_connections out')).toBe(1);
  const stuck = a.send('127.0.0.1:1', { peerId: 'c' });
  expect(await a.outcome(stuck)).toMatchObject({ reason: 'refused' });
  await a.transport.close();
  expect(counters.get('raft_bytes_total out')).toBeGreaterThan(32_000_000);
  expect(counters.get('raft_bytes_total in')).toBeGreaterThan(200);
  expect(counters.get('raft_dial_failures_total refused')).toBe(1);
  expect(counters.get('raft_requests_failed_total refused')).toBe(1);
  expect(gauges.get('raft_connections out')).toBe(0);
  expect(gauges.get('raft_send_queue_bytes')).toBe(0);
});
