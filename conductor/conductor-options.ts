/** Settings and ports of a conductor. */
import type { HealthOptions } from './health/checks.ts';
import type { LogStore, Logger, Metrics, Random, WallClock } from './ports.ts';
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
  /** Of the binary, for health_status and hints. */
  readonly version: string;
}

export interface ConductorPorts {
  readonly store: LogStore;
  readonly random: Random;
  readonly wallClock: WallClock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}
