/**
 * Leaves out of the page's cluster what its runs have no use for. The vector code of Keccak: its blocks hold a few
 * transactions, and KeccakPairs hashes one by one where there is no module that an engine takes. The simulator's
 * op-conductors, and by which laws they are judged: site/islands/live-cluster/run-of-moment.ts refuses runs that have any.
 */
import type { Plugin } from 'vite';

const INSTEAD: Readonly<Record<string, string>> = {
  '/conductor/core/payload/keccak-pair-code.ts':
    'export const keccakPairModule = () => new Uint8Array(); export const roundConstants = keccakPairModule;',
  '/simulator/op-conductor/op-conductor.ts': 'export class OpConductor {}',
  '/simulator/oracles/mixed-laws.ts':
    'export const mixedScopes = {}; export const inMixedCluster = (oracle) => oracle;',
};

/** A plugin for builds whose code runs in a browser's worker. */
export function keepClusterSmall(): Plugin {
  return {
    name: 'keep-cluster-small',
    enforce: 'pre',
    load: (id) => {
      const path = id.replaceAll('\\', '/');
      return Object.entries(INSTEAD).find(([file]) => path.endsWith(file))?.[1] ?? null;
    },
  };
}
