/**
 * Reads flag values in Go's syntax. A reader returns the value or undefined; the caller words the
 * error, because it knows whether the text came from the command line or the environment.
 */

/** Go's strconv.ParseBool, in any case. */
export function parseBool(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  if (lower === '1' || lower === 't' || lower === 'true') return true;
  if (lower === '0' || lower === 'f' || lower === 'false') return false;
  return undefined;
}

/** A whole number, decimal or with 0x, 0o, 0b; undefined beyond 2^53 (no setting needs more). */
export function parseInteger(text: string): number | undefined {
  const match = /^([+-]?)(0x[0-9a-f]+|0o[0-7]+|0b[01]+|\d+)$/i.exec(text);
  if (match === null) return undefined;
  const value = Number(match[2]) * (match[1] === '-' ? -1 : 1);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A whole number ≥ 0. */
export function parseUnsigned(text: string): number | undefined {
  return /^[+-]/.test(text) ? undefined : parseInteger(text);
}

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Go's time.ParseDuration, as milliseconds. */
export function parseDurationMs(text: string): number | undefined {
  const signed = /^([+-]?)(.+)$/.exec(text);
  if (signed === null) return undefined;
  const body = signed[2] as string;
  if (body === '0') return 0;
  if (!/^((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  let total = 0;
  for (const [, digits, unit] of body.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    total += Number(digits) * (unitMs[unit as string] as number);
  }
  return signed[1] === '-' ? -total : total;
}

/** Milliseconds as Go prints a duration: 2m0s, 1.5s, 300ms. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (ms < 1000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = (ms % 60_000) / 1000;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
