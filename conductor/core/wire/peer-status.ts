/**
 * What our own nodes tell each other beside the protocol (rule 16): the health of the sender's
 * sequencer and who is known to run this implementation. A msgpack map; null values are left out,
 * unknown keys are skipped, so a later version can add some. Peer status advises and is never needed.
 */
import { decodeStruct } from './decode-struct.ts';
import { encodeWhole } from './encode-whole.ts';
import { encodeKey } from './keys.ts';
import { DEFAULT_WIRE_LIMITS } from './limits.ts';
import type { MsgpackWriter } from './msgpack-writer.ts';
import { struct, type StructSchema } from './schema.ts';
import { WireError } from './wire-error.ts';

/** What a node shows about one block (evidence/observation.ts). */
export interface ReportedObservation {
  /** 0..2^53-1 */
  readonly number: number;
  readonly hash: Uint8Array;
  /** Bits, 0..2^32-1; unknown ones say nothing. */
  readonly kinds: number;
}

/** One server's view of itself at the moment of sending. */
export interface PeerStatus {
  /** The sender's version, for people. */
  readonly version: string;
  /** Its health monitor's verdict on its sequencer; null before the first. */
  readonly healthy: boolean | null;
  /** Is its conductor paused or stopped? */
  readonly paused: boolean;
  /** Its sequencer runs though its conductor is paused: an operator has started it. */
  readonly builds: boolean;
  /** Its conductor ends: it will not answer any more. */
  readonly ends: boolean;
  /** Its node's unsafe head, 0..2^53-1; null while unknown. */
  readonly unsafeNumber: number | null;
  /** Hash of that head; null while unknown. */
  readonly unsafeHash: Uint8Array | null;
  /** Its execution client's head, 0..2^53-1; null while unknown. */
  readonly clientNumber: number | null;
  /** Hash of that head; null while unknown. */
  readonly clientHash: Uint8Array | null;
  /** Height of its node's safe head, 0..2^53-1; null while unknown. */
  readonly safeNumber: number | null;
  /** Height of the newest L1 block its node knows, 0..2^53-1; null while unknown. */
  readonly l1Number: number | null;
  /** What its node shows about committed blocks (rule 6); at most OBSERVATIONS_MAX are sent. */
  readonly observations: readonly ReportedObservation[];
  /** Whether the sender answers what its execution client says of a block (rule 28): it has an engine API. */
  readonly validates: boolean;
  /** Ids of servers that the sender knows to be this implementation. */
  readonly own: readonly string[];
}

/** What a server tells while it knows nothing of its node, and of no other server. */
export function blankPeerStatus(version: string): PeerStatus {
  return {
    version,
    healthy: null,
    paused: false,
    builds: false,
    ends: false,
    unsafeNumber: null,
    unsafeHash: null,
    clientNumber: null,
    clientHash: null,
    safeNumber: null,
    l1Number: null,
    observations: [],
    validates: false,
    own: [],
  };
}

/** Bound of the encoded form, both ways. */
const STATUS_BYTES_MAX = 4096;
/** Ids are written while they fit; this leaves room for all else. */
const OWN_BYTES_MAX = 2400;
const VERSION_LETTERS_MAX = 64;
const HASH_BYTES_MAX = 64;

/** More are not read, and not sent. */
const OBSERVATIONS_MAX = 8;

type WireObservation = Omit<ReportedObservation, 'hash'> & { readonly hash: Uint8Array | null };
type WireStatus = Omit<PeerStatus, 'own' | 'observations'> & {
  readonly own: readonly { readonly id: string }[] | null;
  readonly observations: readonly WireObservation[] | null;
};

const OBSERVATION: StructSchema<WireObservation> = struct(
  'an observation',
  [
    ['Number', 'number', 'unsigned'],
    ['Hash', 'hash', 'bytes'],
    ['Kinds', 'kinds', 'unsigned'],
  ],
  () => ({ number: 0, hash: null, kinds: 0 }),
);

const OWN_SERVER: StructSchema<{ readonly id: string }> = struct('a server id', [['ID', 'id', 'string']], () => ({
  id: '',
}));

const PEER_STATUS: StructSchema<WireStatus> = struct(
  'a peer status',
  [
    ['Version', 'version', 'string'],
    ['Healthy', 'healthy', 'bool'],
    ['Paused', 'paused', 'bool'],
    ['Builds', 'builds', 'bool'],
    ['Ends', 'ends', 'bool'],
    ['UnsafeNumber', 'unsafeNumber', 'unsigned'],
    ['UnsafeHash', 'unsafeHash', 'bytes'],
    ['ClientNumber', 'clientNumber', 'unsigned'],
    ['ClientHash', 'clientHash', 'bytes'],
    ['SafeNumber', 'safeNumber', 'unsigned'],
    ['L1Number', 'l1Number', 'unsigned'],
    ['Observations', 'observations', 'structs', { limit: 'serversMax', element: OBSERVATION }],
    ['Validates', 'validates', 'bool'],
    ['Own', 'own', 'structs', { limit: 'serversMax', element: OWN_SERVER }],
  ],
  () => ({ ...blankPeerStatus(''), observations: null, own: null }),
);

const KEY = {
  builds: encodeKey('Builds'),
  clientHash: encodeKey('ClientHash'),
  clientNumber: encodeKey('ClientNumber'),
  ends: encodeKey('Ends'),
  hash: encodeKey('Hash'),
  healthy: encodeKey('Healthy'),
  id: encodeKey('ID'),
  kinds: encodeKey('Kinds'),
  l1Number: encodeKey('L1Number'),
  number: encodeKey('Number'),
  observations: encodeKey('Observations'),
  own: encodeKey('Own'),
  paused: encodeKey('Paused'),
  safeNumber: encodeKey('SafeNumber'),
  unsafeHash: encodeKey('UnsafeHash'),
  unsafeNumber: encodeKey('UnsafeNumber'),
  validates: encodeKey('Validates'),
  version: encodeKey('Version'),
} as const;

const LIMITS = { ...DEFAULT_WIRE_LIMITS, stringBytesMax: STATUS_BYTES_MAX };

/**
 * At most 4 KiB: a long version is cut, and ids of `own` that do not fit are left out, which only
 * means that those servers are not known to be ours. Throws WireError 'unencodable' for a number or
 * hash outside its range.
 */
export function encodePeerStatus(peerStatus: PeerStatus): Uint8Array {
  const { healthy, unsafeNumber, unsafeHash, clientNumber, clientHash, safeNumber, l1Number } = peerStatus;
  const observations = peerStatus.observations.slice(0, OBSERVATIONS_MAX);
  for (const hash of [unsafeHash, clientHash, ...observations.map((one) => one.hash)]) {
    if (hash === null || hash.length <= HASH_BYTES_MAX) continue;
    throw new WireError('unencodable', `a hash of ${hash.length} bytes is above the limit of ${HASH_BYTES_MAX}`);
  }
  const values = [healthy, unsafeNumber, unsafeHash, clientNumber, clientHash, safeNumber, l1Number];
  const optional = values.filter((value) => value !== null).length;
  return encodeWhole((to) => {
    const { validates, builds, ends } = peerStatus;
    const flags = [observations.length > 0, validates, builds, ends].filter(Boolean).length;
    to.mapHeader(3 + optional + flags);
    if (builds) to.key(KEY.builds).bool(true);
    if (clientHash !== null) to.key(KEY.clientHash).bytes(clientHash);
    if (clientNumber !== null) to.key(KEY.clientNumber).unsigned(clientNumber);
    if (ends) to.key(KEY.ends).bool(true);
    if (healthy !== null) to.key(KEY.healthy).bool(healthy);
    if (l1Number !== null) to.key(KEY.l1Number).unsigned(l1Number);
    if (observations.length > 0) writeObservations(to, observations);
    writeOwn(to, peerStatus.own);
    to.key(KEY.paused).bool(peerStatus.paused);
    if (safeNumber !== null) to.key(KEY.safeNumber).unsigned(safeNumber);
    if (unsafeHash !== null) to.key(KEY.unsafeHash).bytes(unsafeHash);
    if (unsafeNumber !== null) to.key(KEY.unsafeNumber).unsigned(unsafeNumber);
    if (validates) to.key(KEY.validates).bool(true);
    to.key(KEY.version).text(peerStatus.version.slice(0, VERSION_LETTERS_MAX));
  });
}

/** Reads peer status; null for anything that is not peer status or is too large. Never throws. */
export function decodePeerStatus(bytes: Uint8Array): PeerStatus | null {
  if (bytes.length > STATUS_BYTES_MAX) return null;
  try {
    const peerStatus = decodeStruct(PEER_STATUS, bytes, LIMITS);
    const observations = (peerStatus.observations ?? []).slice(0, OBSERVATIONS_MAX);
    return Object.assign(peerStatus, {
      observations: observations.map((one) => ({ ...one, hash: one.hash ?? new Uint8Array() })),
      own: (peerStatus.own ?? []).map(({ id }) => id),
    });
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
}

function writeObservations(to: MsgpackWriter, observations: readonly ReportedObservation[]): void {
  to.key(KEY.observations).arrayHeader(observations.length);
  for (const { number, hash, kinds } of observations) {
    to.mapHeader(3);
    to.key(KEY.hash).bytes(hash);
    to.key(KEY.kinds).unsigned(kinds);
    to.key(KEY.number).unsigned(number);
  }
}

function writeOwn(to: MsgpackWriter, own: readonly string[]): void {
  let bytes = 0;
  const fitting = own.filter((id) => (bytes += encodedBytesMax(id)) <= OWN_BYTES_MAX);
  to.key(KEY.own).arrayHeader(fitting.length);
  for (const id of fitting) {
    to.mapHeader(1);
    to.key(KEY.id).text(id);
  }
}

/** At least what an id takes: map head, key and string head are at most 9 bytes, a UTF-16 unit at most 3. */
function encodedBytesMax(id: string): number {
  return 9 + 3 * id.length;
}
