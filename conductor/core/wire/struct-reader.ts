/**
 * Reads one struct from a queue that is fed in any pieces: a state machine over the schema, so that
 * nothing is looked at twice but the head (or key) that the last chunk cut in two.
 * As lenient as Go's decoder: keys in any order, unknown ones skipped, missing ones zero, nil for a
 * zero struct, an array for fields in order of declaration.
 */
import type { ByteQueue } from './byte-queue.ts';
import type { WireLimits } from './limits.ts';
import { Kind, MsgpackHead } from './msgpack-head.ts';
import { describeField, type Field, type StructSchema } from './schema.ts';
import type { SkipBudget } from './skipped-value.ts';
import { PENDING, ValueReader } from './value-reader.ts';
import { WireError } from './wire-error.ts';

/** A struct whose fields are being read. */
interface Frame {
  readonly schema: StructSchema;
  readonly target: Record<string, unknown>;
  readonly isArray: boolean;
  /** Fields not yet complete. */
  left: number;
  /** Place in `fields` (`declared`, if an array) of the field to expect next. */
  next: number;
  /** Was the key of the value that comes next read? */
  hasKey: boolean;
  /** What that key stands for; null if unknown. */
  field: Field | null;
  /** Elements of a `structs` field read so far; null outside of one. */
  elements: unknown[] | null;
  elementsLeft: number;
}

type Outcome = 'complete' | 'entered' | 'pending';

/** Reads structs one after another: `begin`, then `advance` until it returns the object. */
export class StructReader {
  readonly #queue: ByteQueue;
  readonly #limits: WireLimits;
  readonly #head = new MsgpackHead();
  readonly #values: ValueReader;
  readonly #stack: Frame[] = [];
  /** A struct that was begun and whose head has not arrived. */
  #root: StructSchema | null = null;
  #wasNil = false;
  #skip: SkipBudget = { bytesLeft: 0, depthMax: 0 };

  constructor(queue: ByteQueue, limits: WireLimits) {
    this.#queue = queue;
    this.#limits = limits;
    this.#values = new ValueReader(queue, this.#head, limits);
  }

  /** Was the struct that `advance` returned last nil on the wire? */
  get wasNil(): boolean {
    return this.#wasNil;
  }

  /** Starts a struct; the next byte of the queue is its first. */
  begin(schema: StructSchema): void {
    this.#root = schema;
    this.#stack.length = 0;
    this.#values.reset();
    this.#skip = { bytesLeft: this.#limits.skippedBytesMax, depthMax: this.#limits.skippedDepthMax };
  }

  /** The complete object, made by the schema's `blank`, or null if more bytes are needed. Throws WireError; then begin anew. */
  advance(): unknown {
    if (this.#root !== null) {
      const target = this.#open(this.#root);
      if (target === PENDING) return null;
      this.#root = null;
      this.#wasNil = this.#head.kind === Kind.nil;
      if (target !== null) return target;
    }
    for (;;) {
      const frame = this.#stack.at(-1)!;
      const outcome = this.#advanceFrame(frame);
      if (outcome === 'pending') return null;
      if (outcome === 'entered') continue;
      this.#stack.pop();
      const parent = this.#stack.at(-1);
      if (parent === undefined) return frame.target;
      parent.elements!.push(frame.target);
    }
  }

  /** Reads the head of a struct: the object if it is nil or empty, null if it is on the stack now, or PENDING. */
  #open(schema: StructSchema): unknown {
    const head = this.#head;
    if (!head.peek(this.#queue)) return PENDING;
    const { kind, value } = head;
    if (kind !== Kind.map && kind !== Kind.array && kind !== Kind.nil)
      throw new WireError('wrong-kind', `${schema.name} is neither map, array nor nil`);
    this.#queue.position += head.size;
    const target = schema.blank() as Record<string, unknown>;
    if (kind === Kind.nil || value === 0) return target;
    if (value > this.#limits.keysMax)
      throw new WireError('over-limit', `${schema.name} has ${value} keys, above the limit of ${this.#limits.keysMax}`);
    this.#stack.push({
      schema,
      target,
      isArray: kind === Kind.array,
      left: value,
      next: 0,
      hasKey: false,
      field: null,
      elements: null,
      elementsLeft: 0,
    });
    return null;
  }

  #advanceFrame(frame: Frame): Outcome {
    for (;;) {
      if (frame.elements !== null) {
        const outcome = this.#advanceElements(frame, frame.elements);
        if (outcome !== 'complete') return outcome;
      }
      if (frame.left === 0) return 'complete';
      if (!frame.hasKey && !this.#nextField(frame)) return 'pending';
      const { field } = frame;
      if (field === null) {
        if (!this.#values.skip(this.#skip)) return 'pending';
        finishField(frame, null);
      } else if (field.element !== null) {
        if (!this.#openElements(frame, field)) return 'pending';
      } else {
        const value = this.#values.read(field);
        if (value === PENDING) return 'pending';
        finishField(frame, value);
      }
    }
  }

  /** Finds out which field comes next; false if the key has not arrived. */
  #nextField(frame: Frame): boolean {
    if (frame.isArray) {
      frame.field = frame.schema.declared[frame.next] ?? null;
      frame.next += 1;
    } else {
      const queue = this.#queue;
      const head = this.#head;
      if (!head.peek(queue)) return false;
      const { kind, size, value: length } = head;
      // Go's decoder fails on nil and empty keys (but not in a value that it skips).
      if ((kind !== Kind.raw && kind !== Kind.binary) || length === 0) {
        throw new WireError('wrong-kind', `a key of ${frame.schema.name} is not a string, or is empty`);
      }
      if (length > this.#limits.stringBytesMax)
        throw new WireError(
          'over-limit',
          `a key of ${length} bytes is above the limit of ${this.#limits.stringBytesMax}`,
        );
      if (queue.available < size + length) return false;
      frame.field = matchKey(frame, queue.bytes, queue.position + size, length);
      queue.position += size + length;
      if (frame.field === null) this.#skip.bytesLeft -= size + length;
    }
    frame.hasKey = true;
    return true;
  }

  /** Reads the head of a list of structs; false if it has not arrived. */
  #openElements(frame: Frame, field: Field): boolean {
    const head = this.#head;
    if (!head.peek(this.#queue)) return false;
    if (head.kind !== Kind.array && head.kind !== Kind.nil)
      throw new WireError('wrong-kind', `${describeField(field)} is not an array`);
    this.#queue.position += head.size;
    if (head.kind === Kind.nil) {
      finishField(frame, null);
      return true;
    }
    const countMax = this.#limits[field.limit];
    if (head.value > countMax)
      throw new WireError(
        'over-limit',
        `${describeField(field)} has ${head.value} elements, above the limit of ${countMax}`,
      );
    frame.elements = [];
    frame.elementsLeft = head.value;
    return true;
  }

  #advanceElements(frame: Frame, elements: unknown[]): Outcome {
    const { element } = frame.field!;
    while (frame.elementsLeft > 0) {
      const target = this.#open(element!);
      if (target === PENDING) return 'pending';
      if (this.#head.kind === Kind.nil) throw new WireError('wrong-kind', `an element is nil, not ${element!.name}`);
      frame.elementsLeft -= 1;
      if (target === null) return 'entered';
      elements.push(target);
    }
    frame.elements = null;
    finishField(frame, elements);
    return 'complete';
  }
}

/** Puts the value in its place and goes on to the next field. */
function finishField(frame: Frame, value: unknown): void {
  const { field } = frame;
  if (field !== null && field.property !== null && (value !== null || !field.optional))
    frame.target[field.property] = value;
  frame.left -= 1;
  frame.hasKey = false;
  frame.field = null;
}

/** The field with this key; first tries the one that follows the last match, which it is whenever Go sent the map. */
function matchKey(frame: Frame, bytes: Uint8Array, at: number, length: number): Field | null {
  const { fields } = frame.schema;
  for (let i = 0; i < fields.length; i += 1) {
    const place = (frame.next + i) % fields.length;
    const field = fields[place]!;
    if (field.key.length === length && isKeyAt(field.key, bytes, at)) {
      frame.next = place + 1;
      return field;
    }
  }
  return null;
}

function isKeyAt(key: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < key.length; i += 1) if (bytes[at + i] !== key[i]) return false;
  return true;
}
