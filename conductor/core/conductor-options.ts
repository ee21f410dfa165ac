/** Settings and ports of a conductor. */
import { CONTROL_DEFAULTS, type ControlSettings } from './control/control-host.ts';
import type { RecoverModePolicy } from './control/recover-mode.ts';
import type { RollbackPolicy } from './evidence/permitted.ts';
import { HEALTH_DEFAULTS, type HealthOptions } from './health/check.ts';
import type { LogStore, Logger, Metrics, Random, WallClock } from './ports.ts';
import type { EventSink } from './published-event.ts';
import type { ValidationPolicy } from './rpc/validation.ts';
import type { RaftOptions } from './raft/events.ts';

export interface ConductorOptions extends ControlSettings {
  readonly raft: RaftOptions;
  readonly health: HealthOptions;
  /** Refuse payloads whose hash is not that of their fields. */
  readonly isHashVerified: boolean;
  /** Whether the committed chain may follow a rollup that has moved back (rule 6). */
  readonly rollback: RollbackPolicy;
  /** Requests may go to the target 'engine', the execution client's engine API. */
  readonly hasEngine: boolean;
  /** Requests may go to the target 'l1'. */
  readonly hasL1: boolean;
  /** Whose execution clients execute a block before it is appended (rule 28); needs the target 'engine'. */
  readonly validation: ValidationPolicy;
  /** Whether op-node's recover mode may be used (rule 29); only where blocks are validated. */
  readonly recoverMode: RecoverModePolicy;
  /** Why nobody can be reached at an address of a member; null where it can be dialled. Absent where all can. */
  readonly addressFault?: (address: string) => string | null;
  /** Of the binary, for health_status and peer status. */
  readonly version: string;
}

/** What a run without flags of its own has, but for what depends on the machine and the rollup. */
export const CONDUCTOR_DEFAULTS = {
  ...CONTROL_DEFAULTS,
  health: HEALTH_DEFAULTS,
  isHashVerified: true,
  hasEngine: false,
  hasL1: false,
  validation: 'off',
  recoverMode: 'auto',
  rollback: 'proof',
} as const satisfies Omit<
  ConductorOptions,
  'raft' | 'healthIntervalMs' | 'blockTimeMs' | 'isActive' | 'addressFault' | 'version'
>;

export interface ConductorPorts {
  readonly store: LogStore;
  readonly random: Random;
  readonly wallClock: WallClock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Whoever watches this conductor. */
  readonly events: EventSink;
}
