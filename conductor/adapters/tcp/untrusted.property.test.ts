import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeRequest } from '#conductor/core/wire/encode-message';
import { Endpoint, acknowledge, append, eventually } from './testing/endpoint.ts';
import { rawConnect, type RawConnection } from './testing/raw-peer.ts';

const MIB = 1024 * 1024;
const RUNS = 300;
/** What a run may hold at its end that it did not at its beginning. */
const GROWTH_BYTES_MAX = 64 * MIB;

const header = { protocolVersion: 3, id: 'a', address: 'peer.test:50050' };
const requests: readonly Uint8Array[] = [
  append(1),
  append(2, 300),
  {
    ...header,
    kind: 'vote' as const,
    candidate: null,
    term: 2,
    lastLogIndex: 1,
    lastLogTerm: 1,
    leadershipTransfer: false,
  },
  { ...header, kind: 'prevote' as const, term: 2, lastLogIndex: 1, lastLogTerm: 1 },
  { ...header, kind: 'timeoutNow' as const },
].map((request) => Buffer.concat(encodeRequest(request)));

/** One change of valid bytes. */
type Change = (bytes: Uint8Array) => Uint8Array;
const byte = fc.integer({ min: 0, max: 255 });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.nat(2000), byte).map(
    ([at, value]): Change =>
      (bytes) =>
        bytes.with(at % bytes.length, value),
  ),
  fc.nat(2000).map(
    (at): Change =>
      (bytes) =>
        bytes.subarray(0, 1 + (at % bytes.length)),
  ),
  fc.tuple(fc.nat(2000), fc.uint8Array({ maxLength: 40 })).map(([at, more]): Change => (bytes) => {
    const place = at % bytes.length;
    return Buffer.concat([bytes.subarray(0, place), more, bytes.subarray(place)]);
  }),
  // A length of four bytes where there was something else: 4 GiB announced.
  fc.nat(2000).map((at): Change => (bytes) => {
    const place = at % bytes.length;
    return Buffer.concat([bytes.subarray(0, place), Buffer.from('dbffffffff', 'hex'), bytes.subarray(place)]);
  }),
);
const changed = fc
  .tuple(fc.constantFrom(...requests), fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([bytes, changes]) => changes.reduce((before, one) => (before.length === 0 ? before : one(before)), bytes));

/** Msgpack of any shape, in the old and the new kinds of strings and lengths. */
const msgpack: fc.Arbitrary<Uint8Array> = fc.letrec<{ value: Uint8Array }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    byte.map((one) => Buffer.from([one])),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((one) => {
      const bytes = Buffer.alloc(9, 0xcf);
      bytes.writeBigUInt64BE(one, 1);
      return bytes;
    }),
    fc.constantFrom('Term', 'Entries', 'RPCHeader', 'ID', 'Addr', 'PrevLogEntry', 'Data').map((key) => {
      return Buffer.concat([Buffer.from([0xa0 + key.length]), Buffer.from(key)]);
    }),
    fc
      .array(tie('value'), { maxLength: 8 })
      .map((items) => Buffer.concat([Buffer.from([0x90 + items.length]), ...items])),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 8 }).map((members) => {
      return Buffer.concat([Buffer.from([0x80 + members.length]), ...members.flat()]);
    }),
  ),
})).value;
const structured = fc
  .tuple(fc.integer({ min: 0, max: 6 }), msgpack)
  .map(([type, body]) => Buffer.concat([Buffer.from([type]), body]));

const input = fc.array(
  fc.oneof(fc.uint8Array({ maxLength: 3000 }), changed, structured, fc.constantFrom(...requests)),
  {
    minLength: 1,
    maxLength: 5,
  },
);

describe('whatever bytes come to the raft port', () => {
  let b: Endpoint;
  let open = 0;
  beforeAll(async () => {
    const gauge = (name: string, value: number, labels: Readonly<Record<string, string>> = {}): void => {
      if (name === 'raft_connections' && labels['direction'] === 'in') open = value;
    };
    b = await Endpoint.open({ metrics: { count: () => undefined, gauge, observe: () => undefined } });
    b.answer = acknowledge;
    // Events hold what was decoded: nothing of it is kept here.
    b.observe = () => void (b.events.length = 0);
  });
  afterAll(() => b.transport.close());

  async function isAnswered(connection: RawConnection): Promise<void> {
    const before = connection.receivedBytes;
    connection.write(requests[0] as Uint8Array);
    await eventually('an answer beside it', () => connection.receivedBytes > before);
  }

  test(
    'others are answered meanwhile, the connection ends when its peer ends it, and nothing of it is kept',
    { timeout: 120_000 },
    async () => {
      const other = await rawConnect(b.transport.port);
      Bun.gc(true);
      const before = process.memoryUsage().heapUsed;
      await fc.assert(
        fc.asyncProperty(input, async (pieces) => {
          const hostile = await rawConnect(b.transport.port);
          for (const piece of pieces) {
            hostile.write(piece);
            await new Promise(setImmediate);
          }
          await isAnswered(other);
          hostile.socket.end();
          await eventually('its end', () => open === 1);
        }),
        { numRuns: RUNS },
      );
      Bun.gc(true);
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(GROWTH_BYTES_MAX);
      other.socket.end();
    },
  );
});
