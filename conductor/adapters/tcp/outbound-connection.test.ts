import { afterEach, describe, expect, test } from 'vitest';
import type { AppendEntriesRequest, InstallSnapshotRequest, RpcRequest } from '#conductor/core/raft/types';
import { RequestDecoder } from '#conductor/core/wire/decode-message';
import { encodeResponse } from '#conductor/core/wire/encode-message';
import { Endpoint, acknowledge, append, appendResponse, eventually } from './testing/endpoint.ts';
import { RawServer, type RawConnection } from './testing/raw-peer.ts';
import type { TcpTransportOptions } from './transport.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function endpoint(options: Partial<TcpTransportOptions> = {}): Promise<Endpoint> {
  const opened = await Endpoint.open(options);
  closers.push(() => opened.transport.close());
  return opened;
}

function rawServer(onOpen?: (connection: RawConnection) => void): RawServer {
  const server = new RawServer(onOpen);
  closers.push(() => server.close());
  return server;
}

async function pair(): Promise<{ a: Endpoint; b: Endpoint }> {
  const [a, b] = [await endpoint(), await endpoint()];
  b.answer = acknowledge;
  return { a, b };
}

function respond(connection: RawConnection, ...lastLogs: number[]): void {
  connection.write(Buffer.concat(lastLogs.flatMap((lastLog) => encodeResponse(appendResponse(lastLog)))));
}

describe('requests and responses', () => {
  test('pipelined requests are answered in the order sent, on one connection', async () => {
    const { a, b } = await pair();
    const ids = Array.from({ length: 50 }, (_, i) =>
      a.send(b.address, { channel: 'replicate', request: append(i, i % 3 === 0 ? 50_000 : 10) }),
    );
    const responses = await a.received('response', 50);
    expect(responses.map((one) => one.requestId)).toEqual(ids);
    expect(responses.map((one) => one.response.kind === 'append' && one.response.lastLog)).toEqual(
      ids.map((_, i) => i),
    );
    const requests = b.of('request');
    expect(new Set(requests.map((one) => one.connectionId)).size).toBe(1);
    expect(requests[0]!.request).toEqual(append(0, 50_000));
  });

  test('a connection is kept and used again', async () => {
    const { a, b } = await pair();
    for (let i = 0; i < 3; i += 1) await a.outcome(a.send(b.address));
    expect(new Set(b.of('request').map((one) => one.connectionId)).size).toBe(1);
  });

  test('channels do not wait for each other', async () => {
    const { a, b } = await pair();
    b.answer = (request) => (request.kind === 'append' && request.entries !== null ? null : acknowledge(request));
    const stuck = a.send(b.address, { channel: 'replicate', request: append(1, 10) });
    await b.received('request');
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');
    const vote = {
      kind: 'prevote' as const,
      protocolVersion: 3,
      id: 'a',
      address: 'x',
      term: 2,
      lastLogIndex: 0,
      lastLogTerm: 0,
    };
    expect((await a.outcome(a.send(b.address, { channel: 'vote', request: vote }))).kind).toBe('response');
    expect(a.of('response').map((one) => one.requestId)).not.toContain(stuck);
    expect(new Set(b.of('request').map((one) => one.connectionId)).size).toBe(3);
  });

  test('each snapshot has a connection of its own, closed after the answer', async () => {
    const { a, b } = await pair();
    const data = crypto.getRandomValues(new Uint8Array(65_536));
    const request: InstallSnapshotRequest = {
      kind: 'snapshot',
      protocolVersion: 3,
      id: 'a',
      address: 'x',
      snapshotVersion: 1,
      term: 2,
      leader: null,
      lastLogIndex: 9,
      lastLogTerm: 1,
      peers: null,
      configuration: null,
      configurationIndex: 1,
      size: data.length,
      data,
    };
    for (let i = 0; i < 2; i += 1) await a.outcome(a.send(b.address, { channel: 'snapshot', request }));
    const requests = b.of('request');
    expect(requests.map((one) => one.request)).toEqual([request, request]);
    expect(requests[0]!.connectionId).not.toBe(requests[1]!.connectionId);
    await b.received('inboundClosed', 2);
  });

  test('a 64 MiB entry passes a reader that takes its time, whole', async () => {
    const decoder = new RequestDecoder();
    let found: RpcRequest | null = null;
    const server = rawServer((connection) => {
      connection.onChunk = (chunk) => {
        decoder.push(chunk);
        found ??= decoder.next();
        connection.socket.pause();
        setImmediate(() => connection.socket.resume());
      };
    });
    const a = await endpoint();
    const request = append(5, 64 * 1024 * 1024);
    const id = a.send(server.address, { channel: 'replicate', request, timeoutMs: 30_000 });
    const connection = await server.accepted();
    const whole = await eventually<AppendEntriesRequest>(
      'the request',
      () => found as AppendEntriesRequest | null,
      30_000,
    );
    expect(Buffer.compare(whole.entries![0]!.data!, request.entries![0]!.data!)).toBe(0);
    respond(connection, 5);
    expect((await a.outcome(id)).kind).toBe('response');
  });
});

describe('failures', () => {
  test('a refused dial is reported as refused, at once, and never inside send', async () => {
    const a = await endpoint();
    const server = new RawServer();
    server.close();
    let isInside = false;
    a.observe = () => expect(isInside).toBe(false);
    const times: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      const started = performance.now();
      isInside = true;
      const id = a.send(server.address);
      isInside = false;
      const outcome = await new Promise((resolve) => {
        a.observe = resolve;
      });
      times.push(performance.now() - started);
      expect(outcome).toMatchObject({ kind: 'failed', requestId: id, reason: 'refused' });
    }
    expect(times.sort((x, y) => x - y)[10]).toBeLessThan(20);
    console.log(`refused dial: median ${times[10]!.toFixed(2)} ms, worst ${times[19]!.toFixed(2)} ms`);
  });

  test('an address without a route is unreachable, not refused, though the kernel says so inside send', async () => {
    const a = await endpoint();
    let isInside = true;
    const outcome = new Promise((resolve) => {
      a.observe = (event) => resolve({ ...event, isInside });
    });
    a.send('255.255.255.255:1');
    isInside = false;
    expect(await outcome).toMatchObject({ kind: 'failed', reason: 'unreachable', isInside: false });
  });

  test.each(['end', 'terminate'] as const)(
    'a peer that closes (%s) fails all that is pending as reset',
    async (how) => {
      const server = rawServer();
      const a = await endpoint();
      const ids = [a.send(server.address), a.send(server.address)];
      const connection = await server.accepted();
      await eventually('both requests', () => connection.receivedBytes > 200);
      connection.socket[how]();
      for (const id of ids) expect(await a.outcome(id)).toMatchObject({ kind: 'failed', reason: 'reset' });
    },
  );

  test('a kept connection that died is reset for the next request at most, then dialled again', async () => {
    const { a, b } = await pair();
    await a.outcome(a.send(b.address));
    b.transport.closeInbound(b.of('request')[0]!.connectionId);
    await b.received('inboundClosed');
    const second = await a.outcome(a.send(b.address));
    if (second.kind === 'failed') expect(second.reason).toBe('reset');
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');
  });

  test('what needs an open connection opens none, and is reset where there is none', async () => {
    const { a, b } = await pair();
    const none = { kind: 'failed', reason: 'reset' };
    expect(await a.outcome(a.send(b.address, { needsOpen: true }))).toMatchObject(none);
    await a.outcome(a.send(b.address));
    expect((await a.outcome(a.send(b.address, { needsOpen: true }))).kind).toBe('response');
    const other = { needsOpen: true, channel: 'replicate' } as const;
    expect(await a.outcome(a.send(b.address, other))).toMatchObject(none);
    expect(b.of('request')).toHaveLength(2);
  });

  test('what is sent from inside a failure goes to a new connection', async () => {
    const server = rawServer((connection) => {
      if (server.connections.length === 1) connection.socket.terminate();
    });
    const a = await endpoint();
    let retried = 0;
    a.observe = (event) => {
      if (event.kind === 'failed') retried = a.send(server.address);
    };
    a.send(server.address);
    const connection = await server.accepted(1);
    await eventually('the retried request', () => connection.receivedBytes > 0);
    respond(connection, 1);
    expect((await a.outcome(retried)).kind).toBe('response');
  });

  test('an unanswered request times out, with all behind it, and the connection is closed', async () => {
    const server = rawServer();
    const a = await endpoint();
    await a.outcome(a.send(server.address, { timeoutMs: 50 }));
    const started = performance.now();
    const ids = [a.send(server.address, { timeoutMs: 60 }), a.send(server.address, { timeoutMs: 5000 })];
    for (const id of ids) expect(await a.outcome(id)).toMatchObject({ kind: 'failed', reason: 'timeout' });
    const elapsed = performance.now() - started;
    expect(elapsed).toBeGreaterThanOrEqual(59);
    expect(elapsed).toBeLessThan(1000);
    for (const connection of server.connections) await connection.closed();
  });

  test('answers in time keep later deadlines from ending the connection', async () => {
    const { a, b } = await pair();
    const end = performance.now() + 200;
    while (performance.now() < end) {
      expect((await a.outcome(a.send(b.address, { timeoutMs: 100 }))).kind).toBe('response');
    }
    expect(new Set(b.of('request').map((one) => one.connectionId)).size).toBe(1);
  });

  test('an answer that came while the process stood still counts, though its deadline has passed', async () => {
    const server = rawServer((connection) => {
      connection.onChunk = () => {
        respond(connection, 1);
        Bun.sleepSync(400);
      };
    });
    const a = await endpoint();
    for (let round = 0; round < 3; round += 1) {
      expect((await a.outcome(a.send(server.address, { timeoutMs: 300 }))).kind).toBe('response');
    }
  });

  test('an answer that cannot be read is malformed and closes the connection', async () => {
    const server = rawServer();
    const a = await endpoint();
    const ids = [a.send(server.address), a.send(server.address)];
    const connection = await server.accepted();
    connection.write(new TextEncoder().encode('HTTP/1.1 400 Bad Request\r\n\r\n'));
    for (const id of ids) expect(await a.outcome(id)).toMatchObject({ kind: 'failed', reason: 'malformed' });
    await connection.closed();
  });

  test('an answer out of thin air closes the connection and answers nothing', async () => {
    const server = rawServer();
    const a = await endpoint();
    const first = a.send(server.address);
    const connection = await server.accepted();
    respond(connection, 1);
    expect((await a.outcome(first)).kind).toBe('response');
    respond(connection, 2);
    await connection.closed();
    const second = a.send(server.address);
    respond(await server.accepted(1), 7, 8);
    expect(await a.outcome(second)).toMatchObject({ kind: 'failed', reason: 'malformed' });
    expect(a.of('response')).toHaveLength(1);
  });

  test('beyond the bound of the send queue nothing is queued: overflow', async () => {
    const server = rawServer((connection) => connection.socket.pause());
    const a = await endpoint({ limits: { sendQueueBytesMax: 1_000_000 } });
    const first = a.send(server.address, { channel: 'replicate', request: append(1, 30_000_000) });
    const second = a.send(server.address, { channel: 'replicate', request: append(2, 10) });
    expect(await a.outcome(second)).toMatchObject({ kind: 'failed', reason: 'overflow' });
    expect(a.of('failed').map((one) => one.requestId)).not.toContain(first);
    const other = a.send(server.address);
    const connection = await server.accepted(1);
    connection.socket.resume();
    await eventually('the heartbeat', () => connection.receivedBytes > 0);
    respond(connection, 1);
    expect((await a.outcome(other)).kind).toBe('response');
  });
});

describe('names', () => {
  test('are resolved again at each dial', async () => {
    const [first, second] = [rawServer(), await endpoint()];
    second.answer = acknowledge;
    const asked: string[] = [];
    const a = await endpoint({
      resolve: async (host) => {
        asked.push(host);
        return ['127.0.0.1'];
      },
    });
    const id = a.send(`node-b.test:${first.port}`);
    (await first.accepted()).socket.end();
    expect(await a.outcome(id)).toMatchObject({ reason: 'reset' });
    await a.outcome(a.send(`node-b.test:${second.transport.port}`));
    expect(asked).toEqual(['node-b.test', 'node-b.test']);
    expect(a.of('response')).toHaveLength(1);
  });

  test('addresses are tried in order until one answers', async () => {
    const b = await endpoint();
    b.answer = acknowledge;
    const a = await endpoint({ resolve: async () => ['127.0.0.3', '127.0.0.2', '127.0.0.1'] });
    expect((await a.outcome(a.send(`b.test:${b.transport.port}`))).kind).toBe('response');
  });

  test('a name that does not resolve is unreachable', async () => {
    const a = await endpoint({ resolve: async () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await a.outcome(a.send('nowhere.test:1'))).toMatchObject({ kind: 'failed', reason: 'unreachable' });
    const none = await endpoint({ resolve: async () => [] });
    expect(await none.outcome(none.send('nowhere.test:1'))).toMatchObject({ kind: 'failed', reason: 'unreachable' });
    expect(await a.outcome(a.send('no address at all'))).toMatchObject({ kind: 'failed', reason: 'unreachable' });
  });

  test('a resolver that hangs ends in timeouts, and a later request starts over', async () => {
    const b = await endpoint();
    b.answer = acknowledge;
    let calls = 0;
    const a = await endpoint({
      limits: { dialMs: 100 },
      resolve: () => {
        calls += 1;
        return calls === 1 ? new Promise(() => undefined) : Promise.resolve(['127.0.0.1']);
      },
    });
    const address = `b.test:${b.transport.port}`;
    const patient = a.send(address);
    expect(await a.outcome(a.send(address, { timeoutMs: 120 }))).toMatchObject({ kind: 'failed', reason: 'timeout' });
    const later = a.send(address);
    expect((await a.outcome(later)).kind).toBe('response');
    expect((await a.outcome(patient)).kind).toBe('response');
    expect(b.of('request')).toHaveLength(2);
  });

  test('the system resolver knows localhost', async () => {
    const { a, b } = await pair();
    expect((await a.outcome(a.send(`localhost:${b.transport.port}`))).kind).toBe('response');
  });

  test('a peer that moved is dialled at its new address; what was pending at the old one is cancelled', async () => {
    const { a, b } = await pair();
    const old = rawServer();
    const stuck = a.send(old.address);
    await old.accepted();
    expect((await a.outcome(a.send(b.address))).kind).toBe('response');
    expect(await a.outcome(stuck)).toMatchObject({ kind: 'failed', reason: 'cancelled' });
    await old.connections[0]!.closed();
  });
});
