/**
 * The interactive parts by the name that `<Island name="…">` gives. Each is a module of its own whose
 * default export is a React component with JSON props; nothing of it is loaded before it is needed.
 */
import type { ComponentType } from 'react';

export interface IslandModule {
  /** Gets what the page's author gave, as JSON. */
  readonly default: ComponentType<never>;
}

export const islands: Readonly<Record<string, () => Promise<IslandModule>>> = {
  FeeCalculator: async () => ({ default: (await import('./fee-calculator/FeeCalculator.tsx')).FeeCalculator }),
  HomeCluster: async () => ({ default: (await import('./home-cluster/HomeCluster.tsx')).HomeCluster }),
  LiveCluster: async () => ({ default: (await import('./live-cluster/LiveCluster.tsx')).LiveCluster }),
  RunMethod: async () => ({ default: (await import('./run-method/RunMethod.tsx')).RunMethod }),
};
