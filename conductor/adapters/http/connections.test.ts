import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HttpConnection } from './connection.ts';
import { Connections } from './connections.ts';
import { Pipe } from './testing/pipe.ts';
import { post } from './testing/raw-client.ts';

const bodyBytesMax = 2 * 1024 * 1024;
const bodyBytes = bodyBytesMax;
const unsentBytesMax = 1024 * 1024;
/** An answer this long, of which the client reads little, holds a sixteenth of what all may. */
const answerBytes = unsentBytesMax / 16;

/** A body waits for those that were complete before, one turn each. */
const turnsMax = 300;

interface Client {
  readonly pipe: Pipe;
  readonly connection: HttpConnection;
}

/** All connections of a server whose clients read nothing unless they are told to. */
class World {
  readonly shed: string[] = [];
  readonly clients: Client[] = [];
  readonly #connections = new Connections({
    bodyBytesMax,
    unsentBytesMax,
    now: () => 0,
    begin: () => null,
    answer: ({ path }) => ({ status: 200, headers: '', body: path === '/long' ? 'x'.repeat(answerBytes) : 'short' }),
    tooLarge: () => ({ status: 413, headers: '', body: '' }),
    shed: (reason) => this.shed.push(reason),
  });

  open(takes: number): Client {
    const pipe = new Pipe();
    pipe.takes = takes;
    const client = { pipe, connection: this.#connections.add(new HttpConnection(pipe, this.#connections)) };
    this.clients.push(client);
    return client;
  }

  /** Held by all clients there ever were, gone ones too. */
  get bodyBytes(): number {
    return this.clients.reduce((sum, { connection }) => sum + connection.bodyBytes, 0);
  }

  get unsentBytes(): number {
    return this.clients.reduce((sum, { connection }) => sum + connection.unsentBytes, 0);
  }
}

const begun = Buffer.from(`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${bodyBytes}\r\n\r\n[`);
const chunks = [
  begun,
  Buffer.alloc(1, '['),
  Buffer.alloc(600_000, '['),
  Buffer.alloc(1_100_000, '['),
  Buffer.from(post('x').replace('POST / ', 'POST /long ')),
  Buffer.from('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n'),
];
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('open' as const), takes: fc.constantFrom(0, 10, Infinity) }) },
  {
    weight: 9,
    arbitrary: fc.record({ kind: fc.constant('feed' as const), who: fc.nat(), chunk: fc.nat(chunks.length - 1) }),
  },
  fc.record({ kind: fc.constant('drain' as const), who: fc.nat(), takes: fc.constantFrom(1, answerBytes, Infinity) }),
  fc.record({ kind: fc.constantFrom('end' as const, 'gone' as const, 'finish' as const), who: fc.nat() }),
);

function apply(world: World, step: typeof change extends fc.Arbitrary<infer Step> ? Step : never): void {
  if (step.kind === 'open') return void world.open(step.takes);
  const client = world.clients[step.who % world.clients.length];
  if (client === undefined) return;
  if (step.kind === 'feed') client.connection.receive(chunks[step.chunk] ?? begun);
  else if (step.kind === 'end') client.connection.ended();
  else if (step.kind === 'gone') client.connection.closed();
  else if (step.kind === 'finish') client.connection.closeWhenIdle();
  else if (step.kind === 'drain') {
    client.pipe.takes = step.takes;
    client.connection.drained();
  }
}

/** A body that comes in pieces is read and answered, in one of the next turns. */
async function isServed(world: World): Promise<boolean> {
  const { pipe, connection } = world.open(Infinity);
  connection.receive(begun);
  connection.receive(Buffer.alloc(bodyBytes - 1, '['));
  for (let turn = 0; turn < turnsMax && pipe.sent === ''; turn += 1) await new Promise(setImmediate);
  connection.closed();
  return pipe.sent.startsWith('HTTP/1.1 200 ');
}

test('memory for bodies and answers stays bounded, and none is held when nobody is connected', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 200, size: 'max' }), async (steps) => {
      const world = new World();
      for (const step of steps) {
        apply(world, step);
        expect(world.bodyBytes).toBeLessThanOrEqual(4 * bodyBytesMax);
        expect(world.unsentBytes).toBeLessThanOrEqual(unsentBytesMax);
      }
      for (const { connection } of world.clients) connection.closed();
      expect(await isServed(world)).toBe(true);
      expect([world.bodyBytes, world.unsentBytes]).toEqual([0, 0]);
    }),
    { numRuns: 50 },
  );
});

test('clients that go while they send or wait for room leave nothing behind: the next body is read', async () => {
  const world = new World();
  // Were the rest of one that is gone still counted, each round would be full with one sender fewer.
  for (let round = 0; round < 8; round += 1) {
    const senders = Array.from({ length: 8 }, () => world.open(Infinity));
    for (const { connection } of senders) connection.receive(begun);
    const states = senders.map(({ connection }) => connection.state);
    expect(states).toEqual([...Array(3).fill('reading'), ...Array(5).fill('waiting')]);
    expect(senders.map(({ pipe }) => pipe.isPaused)).toEqual(states.map((state) => state === 'waiting'));
    for (const { connection } of senders) connection.receive(Buffer.alloc(bodyBytes - 2, '['));
    for (const { connection } of senders.toReversed()) connection.closed();
  }
  expect(world.shed).toEqual([]);
  expect(await isServed(world)).toBe(true);
});

test('small bodies hold as much as a large one together: the oldest goes', async () => {
  const world = new World();
  const part = Buffer.from(
    `POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${bodyBytes / 4}\r\n\r\n${'['.repeat(400_000)}`,
  );
  const senders = Array.from({ length: 6 }, () => world.open(Infinity));
  for (const { connection } of senders) {
    connection.receive(part);
    expect(world.bodyBytes).toBeLessThanOrEqual(bodyBytesMax);
  }
  expect(senders[0]?.connection.state).toBe('closed');
  expect(senders.at(-1)?.connection.state).toBe('reading');
  expect(senders[0]?.pipe.sent).toContain('503 Service Unavailable');
  expect(new Set(world.shed)).toEqual(new Set(['memory']));
});

test('answers that nobody reads are bounded together: who has not read for longest goes', () => {
  const world = new World();
  const readers = Array.from({ length: 24 }, () => world.open(0));
  for (const { connection } of readers) {
    connection.receive(Buffer.from(post('x').replace('POST / ', 'POST /long ')));
    expect(world.unsentBytes).toBeLessThanOrEqual(unsentBytesMax);
  }
  const states = readers.map(({ connection }) => connection.state);
  const kept = states.filter((state) => state === 'writing').length;
  expect(kept).toBeGreaterThan(8);
  expect(states.slice(-kept)).toEqual(Array.from({ length: kept }, () => 'writing'));
  expect(world.shed).toHaveLength(24 - kept);
});

test('an answer that was read late is not kept', () => {
  const world = new World();
  const { pipe, connection } = world.open(0);
  connection.receive(Buffer.from(post('x').replace('POST / ', 'POST /long ')));
  expect(connection.unsentBytes).toBeGreaterThan(answerBytes);
  pipe.takes = answerBytes;
  connection.drained();
  expect(connection.unsentBytes).toBeGreaterThan(answerBytes);
  pipe.takes = Infinity;
  connection.drained();
  expect([connection.state, connection.unsentBytes]).toEqual(['idle', 0]);
});
