/** Settings and ports of a conductor. */
import type { RecoverModePolicy } from './control/recover-mode.ts';
import type { RollbackPolicy } from './control/rollback.ts';
import type { HealthOptions } from './health/check.ts';
import type { LogStore, Logger, Metrics, Random, WallClock } from './ports.ts';
import type { EventSink } from './published-event.ts';
import type { ValidationPolicy } from './rpc/validation.ts';
import type { RaftOptions } from './raft/events.ts';

export interface ConductorOptions {
  readonly raft: RaftOptions;
  readonly health: HealthOptions;
  readonly healthIntervalMs: number;
  readonly blockTimeMs: number;
  readonly isPaused: boolean;
  /** Whether the sequencer runs, as read at start; null when the node did not say. */
  readonly isActive: boolean | null;
  readonly isRoundRobin: boolean;
  /** Refuse payloads whose hash is not that of their fields. */
  readonly isHashVerified: boolean;
  /** Requests may go to the target 'engine', the execution client's engine API. */
  readonly hasEngine: boolean;
  /** Requests may go to the target 'l1'. */
  readonly hasL1: boolean;
  /** Whose execution clients execute a block before it is appended (rule 28); needs the target 'engine'. */
  readonly validation: ValidationPolicy;
  /** Whether op-node's recover mode may be used (rule 29); only where blocks are validated. */
  readonly recoverMode: RecoverModePolicy;
  /** Whether the committed chain may follow a rollup that has moved back (rule 6). */
  readonly rollback: RollbackPolicy;
  /** A block that an operator says descends from the committed head (rule 4), "0x" and 64 digits; null for none. */
  readonly trustedHash: string | null;
  /** Why nobody can be reached at an address of a member; null where it can be dialled. Absent where all can. */
  readonly addressFault?: (address: string) => string | null;
  /** Of the binary, for health_status and peer status. */
  readonly version: string;
}

export interface ConductorPorts {
  readonly store: LogStore;
  readonly random: Random;
  readonly wallClock: WallClock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Whoever watches this conductor. */
  readonly events: EventSink;
}
