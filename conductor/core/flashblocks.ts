/**
 * Whether flashblocks may be passed on (rule 26): only as leader, inside the lease, with a sequencer
 * that runs. Asked anew for every message with the time of that moment, so that a process that was
 * frozen and thawed says no before it has noticed anything else.
 */
import type { RaftPosition } from './raft/status.ts';

/** Why a flashblock is not passed on; labels of a metric. */
export type WithheldReason = 'not-leader' | 'lease-over' | 'not-sequencing';

export interface FlashblocksInput {
  readonly status: Pick<RaftPosition, 'role' | 'hasFailed' | 'leaseEndsAtMs'>;
  /** What the sequencer is believed to do; null when not known. */
  readonly active: boolean | null;
}

/** null when a flashblock may be passed on at `nowMs`, monotonic. */
export function whyWithheld({ status, active }: FlashblocksInput, nowMs: number): WithheldReason | null {
  if (status.role !== 'leader' || status.hasFailed) return 'not-leader';
  if (nowMs > status.leaseEndsAtMs) return 'lease-over';
  return active === true ? null : 'not-sequencing';
}
