/**
 * Reads the value of one field, in any form that Go's decoder takes for its kind, from a queue that
 * is fed in any pieces. Bytes are copied out of the queue, so that a small entry does not keep a
 * large network buffer alive.
 */
import type { ByteQueue } from './byte-queue.ts';
import { Collector } from './collector.ts';
import { goTimeFromTimestamp, isGoTime, ZERO_GO_TIME } from './go-time.ts';
import type { WireLimits } from './limits.ts';
import { Kind, type MsgpackHead } from './msgpack-head.ts';
import { OctetArray } from './octet-array.ts';
import { describeField, type Field } from './schema.ts';
import { SkippedValue, type SkipBudget } from './skipped-value.ts';
import { decodeUtf8 } from './utf8.ts';
import { WireError } from './wire-error.ts';

/** More bytes are needed; call again with the same field after a push. */
export const PENDING: unique symbol = Symbol('pending');

const OCTET_MAX = 255;
const TIME_BYTES_MAX = 16;
const TIMESTAMP_TYPE = 0xff;

/** A value that may span chunks: `advance` returns true when it is complete. */
interface Part {
  advance(queue: ByteQueue, head: MsgpackHead): boolean;
  readonly result: Uint8Array | null;
}

export class ValueReader {
  readonly #queue: ByteQueue;
  readonly #head: MsgpackHead;
  readonly #limits: WireLimits;
  #part: Part | null = null;

  constructor(queue: ByteQueue, head: MsgpackHead, limits: WireLimits) {
    this.#queue = queue;
    this.#head = head;
    this.#limits = limits;
  }

  /** Forgets a value that was begun. */
  reset(): void {
    this.#part = null;
  }

  /** The next value, for a field of any kind but `structs`. Throws WireError. */
  read(field: Field): unknown {
    const head = this.#head;
    if (this.#part !== null) return this.#continue(field);
    if (!head.peek(this.#queue)) return PENDING;
    switch (field.kind) {
      case 'unsigned':
      case 'signed':
      case 'octet':
        return this.#integer(field);
      case 'bool':
        return this.#bool(field);
      case 'time':
        return this.#time(field);
      default:
        return this.#bytes(field);
    }
  }

  /** Skips the next value, whatever it is; true when it is past. */
  skip(budget: SkipBudget): boolean {
    this.#part ??= new SkippedValue(budget);
    if (!this.#part.advance(this.#queue, this.#head)) return false;
    this.#part = null;
    return true;
  }

  #continue(field: Field): unknown {
    const part = this.#part!;
    if (!part.advance(this.#queue, this.#head)) return PENDING;
    this.#part = null;
    return asField(field, part.result);
  }

  #integer(field: Field): number {
    const { kind, value, size } = this.#head;
    if (kind !== Kind.integer && kind !== Kind.nil) throw wrongKind(field, 'an integer');
    this.#queue.position += size;
    if (kind === Kind.nil) return 0;
    if (
      !Number.isSafeInteger(value) ||
      (value < 0 && field.kind !== 'signed') ||
      (value > OCTET_MAX && field.kind === 'octet')
    ) {
      throw new WireError('out-of-range', `${describeField(field)} is negative or too large`);
    }
    return value;
  }

  #bool(field: Field): boolean {
    const { kind, form, value, size } = this.#head;
    if (kind !== Kind.bool && kind !== Kind.nil && form > 1) throw wrongKind(field, 'a bool');
    this.#queue.position += size;
    return kind !== Kind.nil && value === 1;
  }

  #bytes(field: Field): unknown {
    const { kind, value, size } = this.#head;
    const queue = this.#queue;
    if (kind === Kind.nil) {
      queue.position += size;
      return asField(field, null);
    }
    if (kind !== Kind.raw && kind !== Kind.binary && kind !== Kind.array) throw wrongKind(field, 'a byte string');
    const bytesMax = this.#limits[field.limit];
    if (value > bytesMax)
      throw new WireError('over-limit', `${describeField(field)} of ${value} bytes is above the limit of ${bytesMax}`);
    queue.position += size;
    if (kind === Kind.array) {
      this.#part = new OctetArray(value);
      return this.#continue(field);
    }
    if (value > queue.available) {
      this.#part = new Collector(value);
      return this.#continue(field);
    }
    if (field.kind === 'bytes') return queue.take(value);
    queue.position += value;
    return decodeUtf8(queue.bytes.subarray(queue.position - value, queue.position));
  }

  #time(field: Field): unknown {
    const { kind, form, value, size, extensionType } = this.#head;
    const queue = this.#queue;
    if (kind === Kind.nil) {
      queue.position += size;
      return ZERO_GO_TIME;
    }
    const isTimestamp =
      extensionType === TIMESTAMP_TYPE && (form === 0xd6 || form === 0xd7 || (form === 0xc7 && value === 12));
    if (kind !== Kind.raw && kind !== Kind.binary && !(kind === Kind.extension && isTimestamp))
      throw wrongKind(field, 'a time');
    if (value > TIME_BYTES_MAX)
      throw new WireError('malformed', `${describeField(field)} of ${value} bytes is no time`);
    if (queue.available < size + value) return PENDING;
    queue.position += size;
    const body = queue.take(value);
    const isFixedRaw = kind === Kind.raw && size === 1;
    return isFixedRaw && isGoTime(body) ? body : goTimeFromTimestamp(body);
  }
}

/** Bytes as the field holds them. */
function asField(field: Field, bytes: Uint8Array | null): Uint8Array | string | null {
  if (field.kind === 'bytes') return bytes;
  if (bytes !== null) return decodeUtf8(bytes);
  return field.kind === 'string' ? '' : null;
}

function wrongKind(field: Field, expected: string): WireError {
  return new WireError('wrong-kind', `${describeField(field)} is not ${expected}`);
}
