/**
 * Reads flag values in Go's syntax (strconv with base 0, time.ParseDuration). A reader returns the value
 * or what is wrong with the text; the caller words the error, because it knows where the text came from.
 */

/** `syntax`: not of this kind at all. `range`: of this kind, but beyond what op-conductor's type holds. */
export type Reading<Value> = Value | 'syntax' | 'range';

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);
const uint64Max = 2n ** 64n - 1n;

/** Go's strconv.ParseBool, in any case. */
export function parseBool(text: string): Reading<boolean> {
  const lower = text.toLowerCase();
  if (lower === '1' || lower === 't' || lower === 'true') return true;
  if (lower === '0' || lower === 'f' || lower === 'false') return false;
  return 'syntax';
}

/** A whole number that fits 64 bits with sign; above 2^53 the nearest double. */
export function parseInteger(text: string): Reading<number> {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const magnitude = parseMagnitude(text.slice(sign.length));
  if (magnitude === 'syntax') return magnitude;
  const value = sign === '-' ? -magnitude : magnitude;
  // Adding 0 turns -0 into 0.
  return value < int64Min || value > int64Max ? 'range' : Number(value) + 0;
}

/** A whole number of at least 0, without sign, that fits 64 bits; above 2^53 the nearest double. */
export function parseUnsigned(text: string): Reading<number> {
  const value = parseMagnitude(text);
  if (value === 'syntax') return value;
  return value > uint64Max ? 'range' : Number(value);
}

/** Decimal, or with 0x, 0o, 0b, or octal after a leading 0; underscores between digits or after the prefix. */
function parseMagnitude(text: string): bigint | 'syntax' {
  if (!/^(0[xX](_?[\da-fA-F])+|0[oO]?(_?[0-7])+|0[bB](_?[01])+|0|[1-9](_?\d)*)$/.test(text)) return 'syntax';
  const digits = text.replaceAll('_', '');
  return BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase());
}

const unitNs: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/** A duration such as 300ms, 1.5s or 1h2m3s, signed, as milliseconds; counted in whole nanoseconds. */
export function parseDurationMs(text: string): Reading<number> {
  const [, sign, body = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (body === '0') return 0;
  if (!/^((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return 'syntax';
  let ns = 0n;
  for (const [, whole, fraction, unit] of body.matchAll(/(\d*)(\.\d*)?(ns|us|µs|μs|ms|s|m|h)/g)) {
    const size = unitNs[unit as string] as number;
    ns += BigInt(whole as string) * BigInt(size) + BigInt(Math.trunc(Number(`0${fraction ?? ''}`) * size));
  }
  if (ns > int64Max) return 'range';
  const ms = Number(ns / 1_000_000n) + Number(ns % 1_000_000n) / 1e6;
  return sign === '-' ? 0 - ms : ms;
}

/** Milliseconds as Go prints a duration: 2m0s, 1.5s, 300ms, 100µs. */
export function formatDuration(ms: number): string {
  const size = Math.abs(ms);
  const sign = ms < 0 ? '-' : '';
  if (size === 0) return '0s';
  if (size < 1e-3) return `${sign}${plain(size * 1e6)}ns`;
  if (size < 1) return `${sign}${plain(size * 1e3)}µs`;
  if (size < 1000) return `${sign}${plain(size)}ms`;
  const hours = Math.floor(size / 3_600_000);
  const minutes = Math.floor((size % 3_600_000) / 60_000);
  const seconds = plain((size % 60_000) / 1000);
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}s` : `${sign}${seconds}s`;
}

/** Without the last digits of a double, which are noise: a duration has at most nanoseconds. */
function plain(value: number): string {
  return String(Number(value.toFixed(9)));
}
