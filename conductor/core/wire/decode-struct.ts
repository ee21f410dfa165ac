/** Reads one struct from bytes that hold all of it, as entries and configurations lie on disk. */
import { ByteQueue } from './byte-queue.ts';
import { DEFAULT_WIRE_LIMITS, type WireLimits } from './limits.ts';
import type { StructSchema } from './schema.ts';
import { StructReader } from './struct-reader.ts';
import { WireError } from './wire-error.ts';

/** The struct at the start of `bytes`; what follows it is ignored, as Go does. Shares no memory with `bytes`. Throws WireError. */
export function decodeStruct<T>(
  schema: StructSchema<T>,
  bytes: Uint8Array,
  limits: WireLimits = DEFAULT_WIRE_LIMITS,
): T {
  const queue = new ByteQueue();
  queue.push(bytes);
  const reader = new StructReader(queue, limits);
  reader.begin(schema);
  const value = reader.advance();
  if (value === null) throw new WireError('malformed', `the ${bytes.length} bytes end before ${schema.name} does`);
  return value as T;
}
