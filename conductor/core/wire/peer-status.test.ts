import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankPeerStatus, decodePeerStatus, encodePeerStatus, type PeerStatus } from './peer-status.ts';
import { type PlainMap, PlainReader } from './testing/plain-msgpack.ts';

const none = blankPeerStatus('');
const full: PeerStatus = {
  version: '1.2.3',
  healthy: true,
  paused: true,
  builds: true,
  ends: true,
  unsafeNumber: 120_000_000,
  unsafeHash: new Uint8Array(32).fill(0xab),
  clientNumber: 119_999_998,
  clientHash: new Uint8Array(32).fill(0xef),
  safeNumber: 119_999_000,
  l1Number: 24_000_000,
  observations: [
    { number: 120_000_000, hash: new Uint8Array(32).fill(0xcd), kinds: 0x29 },
    { number: 119_999_999, hash: new Uint8Array(), kinds: 2 ** 32 - 1 },
  ],
  validates: true,
  own: ['n1', 'n2', 'wächter'],
};

const peerStatus: fc.Arbitrary<PeerStatus> = fc.record({
  version: fc.string({ maxLength: 64 }),
  healthy: fc.option(fc.boolean()),
  paused: fc.boolean(),
  builds: fc.boolean(),
  ends: fc.boolean(),
  unsafeNumber: fc.option(fc.maxSafeNat()),
  unsafeHash: fc.option(fc.uint8Array({ maxLength: 64 })),
  clientNumber: fc.option(fc.maxSafeNat()),
  clientHash: fc.option(fc.uint8Array({ maxLength: 64 })),
  safeNumber: fc.option(fc.maxSafeNat()),
  l1Number: fc.option(fc.maxSafeNat()),
  observations: fc.array(
    fc.record({ number: fc.maxSafeNat(), hash: fc.uint8Array({ maxLength: 64 }), kinds: fc.nat(2 ** 32 - 1) }),
    { maxLength: 8 },
  ),
  validates: fc.boolean(),
  own: fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 20 }),
});

describe('peerStatus', () => {
  test('come back as they were', () => {
    expect(decodePeerStatus(encodePeerStatus(none))).toEqual(none);
    expect(decodePeerStatus(encodePeerStatus(full))).toEqual(full);
    fc.assert(
      fc.property(peerStatus, (sent) => {
        expect(decodePeerStatus(encodePeerStatus(sent))).toEqual(sent);
      }),
    );
  });

  test('are one msgpack map with sorted keys, null left out', () => {
    const keysOf = (sent: PeerStatus) =>
      (new PlainReader(encodePeerStatus(sent)).read() as PlainMap).pairs.map(([name]) => name);
    expect(keysOf(none)).toEqual(['Own', 'Paused', 'Version']);
    expect(keysOf(full)).toEqual([
      'Builds',
      'ClientHash',
      'ClientNumber',
      'Ends',
      'Healthy',
      'L1Number',
      'Observations',
      'Own',
      'Paused',
      'SafeNumber',
      'UnsafeHash',
      'UnsafeNumber',
      'Validates',
      'Version',
    ]);
  });

  test('never take more than 4 KiB: ids that do not fit are left out', () => {
    const own = Array.from({ length: 1000 }, (_, i) => `server-${i}`);
    const bytes = encodePeerStatus({ ...full, version: '字'.repeat(5000), own });
    expect(bytes.length).toBeLessThanOrEqual(4096);
    const received = decodePeerStatus(bytes)!;
    expect(received.own.length).toBeGreaterThan(50);
    expect(own).toEqual(expect.arrayContaining([...received.own]));
    expect(received.version).toBe('字'.repeat(64));
  });

  test('of a later version, with keys that we do not know, are read', () => {
    const hex = encodePeerStatus(full).toHex();
    const more = `8e${hex.slice(2)}a2417883a161c2a16290a16381a164cb3ff0000000000000`;
    expect(decodePeerStatus(Uint8Array.fromHex(more))).toEqual(full);
  });

  test('with keys missing are read with what they have', () => {
    expect(decodePeerStatus(Uint8Array.of(0x80))).toEqual(none);
  });

  test.each([
    ['nothing', ''],
    ['an integer', '05'],
    ['no msgpack', 'c1'],
    ['cut short', '81a756657273696f6ea5'],
    ['a number for a bool', '81a6506175736564cd0100'],
    ['a number above 2^53-1', '81ac556e736166654e756d626572cf0020000000000000'],
    ['an id that is not UTF-8', '81a34f776e9181a24944a1ff'],
  ])('that are %s are null', (_, hex) => {
    expect(decodePeerStatus(Uint8Array.fromHex(hex))).toBeNull();
  });

  test('above 4 KiB are null even if well-formed', () => {
    const padded = (bytes: number) =>
      Uint8Array.fromHex(`81a158da${(bytes - 6).toString(16).padStart(4, '0')}${'00'.repeat(bytes - 6)}`);
    expect(decodePeerStatus(padded(4096))).toEqual(none);
    expect(decodePeerStatus(padded(4097))).toBeNull();
  });

  test('with a number or hash out of range cannot be encoded', () => {
    expect(() => encodePeerStatus({ ...full, unsafeNumber: -1 })).toThrow(
      expect.objectContaining({ code: 'unencodable' }),
    );
    expect(() => encodePeerStatus({ ...full, unsafeHash: new Uint8Array(65) })).toThrow(
      expect.objectContaining({ code: 'unencodable' }),
    );
    expect(decodePeerStatus(encodePeerStatus(full))).toEqual(full);
  });
});
