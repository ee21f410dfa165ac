/** Every chain that --network names, by the name that op-reth has for it. */
import { expect, test } from 'vitest';
import { networkNames } from '#conductor/host/settings/networks';
import { executionNetworkOf } from './execution-network.ts';

/** Names of rust/op-reth/crates/chainspec/src/superchain of optimism v1.19.6: chain_specs.rs by chain_spec_macro.rs. */
const ofOpReth = new Set(
  [
    'optimism op-mainnet optimism_sepolia optimism-sepolia dev',
    'automata bob boba celo cyber ethernity fraxtal funki hashkeychain ink lisk lyra metal mint mode op orderly polynomial',
    'race redstone settlus-mainnet shape silent-data-mainnet soneium sseed swan tbn unichain worldchain xterio-eth zora',
    'boba-sepolia camp-sepolia celo-sep-sepolia cyber-sepolia funki-sepolia ink-sepolia lisk-sepolia metal-sepolia',
    'mode-sepolia op-sepolia ozean-sepolia pivotal-sepolia race-sepolia radius_testnet-sepolia settlus-sepolia-sepolia',
    'shape-sepolia soneium-minato-sepolia tbn-sepolia unichain-sepolia worldchain-sepolia zora-sepolia',
    'sepolia-devnet-2-sepolia-devnet-2',
  ].flatMap((line) => line.split(' ')),
);

/** Chains that op-reth does not know by any name: it is given their genesis file. */
const strangers = [
  'base-mainnet',
  'base-sepolia',
  'creator-chain-testnet-sepolia',
  'ethernity-sepolia',
  'oplabs-devnet-0-sepolia-dev-0',
  'rehearsal-0-bn-0-rehearsal-0-bn',
  'rehearsal-0-bn-1-rehearsal-0-bn',
];

test('op-reth knows every chain by the name that it is given, but those that it does not know at all', () => {
  expect(networkNames.filter((name) => !ofOpReth.has(executionNetworkOf(name)))).toEqual(strangers);
});

test('names of testnets and of OP Mainnet are the same for all programs', () => {
  expect(['op-mainnet', 'op-sepolia', 'ink-mainnet', 'settlus-mainnet-mainnet'].map(executionNetworkOf)).toEqual([
    'op-mainnet',
    'op-sepolia',
    'ink',
    'settlus-mainnet',
  ]);
});
