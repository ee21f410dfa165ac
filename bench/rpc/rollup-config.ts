/** A rollup configuration of one chain with every fork from the start, complete enough for op-conductor's own checks. */
const hashOf = (digit: string): string => `0x${digit.repeat(64)}`;
const addressOf = (digit: string): string => `0x${digit.repeat(40)}`;
const forks = ['regolith', 'canyon', 'delta', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus'];

export const rollupConfig = {
  genesis: {
    l1: { hash: hashOf('1'), number: 0 },
    l2: { hash: hashOf('2'), number: 0 },
    l2_time: 1_700_000_000,
    system_config: {
      batcherAddr: addressOf('3'),
      overhead: hashOf('0'),
      scalar: `0x01${'0'.repeat(62)}`,
      gasLimit: 30_000_000,
    },
  },
  block_time: 1,
  max_sequencer_drift: 1800,
  seq_window_size: 3600,
  channel_timeout: 300,
  l1_chain_id: 900,
  l2_chain_id: 901,
  ...Object.fromEntries(forks.map((fork) => [`${fork}_time`, 0])),
  batch_inbox_address: addressOf('4'),
  deposit_contract_address: addressOf('5'),
  l1_system_config_address: addressOf('6'),
  chain_op_config: { eip1559Elasticity: 6, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 },
};
