/**
 * Go's time.MarshalBinary, the form in which AppendedAt travels and is stored: version byte,
 * 64-bit seconds since the year 1, 32-bit nanoseconds, 16-bit zone offset in minutes (ffff is UTC;
 * version 2 adds a byte of offset seconds). All big-endian. Nanoseconds do not fit a Date, so the
 * bytes themselves are the value everywhere in this code.
 */
import { WireError } from './wire-error.ts';

/** Seconds from 0001-01-01T00:00:00Z to the Unix epoch. */
const UNIX_EPOCH_SECONDS = 62_135_596_800n;
const NANOS_PER_SECOND = 1_000_000_000n;
const MARSHAL_V1_BYTES = 15;
const MARSHAL_V2_BYTES = 16;

/** Go's zero time, what a missing or nil AppendedAt means. Do not modify. */
export const ZERO_GO_TIME: Uint8Array = goTime(-UNIX_EPOCH_SECONDS, 0n);

/**
 * A moment in UTC as MarshalBinary bytes (15).
 * @param ms milliseconds since the Unix epoch, finite; fractions are kept down to the nanosecond.
 */
export function goTimeFromUnixMs(ms: number): Uint8Array {
  if (!Number.isFinite(ms)) throw new WireError('unencodable', `${ms} is not a moment in milliseconds`);
  const whole = Math.floor(ms);
  const nanos = BigInt(whole) * 1_000_000n + BigInt(Math.floor((ms - whole) * 1_000_000));
  return fromNanos(0n, nanos);
}

/** Is this MarshalBinary of a version that Go reads (15 bytes version 1, 16 bytes version 2)? */
export function isGoTime(bytes: Uint8Array): boolean {
  return (bytes.length === MARSHAL_V1_BYTES && bytes[0] === 1) || (bytes.length === MARSHAL_V2_BYTES && bytes[0] === 2);
}

/**
 * MarshalBinary bytes for a msgpack timestamp body (4: seconds; 8: 30-bit nanoseconds and 34-bit
 * seconds; 12: 32-bit nanoseconds and signed 64-bit seconds). Throws WireError 'malformed' for other lengths.
 */
export function goTimeFromTimestamp(body: Uint8Array): Uint8Array {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  switch (body.length) {
    case 4:
      return fromNanos(BigInt(view.getUint32(0)), 0n);
    case 8: {
      const both = view.getBigUint64(0);
      return fromNanos(both & 0x3_ffff_ffffn, both >> 34n);
    }
    case 12:
      return fromNanos(view.getBigInt64(4), BigInt(view.getUint32(0)));
    default:
      throw new WireError('malformed', `a time of ${body.length} bytes is neither MarshalBinary nor a timestamp`);
  }
}

/** Carries nanoseconds (any sign) into seconds, as Go's time.Unix does. */
function fromNanos(unixSeconds: bigint, nanos: bigint): Uint8Array {
  const rest = ((nanos % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  return goTime(unixSeconds + (nanos - rest) / NANOS_PER_SECOND, rest);
}

function goTime(unixSeconds: bigint, nanos: bigint): Uint8Array {
  const bytes = new Uint8Array(MARSHAL_V1_BYTES);
  const view = new DataView(bytes.buffer);
  bytes[0] = 1;
  view.setBigInt64(1, BigInt.asIntN(64, unixSeconds + UNIX_EPOCH_SECONDS));
  view.setInt32(9, Number(nanos));
  view.setInt16(13, -1);
  return bytes;
}
