/** Bodies that are arriving, without sockets: what all of them hold, whoever comes, stops and goes. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReceivedBody } from './arrival.ts';
import { ArrivingBodies, type Addresses } from './arriving-bodies.ts';

const mebibyte = 1024 * 1024;
const bodyBytesMax = 8 * mebibyte;
const smallBytesMax = 64 * mebibyte;

const nowhere: Addresses = { requestIP: () => null };

/** A client and its request; the body comes when the client says so. */
class Client {
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  readonly length: number | null;
  readonly received: Promise<ReceivedBody>;
  outcome: ReceivedBody | null = null;
  #sent = 0;
  #isOver = false;

  constructor(bodies: ArrivingBodies, length: number | null) {
    this.length = length;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      cancel: () => void (this.#isOver = true),
    });
    const headers: Record<string, string> =
      length === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) };
    this.received = bodies.receive(new Request('http://h/', { method: 'POST', headers, body: stream }), nowhere, nowMs);
    void this.received.then((outcome) => (this.outcome = outcome));
  }

  send(bytes: number): void {
    const left = Math.min(bytes, (this.length ?? Infinity) - this.#sent);
    if (this.#isOver || this.outcome !== null || left === 0) return;
    this.#sent += left;
    this.#controller?.enqueue(new Uint8Array(left).fill(0x61));
  }

  /** All that was announced, or the last chunk. */
  finish(): void {
    if (this.#isOver || this.outcome !== null) return;
    if (this.length !== null) this.send(this.length);
    this.#isOver = true;
    this.#controller?.close();
  }

  /** Its body has been read; nothing where there is none. */
  release(): void {
    if (this.outcome?.kind === 'whole') this.outcome.release();
  }

  vanish(): void {
    if (this.#isOver || this.outcome !== null) return;
    this.#isOver = true;
    this.#controller?.error(new Error('gone'));
  }
}

let bodies: ArrivingBodies;
let nowMs = 0;
const shed: string[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 0;
  shed.length = 0;
  bodies = new ArrivingBodies({ bodyBytesMax, now: () => nowMs, shed: (why) => shed.push(why) });
});
afterEach(() => {
  bodies.close();
  vi.useRealTimers();
});

/** Lets everything that waits for no timer go on. */
async function settle(): Promise<void> {
  for (let each = 0; each < 50; each += 1) await Promise.resolve();
}

test('small bodies announce no more than the bound together: the oldest goes', async () => {
  const clients = Array.from({ length: 80 }, () => new Client(bodies, mebibyte));
  await settle();
  expect(bodies.held).toEqual({ bytes: smallBytesMax, bodies: 64 });
  const outcomes = clients.map(({ outcome }) => outcome);
  expect(outcomes.slice(0, 16)).toEqual(Array.from({ length: 16 }, () => ({ kind: 'given-up', why: 'memory' })));
  expect(outcomes.slice(16)).toEqual(Array(64).fill(null));
  for (const client of clients) client.finish();
  for (const client of clients) await client.received;
  expect(clients.slice(16).map(({ outcome }) => outcome?.kind)).toEqual(Array(64).fill('whole'));
  for (const client of clients) client.release();
  expect(bodies.held).toEqual({ bytes: 0, bodies: 0 });
});

test.each([
  ['announced', mebibyte],
  ['of unknown length', null],
])(
  'small bodies %s that wait to be read count until then, and more than there is room for are given up',
  async (_, length) => {
    const clients: Client[] = [];
    for (let each = 0; each < 80; each += 1) {
      const client = new Client(bodies, length);
      clients.push(client);
      client.send(mebibyte);
      client.finish();
      await settle();
      expect(bodies.held.bytes).toBeLessThanOrEqual(smallBytesMax);
    }
    expect(bodies.held).toEqual({ bytes: smallBytesMax, bodies: 0 });
    const kinds = clients.map(({ outcome }) => outcome?.kind);
    expect(kinds).toEqual([...Array(64).fill('whole'), ...Array(16).fill('given-up')]);
    for (const client of [...clients, ...clients]) client.release();
    expect(bodies.held).toEqual({ bytes: 0, bodies: 0 });
  },
);

test('bodies of unknown length count by what has come, until they are large and have room', async () => {
  const chunked = new Client(bodies, null);
  chunked.send(1000);
  await settle();
  const { bytes } = bodies.held;
  expect(bytes).toBeGreaterThanOrEqual(1000);
  expect(bytes).toBeLessThan(mebibyte);
  chunked.send(mebibyte);
  await settle();
  chunked.send(mebibyte);
  await settle();
  expect([bodies.held.bytes, bodies.room.bytes]).toEqual([0, bodyBytesMax]);
  chunked.finish();
  const whole = await chunked.received;
  expect(whole.kind === 'whole' ? whole.bytes.length : 0).toBe(2 * mebibyte + 1000);
  if (whole.kind === 'whole') whole.leave();
  expect(bodies.room.bytes).toBe(0);
});

test('large bodies that are announced and do not come take no place among those that wait', async () => {
  const announced = Array.from({ length: 100 }, () => new Client(bodies, bodyBytesMax));
  await settle();
  expect([bodies.room.bytes, bodies.held]).toEqual([0, { bytes: 0, bodies: 100 }]);
  const honest = new Client(bodies, 2 * mebibyte);
  honest.finish();
  await settle();
  expect(honest.outcome?.kind).toBe('whole');
  for (const client of announced) client.send(1000);
  await settle();
  expect([bodies.room.bytes, bodies.held.bytes]).toEqual([2 * mebibyte, 100 * 64 * 1024]);
});

test('a body that finds too many waiting is given up', async () => {
  for (let each = 0; each < 2; each += 1) new Client(bodies, bodyBytesMax).send(mebibyte);
  await settle();
  expect(bodies.room.bytes).toBe(2 * bodyBytesMax);
  const waiting = Array.from({ length: 40 }, () => new Client(bodies, bodyBytesMax));
  for (const client of waiting) {
    client.send(mebibyte);
    await settle();
  }
  const outcomes = waiting.map(({ outcome }) => outcome);
  expect(outcomes.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => ({ kind: 'given-up', why: 'memory' })));
  expect(outcomes.slice(8)).toEqual(Array(32).fill(null));
});

test('a body of unknown length that grows beyond the largest is too large', async () => {
  const chunked = new Client(bodies, null);
  for (let each = 0; each <= 8; each += 1) {
    chunked.send(mebibyte);
    await settle();
  }
  expect(await chunked.received).toEqual({ kind: 'too-large' });
  expect([bodies.held.bodies, bodies.room.bytes]).toEqual([0, 0]);
});

test('whatever comes, stops and goes, what is held is within the bounds, and nothing when all are gone', async () => {
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('open' as const),
        length: fc.constantFrom(null, 1, 20_000, mebibyte, 2 * mebibyte, bodyBytesMax),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('send' as const),
        who: fc.nat(),
        bytes: fc.constantFrom(1, 70_000, mebibyte),
      }),
    },
    fc.record({ kind: fc.constantFrom('finish' as const, 'vanish' as const), who: fc.nat() }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(300, 1500, 31_000) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const clients: Client[] = [];
      const answered = new Set<Client>();
      const answer = (): void => {
        for (const client of clients)
          if (client.outcome?.kind === 'whole' && !answered.has(client)) {
            answered.add(client);
            client.outcome.release();
            client.outcome.leave();
          }
      };
      for (const each of steps) {
        const client = 'who' in each ? clients[each.who % Math.max(1, clients.length)] : undefined;
        if (each.kind === 'open') clients.push(new Client(bodies, each.length));
        else if (each.kind === 'send') client?.send(each.bytes);
        else if ('who' in each) client?.[each.kind]();
        else {
          nowMs += each.ms;
          vi.advanceTimersByTime(each.ms);
        }
        await settle();
        answer();
        await settle();
        expect(bodies.held.bytes).toBeLessThanOrEqual(smallBytesMax);
        expect(bodies.room.bytes).toBeLessThanOrEqual(16 * mebibyte);
      }
      for (const client of clients) client.vanish();
      await settle();
      answer();
      await settle();
      nowMs += 31_000;
      vi.advanceTimersByTime(2000);
      await settle();
      expect([bodies.held.bytes, bodies.held.bodies, bodies.room.bytes]).toEqual([0, 0, 0]);
      expect(clients.filter(({ outcome }) => outcome === null)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
