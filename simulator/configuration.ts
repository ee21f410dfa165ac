/** The fixed part of a run: how large the cluster is and how it is set up. What happens to it is a list of events. */

export interface Configuration {
  /** 1..2^32−1; names every random choice of the run. */
  readonly seed: number;
  /** Conductors, each beside a sequencer: 3 or 5. */
  readonly servers: number;
  /** Seconds between blocks. */
  readonly blockSeconds: number;
  /** One-way delay between machines, microseconds. */
  readonly delayMinUs: number;
  readonly delayMaxUs: number;
  /** Seconds between health checks, and the allowed age of the unsafe head. */
  readonly healthSeconds: number;
  readonly unsafeSeconds: number;
  /** Log entries that make a snapshot due, and those kept behind one. */
  readonly snapshotThreshold: number;
  readonly trailingLogs: number;
}

export const defaultConfiguration: Configuration = {
  seed: 1,
  servers: 3,
  blockSeconds: 1,
  delayMinUs: 200,
  delayMaxUs: 3000,
  healthSeconds: 1,
  unsafeSeconds: 3,
  snapshotThreshold: 16,
  trailingLogs: 12,
};
