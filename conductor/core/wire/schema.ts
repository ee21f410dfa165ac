/**
 * How a Go struct is laid out on the wire, as data for StructReader: its fields by key, and the
 * order in which Go declares them, which counts when a struct comes as an array.
 */
import { encodeKey } from './keys.ts';
import type { WireLimits } from './limits.ts';
import { decodeUtf8 } from './utf8.ts';

/** The limits that bound one length or count. */
export type LimitName = keyof WireLimits;

/**
 * What a field holds and what it becomes:
 * `unsigned` uint64 → number; `signed` int64 → number; `octet` uint8 → number; `bool` → boolean;
 * `bytes` → Uint8Array or null; `text` bytes that are UTF-8 → string or null; `string` the same, nil being "";
 * `time` → MarshalBinary bytes; `structs` → array or null. Zero values are Go's.
 */
export type FieldKind = 'unsigned' | 'signed' | 'octet' | 'bool' | 'bytes' | 'text' | 'string' | 'time' | 'structs';

/** One field of a struct. */
export interface Field {
  /** The key as UTF-8 bytes, without msgpack head. */
  readonly key: Uint8Array;
  /** Property of the decoded object; null for a field that is checked and dropped. */
  readonly property: string | null;
  readonly kind: FieldKind;
  /** Bound of a byte length or element count; of no meaning for numbers. */
  readonly limit: LimitName;
  /** Of `structs`. */
  readonly element: StructSchema | null;
  /** Left out of the object when nil. */
  readonly optional: boolean;
}

/** A struct: `blank` makes the object with all zero values that fields are then put into. */
export interface StructSchema<T = unknown> {
  readonly name: string;
  /** Sorted by key, as Go writes them. */
  readonly fields: readonly Field[];
  /** As Go declares them; fields that Go does not know are not among them. */
  readonly declared: readonly Field[];
  blank(): T;
}

/** A field as schemas are written: key, property, kind, and what is not usual about it. */
export type FieldSpec = readonly [
  key: string,
  property: string | null,
  kind: FieldKind,
  options?: { readonly limit?: LimitName; readonly element?: StructSchema; readonly optional?: true },
];

/** Makes a schema from fields in Go's order of declaration; optional ones are ours and not counted in it. */
export function struct<T>(name: string, specs: readonly FieldSpec[], blank: () => T): StructSchema<T> {
  const declared = specs.map(([key, property, kind, options]): Field => ({
    key: encodeKey(key).subarray(1),
    property,
    kind,
    limit: options?.limit ?? 'stringBytesMax',
    element: options?.element ?? null,
    optional: options?.optional ?? false,
  }));
  const names = new Map(declared.map((field, at) => [field, specs[at]![0]]));
  const fields = [...declared].sort((a, b) => (names.get(a)! < names.get(b)! ? -1 : 1));
  return { name, fields, declared: declared.filter((field) => !field.optional), blank };
}

/** The field's key, for error messages. */
export function describeField(field: Field): string {
  return decodeUtf8(field.key);
}
