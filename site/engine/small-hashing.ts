/**
 * Leaves the vector code of Keccak out of the page's cluster: its blocks hold a few transactions, and KeccakPairs hashes
 * one by one where there is no module that an engine takes.
 */
import type { Plugin } from 'vite';

const CODE = '/conductor/core/payload/keccak-pair-code.ts';
const NOTHING =
  'export const keccakPairModule = () => new Uint8Array(); export const roundConstants = keccakPairModule;';

/** A plugin for builds whose code runs in a browser's worker. */
export function hashSmallBlocks(): Plugin {
  return {
    name: 'hash-small-blocks',
    enforce: 'pre',
    load: (id) => (id.replaceAll('\\', '/').endsWith(CODE) ? NOTHING : null),
  };
}
