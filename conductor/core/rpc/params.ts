/**
 * Positional parameters by schema: counts, kinds and defaults, with the error texts of the
 * server we replace (they name Go types, and tools match on them).
 */
import { EnvelopeError, parseEnvelope } from '../payload/parse-envelope.ts';
import { blockNumber, hexBig } from './hex-quantity.ts';
import type { CallParams } from './message.ts';
import { elementsOf } from './raw-json.ts';

/**
 * Kinds of parameter. A block is a tag or a height, a quantity a number of up to 256 bits, both in hex. A
 * payload is handed on as parsed JSON; its fields are checked by payload/envelope.
 */
export type ParamType = 'string' | 'uint64' | 'bool' | 'block' | 'quantity' | 'payload';

export interface ParamSpec {
  readonly name: string;
  readonly type: ParamType;
  readonly doc: string;
  /** One as a caller writes it, in a cluster as that of `npm start`; tests and the documentation make calls with it. */
  readonly example: string | number | boolean | Readonly<Record<string, unknown>>;
  /** Value when the parameter is left out; such parameters come last. */
  readonly fallback?: ParamValue;
}

/** string, uint64 and quantity as bigint, bool, block as tag or canonical hex, or JSON of a payload. */
export type ParamValue = string | bigint | boolean | { readonly payload: unknown };

export type DecodedParams =
  | { readonly kind: 'ok'; readonly values: readonly ParamValue[] }
  | { readonly kind: 'invalid'; readonly message: string };

const uint64Max = 2n ** 64n - 1n;

/** Decodes `params` against `specs`; the first problem in order of position is reported. */
export function decodeParams(specs: readonly Omit<ParamSpec, 'example'>[], params: CallParams): DecodedParams {
  if (params.values === null && params.text !== '' && params.text !== 'null') {
    return { kind: 'invalid', message: 'non-array args' };
  }
  const given = params.values ?? [];
  const values: ParamValue[] = [];
  for (let position = 0; position < given.length; position += 1) {
    const value = given[position];
    const spec = specs[position];
    if (spec === undefined) {
      return { kind: 'invalid', message: payloadProblem(values) ?? `too many arguments, want at most ${specs.length}` };
    }
    const decoded = decodeOne(spec, value, () => rawElement(params.text, position));
    if (typeof decoded === 'object' && 'problem' in decoded) {
      return { kind: 'invalid', message: `invalid argument ${position}: ${decoded.problem}` };
    }
    values.push(decoded);
  }
  for (let position = values.length; position < specs.length; position += 1) {
    const spec = specs[position]!;
    if (spec.fallback === undefined) {
      return { kind: 'invalid', message: `missing value for required argument ${position}` };
    }
    values.push(spec.fallback);
  }
  return { kind: 'ok', values };
}

/** What is wrong with a payload among the arguments before one too many: it is decoded by who commits it, later than this. */
function payloadProblem(values: readonly ParamValue[]): string | null {
  for (const [position, value] of values.entries()) {
    const envelope = typeof value === 'object' ? parseEnvelope(value.payload) : null;
    if (envelope instanceof EnvelopeError) return `invalid argument ${position}: ${envelope.message}`;
  }
  return null;
}

/** null leaves the zero value, as in Go. */
function decodeOne(
  { type }: Pick<ParamSpec, 'type'>,
  value: unknown,
  raw: () => string,
): ParamValue | { readonly problem: string } {
  switch (type) {
    case 'payload':
      return { payload: value };
    case 'string':
      if (value === null) return '';
      return typeof value === 'string' ? value : mismatch(kindOf(value), 'string');
    case 'bool':
      if (value === null) return false;
      return typeof value === 'boolean' ? value : mismatch(kindOf(value), 'bool');
    case 'uint64':
      if (value === null) return 0n;
      if (typeof value !== 'number') return mismatch(kindOf(value), 'uint64');
      return decodeUint64(raw());
    case 'block': {
      const number = blockNumber(raw());
      return 'problem' in number ? number : number.block;
    }
    case 'quantity': {
      const number = hexBig(raw());
      return 'problem' in number ? mismatch(number.problem, '*hexutil.Big') : number.value;
    }
  }
}

function decodeUint64(raw: string): bigint | { readonly problem: string } {
  if (/^\d{1,20}$/.test(raw)) {
    const value = BigInt(raw);
    if (value <= uint64Max) return value;
  }
  return mismatch(`number ${raw}`, 'uint64');
}

function mismatch(kind: string, type: string): { readonly problem: string } {
  return { problem: `json: cannot unmarshal ${kind} into Go value of type ${type}` };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}

function rawElement(text: string, position: number): string {
  const piece = elementsOf(text, 0)?.elements[position];
  return piece === undefined ? '' : text.slice(piece.start, piece.end);
}
