/**
 * Bounds on what a peer may make us hold. hashicorp/raft has none; ours refuse nothing that a
 * correctly configured Go cluster sends. There is deliberately no bound on a request's total here:
 * a Go leader batches up to MaxAppendEntries entries of any size (rule 11). Whoever reads from strangers
 * bounds what is incomplete by the memory there is.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Room beside a payload of 64 MiB for what wraps it: SSZ envelope, rollback prefix (rule 6). */
const ENVELOPE_BYTES = 64 * KIB;

const ENTRY_BYTES_MAX = 64 * MIB + ENVELOPE_BYTES;

/** All sizes in bytes. */
export interface WireLimits {
  /** `Data` of one log entry. */
  readonly entryBytesMax: number;
  /** Entries in one request; 1024 is the most that Go's MaxAppendEntries may be set to. */
  readonly entriesMax: number;
  /** Every other string: keys, ids, addresses, extensions, error texts. */
  readonly stringBytesMax: number;
  /**
   * `Configuration` and `Peers` of a snapshot request, and each id and address in a configuration. A Go
   * cluster commits whatever an admin call brought: nothing that fits an entry may be unreadable here.
   */
  readonly configurationBytesMax: number;
  /** Raw bytes that follow a snapshot request. */
  readonly snapshotBytesMax: number;
  /** Nesting of a value under a key that we do not know. */
  readonly skippedDepthMax: number;
  /** Sum over all unknown keys and their values in one message. */
  readonly skippedBytesMax: number;
  /** Keys in one map (elements, where a struct comes as an array). */
  readonly keysMax: number;
  /** Servers in one configuration. */
  readonly serversMax: number;
}

export const DEFAULT_WIRE_LIMITS: WireLimits = {
  entryBytesMax: ENTRY_BYTES_MAX,
  entriesMax: 1024,
  stringBytesMax: 64 * KIB,
  configurationBytesMax: ENTRY_BYTES_MAX,
  snapshotBytesMax: 64 * MIB + ENVELOPE_BYTES,
  skippedDepthMax: 16,
  skippedBytesMax: MIB,
  keysMax: 1024,
  serversMax: 64 * KIB,
};
