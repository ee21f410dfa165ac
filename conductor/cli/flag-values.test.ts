import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration, parseBool, parseDurationMs, parseInteger, parseUnsigned } from './flag-values.ts';

describe("whole numbers, as Go's strconv reads them with base 0", () => {
  test.each([
    ['0', 0],
    ['42', 42],
    ['0x1F', 31],
    ['0X1f', 31],
    ['010', 8],
    ['0o17', 15],
    ['0b101', 5],
    ['1_000', 1000],
    ['0x_ff', 255],
    ['0_7', 7],
    ['18446744073709551615', 2 ** 64],
  ])('%s', (text, value) => {
    expect(parseUnsigned(text)).toBe(value);
  });
  test.each(['', ' 1', '1 ', '08', '1.5', '1e3', '_1', '1_', '1__0', '0x', '0xg', 'abc', '٣', '+1', '-1', '1\n'])(
    '%j is none without a sign',
    (text) => expect(parseUnsigned(text)).toBe('syntax'),
  );
  test('beyond 64 bits they are out of range, which is not a fault of syntax', () => {
    expect(parseUnsigned('18446744073709551616')).toBe('range');
    expect(parseInteger('9223372036854775808')).toBe('range');
    expect(parseInteger('-9223372036854775809')).toBe('range');
    expect(parseInteger('-9223372036854775808')).toBe(-(2 ** 63));
  });
  test('with a sign where the type has one', () => {
    expect([parseInteger('+1'), parseInteger('-0x10'), parseInteger('-0')]).toEqual([1, -16, 0]);
    expect([parseInteger('--1'), parseInteger('-')]).toEqual(['syntax', 'syntax']);
  });
  test('every safe integer is read back in each base', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        for (const [prefix, base] of [
          ['', 10],
          ['0x', 16],
          ['0o', 8],
          ['0', 8],
          ['0b', 2],
        ] as const)
          expect(parseUnsigned(prefix + value.toString(base))).toBe(value);
      }),
    );
  });
});

test('booleans are 1, t, true, 0, f and false in any case', () => {
  expect(['1', 't', 'T', 'true', 'TRUE'].map(parseBool)).toEqual([true, true, true, true, true]);
  expect(['0', 'f', 'F', 'false', 'False'].map(parseBool)).toEqual([false, false, false, false, false]);
  expect(['', 'yes', 'on', '2', ' true'].map(parseBool)).toEqual(Array(5).fill('syntax'));
});

describe("Go's durations", () => {
  test.each([
    ['1.5s', 1500],
    ['2m0s', 120_000],
    ['300ms', 300],
    ['1h2m3.5s', 3_723_500],
    ['.5s', 500],
    ['1.s', 1000],
    ['0', 0],
    ['-0', 0],
    ['+1s', 1000],
    ['-1.5h', -5_400_000],
    ['100us', 0.1],
    ['100µs', 0.1],
    ['1s1s', 2000],
  ])('%s', (text, ms) => expect(parseDurationMs(text)).toBeCloseTo(ms));
  test.each(['', '10', 's', '1d', '1 s', '.s', '1e3s', '1h-2m', '--1s', '1s\n', '-'])('%j is none', (text) =>
    expect(parseDurationMs(text)).toBe('syntax'),
  );
  test('292 years fit, 3 000 000 hours do not', () => {
    expect(parseDurationMs('2562047h47m')).toBeCloseTo(9_223_372_020_000);
    expect(parseDurationMs('3000000h')).toBe('range');
  });
  test.each([
    [120_000, '2m0s'],
    [1000, '1s'],
    [1100, '1.1s'],
    [500, '500ms'],
    [1500, '1.5s'],
    [3_600_000, '1h0m0s'],
    [0.1, '100µs'],
    [0.000_02, '20ns'],
    [-1000, '-1s'],
    [0, '0s'],
  ])('%d ms is printed as %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
  test('what is printed is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (ms) => {
        expect(parseDurationMs(formatDuration(ms))).toBe(ms);
      }),
    );
  });
});
