/**
 * Block times, in seconds, of the chains that --network names: all of superchain-registry at commits
 * ac4e4851 (2026-06-11, in op-geth v1.101702.3-rc.7) and 8336d2ae (2026-08-04), and Base, which earlier
 * ones had. A name is the chain's and its superchain's.
 */
const secondsByNetwork: Readonly<Record<string, number>> = {
  'automata-mainnet': 2,
  'base-mainnet': 2,
  'base-sepolia': 2,
  'bob-mainnet': 2,
  'boba-mainnet': 2,
  'boba-sepolia': 2,
  'camp-sepolia': 2,
  'celo-mainnet': 1,
  'celo-sep-sepolia': 1,
  'creator-chain-testnet-sepolia': 2,
  'cyber-mainnet': 2,
  'cyber-sepolia': 10,
  'ethernity-mainnet': 2,
  'ethernity-sepolia': 2,
  'fraxtal-mainnet': 2,
  'funki-mainnet': 2,
  'funki-sepolia': 2,
  'hashkeychain-mainnet': 2,
  'ink-mainnet': 1,
  'ink-sepolia': 1,
  'lisk-mainnet': 2,
  'lisk-sepolia': 2,
  'lyra-mainnet': 2,
  'metal-mainnet': 2,
  'metal-sepolia': 2,
  'mint-mainnet': 2,
  'mode-mainnet': 2,
  'mode-sepolia': 2,
  'op-mainnet': 2,
  'op-sepolia': 2,
  'oplabs-devnet-0-sepolia-dev-0': 2,
  'orderly-mainnet': 2,
  'ozean-sepolia': 2,
  'pivotal-sepolia': 2,
  'polynomial-mainnet': 2,
  'race-mainnet': 2,
  'race-sepolia': 2,
  'radius_testnet-sepolia': 2,
  'redstone-mainnet': 2,
  'rehearsal-0-bn-0-rehearsal-0-bn': 2,
  'rehearsal-0-bn-1-rehearsal-0-bn': 1,
  'sepolia-devnet-2-sepolia-devnet-2': 2,
  'settlus-mainnet-mainnet': 1,
  'settlus-sepolia-sepolia': 1,
  'shape-mainnet': 2,
  'shape-sepolia': 2,
  'silent-data-mainnet-mainnet': 2,
  'soneium-mainnet': 2,
  'soneium-minato-sepolia': 2,
  'sseed-mainnet': 2,
  'swan-mainnet': 5,
  'tbn-mainnet': 2,
  'tbn-sepolia': 2,
  'unichain-mainnet': 1,
  'unichain-sepolia': 1,
  'worldchain-mainnet': 2,
  'worldchain-sepolia': 2,
  'xterio-eth-mainnet': 2,
  'zora-mainnet': 2,
  'zora-sepolia': 2,
};

/** Names for which op-node and op-conductor know shorter ones. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['mainnet', 'op-mainnet'],
  ['sepolia', 'op-sepolia'],
]);

/** Every full name, in alphabetical order. */
export const networkNames: readonly string[] = Object.keys(secondsByNetwork);

/** Seconds from block to block of a chain, by its name in any case; null for an unknown one. */
export function networkBlockSeconds(name: string): number | null {
  const full = (shortNames.get(name) ?? name).toLowerCase();
  return Object.hasOwn(secondsByNetwork, full) ? (secondsByNetwork[full] as number) : null;
}
