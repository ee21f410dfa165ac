/** Settings of the health checks with nothing switched on that can be off: what tests begin with and change. */
import type { HealthOptions } from '../check.ts';

export const plainHealth: HealthOptions = {
  unsafeIntervalSeconds: 5,
  isSafeEnabled: false,
  safeIntervalSeconds: 1,
  minPeerCount: 1,
  executionPeers: null,
  rollupBoost: null,
  timeoutMs: 1000,
};
