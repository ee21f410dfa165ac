/**
 * The types of proxied answers as data, and what passing through such a type does to an answer: keys
 * in the type's order, unknown ones dropped, missing ones zero, null kept where the type has a
 * pointer. Go's decoder and encoder do this in op-conductor; refusals have its words.
 */
import { isObject, writeExact, type ExactJson, type ExactObject } from './exact-json.ts';
import { encodeText } from './message.ts';

/** A type. `goType` is its name in errors. */
export type Shape =
  | { readonly kind: 'uint'; readonly bits: number }
  | { readonly kind: 'integer' }
  | { readonly kind: 'bool' }
  | { readonly kind: 'text' }
  | { readonly kind: 'hex'; readonly bytes: number; readonly goType: string }
  | { readonly kind: 'map' }
  | StructShape;

export interface StructShape {
  readonly kind: 'struct';
  readonly goType: string;
  readonly fields: readonly Field[];
}

/** A member of a struct. 'optional' is null when missing, 'omitted' is left out when missing or zero. */
export interface Field {
  readonly key: string;
  readonly shape: Shape;
  readonly presence: 'always' | 'optional' | 'omitted' | 'omitted-zero';
}

/** The answer's text after its type, or why it does not fit. */
export type Shaped = { readonly json: string } | { readonly problem: string };

/** Passes a whole answer through its type. */
export function shapeAnswer(shape: Shape, value: ExactJson): Shaped {
  if (value === null && (shape.kind === 'struct' || shape.kind === 'map')) return { json: 'null' };
  return decode(shape, value, '');
}

/** `where` is the struct and the path of the field for errors, or '' for the whole answer. */
function decode(shape: Shape, value: ExactJson, where: string): Shaped {
  switch (shape.kind) {
    case 'struct':
      if (value === null) return { json: zeroOf(shape) };
      return isObject(value) ? decodeStruct(shape, value, where) : misfit(kindOf(value), where, shape.goType);
    case 'map':
      return isObject(value) ? { json: writeExact(value) } : misfit(kindOf(value), where, 'map[string]interface {}');
    case 'hex':
      return decodeHex(shape, value, where);
    case 'uint':
      return decodeUint(shape.bits, value, where);
    case 'integer':
      if (value === null) return { json: '0' };
      if (Number.isInteger(value) || typeof value === 'bigint') return { json: String(value) };
      return { problem: `math/big: cannot unmarshal ${JSON.stringify(writeExact(value))} into a *big.Int` };
    case 'bool':
      if (value === null) return { json: 'false' };
      return typeof value === 'boolean' ? { json: String(value) } : misfit(kindOf(value), where, 'bool');
    case 'text':
      if (value === null) return { json: '""' };
      return typeof value === 'string' ? { json: encodeText(value) } : misfit(kindOf(value), where, 'string');
  }
}

function decodeStruct(shape: StructShape, value: ExactObject, where: string): Shaped {
  const path = where.slice(where.indexOf('.') + 1);
  const name = shape.goType.slice(shape.goType.indexOf('.') + 1);
  const found = new Map<string, string>();
  for (const [key, member] of Object.entries(value)) {
    const field = fieldOf(shape, key);
    if (field === undefined) continue;
    if (member === null && field.presence !== 'always') found.delete(field.key);
    else {
      const here = `${name}.${path === '' ? '' : `${path}.`}${field.key}`;
      const shaped = decode(field.shape, member, here);
      if ('problem' in shaped) return shaped;
      found.set(field.key, shaped.json);
    }
  }
  return { json: writeStruct(shape, found) };
}

/** Keys match in any case, the exact one first. */
function fieldOf(shape: StructShape, key: string): Field | undefined {
  const lower = key.toLowerCase();
  return shape.fields.find((one) => one.key === key) ?? shape.fields.find((one) => one.key.toLowerCase() === lower);
}

function writeStruct(shape: StructShape, found: ReadonlyMap<string, string>): string {
  const members: string[] = [];
  for (const { key, shape: type, presence } of shape.fields) {
    const json =
      found.get(key) ?? (presence === 'always' ? zeroOf(type) : presence === 'optional' ? 'null' : undefined);
    if (json === undefined || (presence === 'omitted-zero' && json === zeroOf(type))) continue;
    members.push(`${encodeText(key)}:${json}`);
  }
  return `{${members.join(',')}}`;
}

function zeroOf(shape: Shape): string {
  switch (shape.kind) {
    case 'struct':
      return writeStruct(shape, new Map());
    case 'hex':
      return `"0x${'00'.repeat(shape.bytes)}"`;
    case 'bool':
      return 'false';
    case 'text':
      return '""';
    case 'map':
      return 'null';
    default:
      return '0';
  }
}

function decodeHex(shape: Extract<Shape, { kind: 'hex' }>, value: ExactJson, where: string): Shaped {
  const { bytes, goType } = shape;
  if (typeof value !== 'string') return misfit('non-string', where, goType);
  if (value !== '' && !/^0x/i.test(value)) return misfit('hex string without 0x prefix', where, goType);
  const digits = value.slice(2);
  if (digits.length % 2 === 1) return misfit('hex string of odd length', where, goType);
  if (digits.length !== 2 * bytes)
    return { problem: `hex string has length ${digits.length}, want ${2 * bytes} for ${goType}` };
  if (!/^[0-9a-f]*$/i.test(digits)) return misfit('invalid hex string', where, goType);
  return { json: `"0x${digits.toLowerCase()}"` };
}

function decodeUint(bits: number, value: ExactJson, where: string): Shaped {
  const goType = `uint${bits}`;
  if (value === null) return { json: '0' };
  if (typeof value !== 'number' && typeof value !== 'bigint') return misfit(kindOf(value), where, goType);
  const fits =
    (typeof value === 'bigint' || Number.isInteger(value)) && value >= 0 && BigInt(value) < 2n ** BigInt(bits);
  return fits ? { json: BigInt(value).toString() } : misfit(`number ${writeExact(value)}`, where, goType);
}

function kindOf(value: ExactJson): string {
  if (Array.isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function misfit(kind: string, where: string, goType: string): { readonly problem: string } {
  const place = where === '' ? 'Go value' : `Go struct field ${where}`;
  return { problem: `json: cannot unmarshal ${kind} into ${place} of type ${goType}` };
}
