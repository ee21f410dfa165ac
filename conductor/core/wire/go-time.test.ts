import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goTimeFromTimestamp, goTimeFromUnixMs, isGoTime, ZERO_GO_TIME } from './go-time.ts';

/** Nanoseconds since the Unix epoch, read back without the code under test. */
function nanosOf(goTime: Uint8Array): bigint {
  const view = new DataView(goTime.buffer, goTime.byteOffset);
  return (view.getBigInt64(1) - 62_135_596_800n) * 1_000_000_000n + BigInt(view.getInt32(9));
}

describe('goTimeFromUnixMs', () => {
  test.each([
    ['the epoch', 0, '010000000e7791f70000000000ffff'],
    ['a day in 2025', Date.UTC(2025, 2, 18, 17, 46, 2, 123), '010000000edf6ba85a0754d4c0ffff'],
    ['just before the epoch', -1, '010000000e7791f6ff3b8b87c0ffff'],
    ["Go's zero time", Date.parse('0001-01-01T00:00:00Z'), '01000000000000000000000000ffff'],
  ])('%s', (_, ms, hex) => {
    expect(goTimeFromUnixMs(ms).toHex()).toBe(hex);
  });

  test('is the same moment, for whole milliseconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (ms) => {
        const goTime = goTimeFromUnixMs(ms);
        expect(isGoTime(goTime)).toBe(true);
        expect(nanosOf(goTime)).toBe(BigInt(ms) * 1_000_000n);
      }),
    );
  });

  test('keeps fractions', () => {
    expect(nanosOf(goTimeFromUnixMs(1.5))).toBe(1_500_000n);
  });

  test.each([Number.NaN, Infinity])('%d is no moment', (ms) => {
    expect(() => goTimeFromUnixMs(ms)).toThrow(expect.objectContaining({ code: 'unencodable' }));
  });
});

describe('timestamps', () => {
  test('nanoseconds above a second are carried, seconds may be negative', () => {
    const body = Uint8Array.fromHex('77359401ffffffffffffffff');
    expect(nanosOf(goTimeFromTimestamp(body))).toBe(-1_000_000_000n + 2_000_000_001n);
  });

  test('34 bits of seconds', () => {
    expect(nanosOf(goTimeFromTimestamp(Uint8Array.fromHex('00000003ffffffff')))).toBe(
      (2n ** 34n - 1n) * 1_000_000_000n,
    );
  });

  test('seconds that overflow wrap as in Go and stay 15 bytes', () => {
    expect(isGoTime(goTimeFromTimestamp(Uint8Array.fromHex('000000007fffffffffffffff')))).toBe(true);
  });
});

test('the zero time is what Go marshals', () => {
  expect(ZERO_GO_TIME.toHex()).toBe('01000000000000000000000000ffff');
});
