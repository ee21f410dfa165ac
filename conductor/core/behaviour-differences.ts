/**
 * Deliberate differences from op-conductor v1.19.6 beyond answers and starts, which have tables of their
 * own (rpc/compatibility.ts, cli/startup-differences.ts): what op-conductor does, what ours does, why, and the
 * title of the test that shows it. A row stands in the file of its area.
 */
import { adminDifferences } from './behaviour/admin.ts';
import { controlDifferences } from './behaviour/control.ts';
import { flashblocksDifferences } from './behaviour/flashblocks.ts';
import { healthDifferences } from './behaviour/health.ts';
import { raftDifferences } from './behaviour/raft.ts';
import { rpcDifferences } from './behaviour/rpc.ts';
import { startDifferences } from './behaviour/start.ts';
import type { Difference } from './difference.ts';

const areas = {
  admin: adminDifferences,
  rpc: rpcDifferences,
  control: controlDifferences,
  raft: raftDifferences,
  health: healthDifferences,
  flashblocks: flashblocksDifferences,
  start: startDifferences,
} as const satisfies Readonly<Record<string, readonly Difference[]>>;

export interface BehaviourDifference extends Difference {
  readonly area: keyof typeof areas;
}

/** All, area by area. */
export const behaviourDifferences: readonly BehaviourDifference[] = Object.entries(areas).flatMap(([area, rows]) =>
  rows.map((row) => ({ area: area as keyof typeof areas, ...row })),
);
