/** Values that the genesis and the processes of the real net share. */

/** Account 1 of the test mnemonic that every development chain funds; it signs the blocks that are gossiped. */
export const SEQUENCER_ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const SEQUENCER_KEY = '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
export const OPTIMISM_FORKS = [
  ...['regolith', 'canyon', 'delta', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian'],
];
export const zeros = `0x${'0'.repeat(64)}`;

/** A number as Ethereum's JSON-RPC writes it. */
export function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
