/**
 * The types of what op-node answers to a health probe. op-conductor decodes these answers whole, so a
 * value of the wrong type anywhere in them is an answer that cannot be read, whatever the rest says.
 */

type Field = 'uint64' | 'hash' | Fields;
type Fields = readonly (readonly [name: string, field: Field])[];

const UINT64_END = 2 ** 64;
const blockId = { hash: 'hash', number: 'uint64' } as const;
const l1Ref = Object.entries({ ...blockId, parentHash: 'hash', timestamp: 'uint64' } as const);
const l2Ref: Fields = [...l1Ref, ['l1origin', Object.entries(blockId)], ['sequenceNumber', 'uint64']];

const syncStatusFields: Fields = Object.entries({
  current_l1: l1Ref,
  current_l1_finalized: l1Ref,
  head_l1: l1Ref,
  safe_l1: l1Ref,
  finalized_l1: l1Ref,
  unsafe_l2: l2Ref,
  safe_l2: l2Ref,
  finalized_l2: l2Ref,
  pending_safe_l2: l2Ref,
  local_safe_l2: l2Ref,
});

const peerCounts = 'connected table blocksTopic blocksTopicV2 blocksTopicV3 blocksTopicV4 banned known';
const peerStatsFields: Fields = peerCounts.split(' ').map((name) => [name, 'uint64']);

/** The first field of an answer of optimism_syncStatus that is of another type than op-node's; null when none is. */
export function mistypedSyncStatus(status: unknown): string | null {
  return mistypedIn(syncStatusFields, status, 'the result');
}

/** The same for opp2p_peerStats. */
export function mistypedPeerStats(stats: unknown): string | null {
  return mistypedIn(peerStatsFields, stats, 'the result');
}

/** Whether a JSON number can be a uint64; one above 2^53 counts though it was rounded. */
export function isUint64(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < UINT64_END;
}

/** What is absent is zero, and so is null but for hashes. */
function mistypedIn(fields: Fields, value: unknown, path: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) return path;
  for (const [name, field] of fields) {
    const mistyped = mistypedField(field, (value as Record<string, unknown>)[name], name);
    if (mistyped !== null) return path === 'the result' ? mistyped : `${path}.${mistyped}`;
  }
  return null;
}

function mistypedField(field: Field, value: unknown, name: string): string | null {
  if (value === undefined) return null;
  if (field === 'hash') return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? null : name;
  if (field === 'uint64') return value === null || isUint64(value) ? null : name;
  return mistypedIn(field, value, name);
}
