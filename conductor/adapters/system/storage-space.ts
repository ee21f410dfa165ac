/**
 * How much room the volume of the raft log has left: a full one ends the conductor at its next write, so an
 * operator has to hear of it before.
 */
import { statfsSync } from 'node:fs';
import type { Metrics } from '#conductor/core/ports';

/** Sets both gauges of the volume that holds `directory`. Where it cannot be asked, they become NaN. */
export function publishStorageSpace(metrics: Metrics, directory: string): void {
  const { size, free } = spaceOf(directory);
  metrics.gauge('storage_size_bytes', size);
  metrics.gauge('storage_free_bytes', free);
}

/** Bytes. What only root may use does not count as free. */
function spaceOf(directory: string): { readonly size: number; readonly free: number } {
  try {
    const { blocks, bavail, bsize } = statfsSync(directory);
    return { size: blocks * bsize, free: bavail * bsize };
  } catch {
    return { size: Number.NaN, free: Number.NaN };
  }
}
