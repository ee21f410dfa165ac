import { afterEach, describe, expect, test } from 'vitest';
import type { LogLevel, Metrics } from '#conductor/core/ports';
import { ResponseDecoder } from '#conductor/core/wire/decode-message';
import { encodeRequest } from '#conductor/core/wire/encode-message';
import { Endpoint, acknowledge, append, eventually } from './testing/endpoint.ts';
import { rawConnect, type RawConnection } from './testing/raw-peer.ts';
import type { TcpTransportOptions } from './transport.ts';

const MIB = 1024 * 1024;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Counters by "name label". */
class Counts implements Metrics {
  readonly values = new Map<string, number>();
  count(name: string, labels: Readonly<Record<string, string>> = {}, by = 1): void {
    this.#change(name, labels, (value) => value + by);
  }
  gauge(name: string, value: number, labels: Readonly<Record<string, string>> = {}): void {
    this.#change(name, labels, () => value);
  }
  observe(): void {}
  get(key: string): number {
    return this.values.get(key) ?? 0;
  }
  #change(name: string, labels: Readonly<Record<string, string>>, change: (value: number) => number): void {
    const key = [name, ...Object.values(labels)].join(' ');
    this.values.set(key, change(this.get(key)));
  }
}

async function server(options: Partial<TcpTransportOptions> = {}): Promise<{ b: Endpoint; counts: Counts }> {
  const counts = new Counts();
  const b = await Endpoint.open({ metrics: counts, ...options });
  b.answer = acknowledge;
  closers.push(() => b.transport.close());
  return { b, counts };
}

async function client(b: Endpoint): Promise<RawConnection> {
  const connection = await rawConnect(b.transport.port);
  closers.push(() => connection.socket.terminate());
  return connection;
}

function bytesOf(mark: number, entryBytes?: number): Uint8Array {
  return Buffer.concat(encodeRequest(append(mark, entryBytes)));
}

/** The `lastLog`s of the answers that arrived: the marks of the requests. */
function answers(connection: RawConnection): number[] {
  const decoder = new ResponseDecoder();
  decoder.push(connection.bytes);
  const found: number[] = [];
  for (;;) {
    const response = decoder.next('append');
    if (response === null) return found;
    if (response.kind === 'append') found.push(response.lastLog);
  }
}

describe('requests', () => {
  test('split byte by byte are understood, and answered once each', async () => {
    const { b } = await server();
    const connection = await client(b);
    const bytes = Buffer.concat([bytesOf(1), bytesOf(2, 20), bytesOf(3)]);
    for (let i = 0; i < bytes.length; i += 1) {
      connection.write(bytes.subarray(i, i + 1));
      await new Promise(setImmediate);
    }
    await eventually('three answers', () => answers(connection).length === 3);
    expect(answers(connection)).toEqual([1, 2, 3]);
  });

  test('of one connection reach the core one at a time, in order, each after the reply to the one before', async () => {
    const { b } = await server();
    b.answer = () => null;
    const connection = await client(b);
    connection.write(Buffer.concat([bytesOf(1), bytesOf(2), bytesOf(3)]));
    for (let i = 1; i <= 3; i += 1) {
      const event = (await b.received('request', i))[i - 1]!;
      await new Promise(setImmediate);
      expect(b.of('request')).toHaveLength(i);
      expect(event.request).toMatchObject({ prevLogIndex: i });
      let isInside = true;
      b.observe = () => expect(isInside).toBe(false);
      b.transport.reply(event.inboundId, acknowledge(event.request));
      isInside = false;
    }
    await eventually('three answers', () => answers(connection).length === 3);
  });

  test('a thousand in one packet are all answered, in turns', async () => {
    const { b } = await server();
    const connection = await client(b);
    connection.write(Buffer.concat(Array.from({ length: 1000 }, (_, i) => bytesOf(i))));
    await eventually('all answers', () => answers(connection).length === 1000);
    expect(answers(connection)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  });

  test('of a busy connection leave room for those of others between them', async () => {
    const { b } = await server();
    const [busy, other] = [await client(b), await client(b)];
    busy.write(Buffer.concat(Array.from({ length: 3000 }, () => bytesOf(1))));
    other.write(bytesOf(2));
    const requests = await b.received('request', 3001);
    const turn = requests.findIndex((one) => one.request.kind === 'append' && one.request.prevLogIndex === 2);
    expect(turn).toBeLessThan(300);
  });

  test('heartbeats are answered while another connection waits and a third is half way through an entry', async () => {
    const { b } = await server();
    b.answer = (request) => (request.kind === 'append' && request.prevLogIndex === 7 ? null : acknowledge(request));
    const [waiting, partial, heartbeat] = [await client(b), await client(b), await client(b)];
    waiting.write(bytesOf(7, 100));
    partial.write(bytesOf(8, 10 * MIB).subarray(0, 5 * MIB));
    heartbeat.write(bytesOf(9));
    await eventually('the heartbeat to be answered', () => answers(heartbeat).length === 1);
    expect(waiting.bytes).toHaveLength(0);
  });

  test('replies to connections that are gone are ignored, and nothing more comes of them', async () => {
    const { b } = await server();
    b.answer = () => null;
    const connection = await client(b);
    connection.write(Buffer.concat([bytesOf(1), bytesOf(2)]));
    const [request] = await b.received('request');
    connection.socket.terminate();
    expect(await b.received('inboundClosed')).toEqual([{ kind: 'inboundClosed', connectionId: request!.connectionId }]);
    b.transport.reply(request!.inboundId, acknowledge(request!.request));
    b.transport.reply(987_654, acknowledge(request!.request));
    const next = await client(b);
    next.write(bytesOf(3));
    await b.received('request', 2);
    expect(b.of('request')[1]!.request).toMatchObject({ prevLogIndex: 3 });
  });

  test('closeInbound closes without an answer; inboundClosed comes once, and only for connections that were heard', async () => {
    const { b } = await server();
    b.answer = () => null;
    const [heard, silent] = [await client(b), await client(b)];
    heard.write(bytesOf(1));
    const [request] = await b.received('request');
    b.transport.closeInbound(request!.connectionId);
    b.transport.closeInbound(request!.connectionId);
    await heard.closed();
    expect(heard.bytes).toHaveLength(0);
    silent.socket.terminate();
    const last = await client(b);
    last.write(bytesOf(2));
    await b.received('request', 2);
    expect(b.of('inboundClosed')).toEqual([{ kind: 'inboundClosed', connectionId: request!.connectionId }]);
  });
});

describe('bad input', () => {
  const cases: readonly (readonly [string, string, Uint8Array])[] = [
    ['an HTTP request', 'unknown-type', new TextEncoder().encode('GET / HTTP/1.1\r\n\r\n')],
    ['no msgpack', 'malformed', new Uint8Array([0, 0xc1])],
    ['a string that is too long', 'over-limit', new Uint8Array([0, 0x81, 0xdb, 0xff, 0xff, 0xff, 0xff])],
  ];
  test.each(cases)('%s closes that connection, is counted as %s and touches nothing else', async (_, reason, bytes) => {
    const { b, counts } = await server();
    const [good, bad] = [await client(b), await client(b)];
    good.write(bytesOf(1));
    await eventually('an answer', () => answers(good).length === 1);
    bad.write(bytes);
    await bad.closed();
    expect(bad.bytes).toHaveLength(0);
    expect(counts.get(`raft_wire_errors_total ${reason}`)).toBe(1);
    good.write(bytesOf(2));
    await eventually('another answer', () => answers(good).length === 2);
    expect(b.of('inboundClosed')).toHaveLength(0);
  });

  test('is logged once per second and address, with the number of those left out', async () => {
    const logged: { level: LogLevel; fields: unknown }[] = [];
    let skewMs = 0;
    const { b, counts } = await server({
      now: () => performance.now() + skewMs,
      logger: { log: (level, _message, fields) => logged.push({ level, fields }) },
    });
    for (let i = 0; i < 5; i += 1) {
      if (i === 4) skewMs = 1000;
      const bad = await client(b);
      bad.write(new Uint8Array([9]));
      await bad.closed();
    }
    expect(counts.get('raft_wire_errors_total unknown-type')).toBe(5);
    expect(logged).toHaveLength(2);
    expect(logged[1]).toMatchObject({ level: 'warn', fields: { remote: '127.0.0.1', suppressed: 3 } });
  });

  test('a flood behind an unanswered request is not read: memory stays bounded, service goes on', async () => {
    const { b } = await server();
    b.answer = (request) => (request.kind === 'append' && request.prevLogIndex === 1 ? null : acknowledge(request));
    const flooder = await client(b);
    flooder.onChunk = () => undefined;
    const flood = Buffer.concat([bytesOf(1), ...Array.from({ length: 100 }, () => bytesOf(2, MIB))]);
    flooder.write(flood);
    const [first] = await b.received('request');
    const good = await client(b);
    for (let i = 10; i < 20; i += 1) {
      good.write(bytesOf(i));
      await eventually('an answer', () => answers(good).includes(i));
    }
    // What left the flooder is in kernel buffers, but for a little more than the read-ahead bound.
    expect(flooder.unsentBytes).toBeGreaterThan(flood.length / 2);
    b.transport.reply(first!.inboundId, acknowledge(first!.request));
    await b.received('request', 111);
    expect(flooder.unsentBytes).toBe(0);
  });

  test('a peer that does not read its answers is not served on', async () => {
    const { b } = await server({ limits: { replyBacklogBytesMax: 1000 } });
    b.answer = (request) => ({ kind: 'error', message: `${request.id}`.repeat(10_000) });
    const deaf = await client(b);
    deaf.socket.pause();
    const count = 3000;
    deaf.write(Buffer.concat(Array.from({ length: count }, (_, i) => bytesOf(i))));
    const good = await client(b);
    good.onChunk = () => undefined;
    for (let i = 1; i <= 200; i += 1) {
      good.write(bytesOf(i));
      await eventually('an answer', () => good.receivedBytes >= i * 10_000);
    }
    const served = b.of('request').length;
    expect(served).toBeLessThan(count);
    deaf.onChunk = () => undefined;
    deaf.socket.resume();
    await b.received('request', count + 200);
  });
});

describe('bounds', () => {
  test('beyond the most connections, all of them heard lately, a new one is closed at once, counted, and room is made by a close', async () => {
    const { b, counts } = await server({ limits: { inboundConnectionsMax: 2 } });
    const [first, second] = [await client(b), await client(b)];
    for (const one of [first, second]) one.write(bytesOf(1));
    await eventually('both to be heard', () => [first, second].every((one) => answers(one).length === 1));
    const third = await client(b);
    await third.closed();
    expect(counts.get('raft_connections_rejected_total limit')).toBe(1);
    expect(counts.get('raft_connections in')).toBe(2);
    first.socket.end();
    await eventually('room', () => counts.get('raft_connections in') === 1);
    const fourth = await client(b);
    fourth.write(bytesOf(1));
    await eventually('an answer', () => answers(fourth).length === 1);
  });

  test.each([
    ['in all', { inboundConnectionsMax: 4 }],
    ['from one address', { inboundPerAddressMax: 4 }],
  ])(
    'beyond the most connections %s, one that was never heard gives way: the one with the fewest bytes, the oldest of equals',
    async (_, limits) => {
      let nowMs = 0;
      // Bytes are counted at most every 100 ms: a clock that runs shows them at once.
      const { b, counts } = await server({ limits, now: () => (nowMs += 101) });
      const heard = await client(b);
      heard.write(bytesOf(1));
      await eventually('an answer', () => answers(heard).length === 1);
      const partial = await client(b);
      const large = bytesOf(2, 100_000);
      partial.write(large.subarray(0, 50_000));
      await eventually('its bytes', () => counts.get('raft_bytes_total in') > 50_000);
      const [older, newer] = [await client(b), await client(b)];
      const next = await client(b);
      await older.closed();
      next.write(bytesOf(3));
      await eventually('an answer', () => answers(next).length === 1);
      partial.write(large.subarray(50_000));
      heard.write(bytesOf(4));
      await eventually('answers', () => answers(partial).length === 1 && answers(heard).length === 2);
      expect(newer.isClosed).toBe(false);
      expect(counts.get('raft_connections_rejected_total displaced')).toBe(1);
      expect(counts.get('raft_connections in')).toBe(4);
    },
  );

  test.each([
    ['in all', { inboundConnectionsMax: 4 }],
    ['from one address', { inboundPerAddressMax: 4 }],
  ])(
    'beyond the most connections %s, all of them heard, the one silent for ten seconds the longest gives way, unless it waits for our answer',
    async (_, limits) => {
      let skewMs = 0;
      const { b, counts } = await server({ limits, now: () => performance.now() + skewMs });
      b.answer = (request) => (request.kind === 'append' && request.prevLogIndex === 7 ? null : acknowledge(request));
      const [waiting, older, newer, busy] = [await client(b), await client(b), await client(b), await client(b)];
      waiting.write(bytesOf(7));
      // A part of another request is no sign of life.
      older.write(Buffer.concat([bytesOf(1), bytesOf(2).subarray(0, 50)]));
      for (const one of [newer, busy]) one.write(bytesOf(3));
      await b.received('request', 4);
      skewMs = 1000;
      newer.write(bytesOf(4));
      await b.received('request', 5);
      skewMs = 9000;
      const early = await client(b);
      await early.closed();
      expect(counts.get('raft_connections_rejected_total limit')).toBe(1);
      skewMs = 15_000;
      busy.write(bytesOf(5));
      await b.received('request', 6);
      for (const silent of [older, newer]) {
        const next = await client(b);
        await silent.closed();
        next.write(bytesOf(6));
        await eventually('an answer', () => answers(next).length === 1);
      }
      expect(counts.get('raft_connections_rejected_total displaced')).toBe(2);
      expect(b.of('inboundClosed')).toHaveLength(2);
      const late = await client(b);
      await late.closed();
      expect([waiting.isClosed, busy.isClosed]).toEqual([false, false]);
    },
  );

  test('a first request that does not come on is given up; idle connections and slow but steady ones are not', async () => {
    let skewMs = 0;
    const { b, counts } = await server({
      limits: { firstRequestMs: 40, progressBytesMin: 1000 },
      now: () => performance.now() + skewMs,
    });
    const [loris, idle, steady, heard] = [await client(b), await client(b), await client(b), await client(b)];
    loris.write(bytesOf(1).subarray(0, 50));
    steady.write(bytesOf(2, 900_000).subarray(0, 800_000));
    heard.write(Buffer.concat([bytesOf(3), bytesOf(4).subarray(0, 50)]));
    await eventually('an answer', () => answers(heard).length === 1);
    skewMs = 1000;
    await loris.closed();
    expect(counts.get('raft_connections_rejected_total stalled')).toBe(1);
    expect([idle.isClosed, steady.isClosed, heard.isClosed]).toEqual([false, false, false]);
  });

  test('unfinished requests share a bound: the longest unfinished goes, a single one may go on', async () => {
    const { b, counts } = await server({ limits: { incompleteBytesMax: 4 * MIB } });
    const alone = await client(b);
    const whole = bytesOf(1, 6 * MIB);
    alone.write(whole.subarray(0, 5 * MIB));
    await eventually(
      'the bytes to arrive',
      () => counts.get('raft_bytes_total in') > 4 * MIB || alone.unsentBytes === 0,
    );
    const second = await client(b);
    second.write(bytesOf(2, MIB));
    await eventually('an answer', () => answers(second).length === 1);
    await alone.closed();
    expect(counts.get('raft_connections_rejected_total memory')).toBe(1);
    const later = await client(b);
    later.write(whole);
    await eventually('an answer', () => answers(later).length === 1);
  });

  test('a single unfinished request goes on beyond that bound to one of its own, where its connection is closed', async () => {
    const { b, counts } = await server({ limits: { incompleteBytesMax: 2 * MIB, loneRequestBytesMax: 4 * MIB } });
    const [fits, endless] = [await client(b), await client(b)];
    fits.write(bytesOf(1, 3.5 * MIB));
    await eventually('an answer', () => answers(fits).length === 1);
    endless.write(bytesOf(2, 64 * MIB).subarray(0, 5 * MIB));
    await endless.closed();
    expect(counts.get('raft_connections_rejected_total memory')).toBe(1);
    fits.write(bytesOf(3));
    await eventually('an answer', () => answers(fits).length === 2);
  });

  test('a large request that does not end is given up, also of a connection that was heard; what waits for an answer of ours is not', async () => {
    let skewMs = 0;
    const { b, counts } = await server({
      limits: { firstRequestMs: 40, largeRequestMs: 60_000, readAheadBytesMax: 1000 },
      now: () => performance.now() + skewMs,
    });
    b.answer = (request) => (request.kind === 'append' && request.prevLogIndex === 7 ? null : acknowledge(request));
    const [large, small, waiting] = [await client(b), await client(b), await client(b)];
    large.write(Buffer.concat([bytesOf(1), bytesOf(2, 100_000).subarray(0, 50_000)]));
    small.write(Buffer.concat([bytesOf(3), bytesOf(4, 100_000).subarray(0, 500)]));
    waiting.write(Buffer.concat([bytesOf(7), bytesOf(5, 100_000)]));
    await eventually('answers', () => answers(large).length === 1 && answers(small).length === 1);
    await eventually('all bytes to arrive', () => waiting.unsentBytes === 0);
    skewMs = 50_000;
    const loris = await client(b);
    loris.write(bytesOf(6).subarray(0, 50));
    await loris.closed();
    expect(large.isClosed).toBe(false);
    skewMs = 61_000;
    await large.closed();
    expect(counts.get('raft_connections_rejected_total stalled')).toBe(2);
    expect([small.isClosed, waiting.isClosed]).toEqual([false, false]);
  });

  test('1 000 idle connections cost little memory and no service', async () => {
    const { b, counts } = await server();
    const settle = async (): Promise<number> => {
      Bun.gc(true);
      await new Promise(setImmediate);
      Bun.gc(true);
      return process.memoryUsage().rss;
    };
    const before = await settle();
    const idle: RawConnection[] = [];
    for (let i = 0; i < 1000; i += 1) idle.push(await client(b));
    await eventually('all to be accepted', () => counts.get('raft_connections in') === 1000);
    const perConnection = ((await settle()) - before) / 1000;
    expect(perConnection).toBeLessThan(64 * 1024);
    const active = await client(b);
    active.write(bytesOf(1));
    await eventually('an answer', () => answers(active).length === 1);
    expect(idle.filter((one) => one.isClosed)).toHaveLength(0);
  });
});
