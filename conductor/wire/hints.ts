/**
 * What our own nodes tell each other beside the protocol (rule 16): the health of the sender's
 * sequencer and who is known to run this implementation. A msgpack map; null values are left out,
 * unknown keys are skipped, so a later version can add some. Hints advise and are never needed.
 */
import { decodeStruct } from './decode-struct.ts';
import { encodeWhole } from './encode-whole.ts';
import { encodeKey } from './keys.ts';
import { DEFAULT_WIRE_LIMITS } from './limits.ts';
import type { MsgpackWriter } from './msgpack-writer.ts';
import { struct, type StructSchema } from './schema.ts';
import { WireError } from './wire-error.ts';

/** One server's view of itself at the moment of sending. */
export interface Hints {
  /** The sender's version, for people. */
  readonly version: string;
  /** Its health monitor's verdict on its sequencer; null before the first. */
  readonly healthy: boolean | null;
  /** Is its conductor paused or stopped? */
  readonly paused: boolean;
  /** Its node's unsafe head, 0..2^53-1; null while unknown. */
  readonly unsafeNumber: number | null;
  /** Hash of that head; null while unknown. */
  readonly unsafeHash: Uint8Array | null;
  /** Ids of servers that the sender knows to be this implementation. */
  readonly own: readonly string[];
}

/** Bound of the encoded form, both ways. */
const HINTS_BYTES_MAX = 4096;
/** Ids are written while they fit; this leaves room for all else. */
const OWN_BYTES_MAX = 3072;
const VERSION_LETTERS_MAX = 64;
const HASH_BYTES_MAX = 64;

type WireHints = Omit<Hints, 'own'> & { readonly own: readonly { readonly id: string }[] | null };

const OWN_SERVER: StructSchema<{ readonly id: string }> = struct('a server id', [['ID', 'id', 'string']], () => ({
  id: '',
}));

const HINTS: StructSchema<WireHints> = struct(
  'hints',
  [
    ['Version', 'version', 'string'],
    ['Healthy', 'healthy', 'bool'],
    ['Paused', 'paused', 'bool'],
    ['UnsafeNumber', 'unsafeNumber', 'unsigned'],
    ['UnsafeHash', 'unsafeHash', 'bytes'],
    ['Own', 'own', 'structs', { limit: 'serversMax', element: OWN_SERVER }],
  ],
  () => ({ version: '', healthy: null, paused: false, unsafeNumber: null, unsafeHash: null, own: null }),
);

const KEY = {
  healthy: encodeKey('Healthy'),
  id: encodeKey('ID'),
  own: encodeKey('Own'),
  paused: encodeKey('Paused'),
  unsafeHash: encodeKey('UnsafeHash'),
  unsafeNumber: encodeKey('UnsafeNumber'),
  version: encodeKey('Version'),
} as const;

const LIMITS = { ...DEFAULT_WIRE_LIMITS, stringBytesMax: HINTS_BYTES_MAX };

/**
 * At most 4 KiB: a long version is cut, and ids of `own` that do not fit are left out, which only
 * means that those servers are not known to be ours. Throws WireError 'unencodable' for a number or
 * hash outside its range.
 */
export function encodeHints(hints: Hints): Uint8Array {
  const { healthy, unsafeNumber, unsafeHash } = hints;
  if (unsafeHash !== null && unsafeHash.length > HASH_BYTES_MAX) {
    throw new WireError('unencodable', `a hash of ${unsafeHash.length} bytes is above the limit of ${HASH_BYTES_MAX}`);
  }
  const present = [healthy, unsafeNumber, unsafeHash].filter((value) => value !== null).length;
  return encodeWhole((to) => {
    to.mapHeader(3 + present);
    if (healthy !== null) {
      to.literal(KEY.healthy);
      to.bool(healthy);
    }
    writeOwn(to, hints.own);
    to.literal(KEY.paused);
    to.bool(hints.paused);
    if (unsafeHash !== null) {
      to.literal(KEY.unsafeHash);
      to.bytes(unsafeHash);
    }
    if (unsafeNumber !== null) {
      to.literal(KEY.unsafeNumber);
      to.unsigned(unsafeNumber);
    }
    to.literal(KEY.version);
    to.text(hints.version.slice(0, VERSION_LETTERS_MAX));
  });
}

/** Reads hints; null for anything that is not hints or is too large. Never throws. */
export function decodeHints(bytes: Uint8Array): Hints | null {
  if (bytes.length > HINTS_BYTES_MAX) return null;
  try {
    const { own, ...hints } = decodeStruct(HINTS, bytes, LIMITS);
    return { ...hints, own: (own ?? []).map(({ id }) => id) };
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
}

function writeOwn(to: MsgpackWriter, own: readonly string[]): void {
  let bytes = 0;
  const fitting = own.filter((id) => (bytes += encodedBytesMax(id)) <= OWN_BYTES_MAX);
  to.literal(KEY.own);
  to.arrayHeader(fitting.length);
  for (const id of fitting) {
    to.mapHeader(1);
    to.literal(KEY.id);
    to.text(id);
  }
}

/** At least what an id takes: map head, key and string head are at most 9 bytes, a UTF-16 unit at most 3. */
function encodedBytesMax(id: string): number {
  return 9 + 3 * id.length;
}
