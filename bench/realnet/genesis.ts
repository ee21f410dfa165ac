/**
 * Where both chains of the real net begin: an L1 with the rules of Prague and an L2 with every fork up to Jovian, no
 * bridge contracts, and a batcher only where one is started. Keys are those of the well-known test mnemonic.
 */
import { OPTIMISM_FORKS, quantity, SEQUENCER_ADDRESS, zeros } from './net-constants.ts';

/** What of a genesis file is changed here; the rest is kept as it is. */
export interface Genesis {
  config: Record<string, unknown>;
  alloc: Record<string, { balance: string; nonce?: string; code?: string; storage?: Record<string, string> }>;
  [field: string]: unknown;
}

export const L1_CHAIN_ID = 900;
export const L2_CHAIN_ID = 901;
/** Of a block, on the L1 always, on the L2 where nothing else is said. */
export const GAS_LIMIT = 30_000_000;
const FUNDED_WEI = 10n ** 24n;
/** Account 2 of the test mnemonic: from it alone op-nodes take batches. */
const BATCHER_ADDRESS = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const FUNDED = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', SEQUENCER_ADDRESS, BATCHER_ADDRESS];
/** Any address without code: nothing is ever deposited. */
const DEPOSIT_CONTRACT = '0x6000000000000000000000000000000000000001';
/** Any address: all it holds is the signer that op-node lets gossip in from. */
const SYSTEM_CONFIG = '0x6000000000000000000000000000000000000002';
/** keccak256("systemconfig.unsafeblocksigner"), the slot of that signer. */
const SIGNER_SLOT = '0x65a7ed542fb37fe237fdfbdd70b31598523fe5b32879e307bae27a0bd9581c08';
/** Contracts that blocks call as the system: EIP-4788 and EIP-2935. */
const SYSTEM_CONTRACTS = ['0x000f3df6d732807ef1319fb7b8bb8522d0beac02', '0x0000f90827f1c53a10cb7a02335b175320002935'];
/** Predeploys that every block or fee calculation touches; one byte of code, STOP, answers nothing. */
const PREDEPLOYS = ['02', '07', '0f', '10', '11', '15', '16', '19', '1a', '1b'];
const MESSAGE_PASSER = predeploy('16');
/** Any slot: with an empty storage op-node takes the block for one of an earlier fork and refuses its own gossip. */
const FILLED_SLOT = `0x${'1'.padStart(64, '0')}`;
/** Version 1, denominator 250, elasticity 6, no minimum base fee. */
const JOVIAN_EXTRA_DATA = `0x01000000fa00000006${'0'.repeat(16)}`;
const EIP1559 = { eip1559Elasticity: 6, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 };
const BLOCK_FORKS = [
  ...['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg', 'istanbul'],
  ...['muirGlacier', 'berlin', 'london', 'arrowGlacier', 'grayGlacier', 'mergeNetsplit', 'bedrock'],
];

/** The L1's genesis, from the one that geth prints for development chains: that has the system contracts of its forks. */
export function l1Genesis(development: Genesis, unixSeconds: number): Genesis {
  const { osakaTime: _, blobSchedule, ...config } = development.config;
  const { osaka: __, ...schedule } = blobSchedule as Record<string, unknown>;
  const fields = Object.entries(development).filter(([, value]) => value !== null);
  return {
    ...Object.fromEntries(fields),
    config: { ...config, blobSchedule: schedule, chainId: L1_CHAIN_ID },
    timestamp: quantity(unixSeconds),
    gasLimit: quantity(GAS_LIMIT),
    alloc: {
      ...development.alloc,
      ...funds(),
      [SYSTEM_CONFIG]: {
        balance: '0x0',
        nonce: '0x1',
        code: '0x00',
        storage: { [SIGNER_SLOT]: `0x${SEQUENCER_ADDRESS.slice(2).padStart(64, '0')}` },
      },
    },
  };
}

/** The L2's genesis; system contracts are as on the L1. */
export function l2Genesis(l1: Genesis, unixSeconds: number, gasLimit: number): Genesis {
  const codeOf = (address: string): string =>
    l1.alloc[address]?.code ??
    l1.alloc[address.slice(2)]?.code ??
    missing(`the L1's genesis has no code at ${address}`);
  const contracts = [
    ...PREDEPLOYS.map((number) => [predeploy(number), '0x00'] as const),
    ...SYSTEM_CONTRACTS.map((address) => [address, codeOf(address)] as const),
  ];
  const alloc: Genesis['alloc'] = {
    ...funds(),
    ...Object.fromEntries(contracts.map(([address, code]) => [address, { balance: '0x0', nonce: '0x1', code }])),
  };
  alloc[MESSAGE_PASSER] = { balance: '0x0', nonce: '0x1', code: '0x00', storage: { [FILLED_SLOT]: FILLED_SLOT } };
  return {
    config: {
      chainId: L2_CHAIN_ID,
      ...Object.fromEntries(BLOCK_FORKS.map((fork) => [`${fork}Block`, 0])),
      terminalTotalDifficulty: 0,
      ...{ shanghaiTime: 0, cancunTime: 0, pragueTime: 0 },
      ...Object.fromEntries(OPTIMISM_FORKS.filter((fork) => fork !== 'delta').map((fork) => [`${fork}Time`, 0])),
      optimism: EIP1559,
    },
    ...{ nonce: '0x0', number: '0x0', gasUsed: '0x0', difficulty: '0x0', blobGasUsed: '0x0', excessBlobGas: '0x0' },
    timestamp: quantity(unixSeconds),
    extraData: JOVIAN_EXTRA_DATA,
    gasLimit: quantity(gasLimit),
    baseFeePerGas: quantity(1_000_000_000),
    coinbase: predeploy('11'),
    mixHash: zeros,
    parentHash: zeros,
    alloc,
  };
}

/** What a rollup's description names that is not the same on every net. */
export interface RollupStart {
  readonly l1Hash: string;
  readonly l2Hash: string;
  readonly unixSeconds: number;
  readonly gasLimit: number;
}

/** op-node's and the conductors' description of the rollup. */
export function rollupConfig({ l1Hash, l2Hash, unixSeconds, gasLimit }: RollupStart): object {
  return {
    genesis: {
      l1: { hash: l1Hash, number: 0 },
      l2: { hash: l2Hash, number: 0 },
      l2_time: unixSeconds,
      system_config: {
        batcherAddr: BATCHER_ADDRESS,
        overhead: zeros,
        scalar: `0x01${'0'.repeat(62)}`,
        gasLimit,
        eip1559Params: '0x0000000000000000',
        operatorFeeParams: zeros,
        minBaseFee: 0,
        daFootprintGasScalar: 0,
      },
    },
    ...{ block_time: 1, max_sequencer_drift: 1800, seq_window_size: 1_000_000, channel_timeout: 300 },
    ...{ l1_chain_id: L1_CHAIN_ID, l2_chain_id: L2_CHAIN_ID },
    ...Object.fromEntries(OPTIMISM_FORKS.map((fork) => [`${fork}_time`, 0])),
    batch_inbox_address: '0xff00000000000000000000000000000000000901',
    deposit_contract_address: DEPOSIT_CONTRACT,
    l1_system_config_address: SYSTEM_CONFIG,
    chain_op_config: EIP1559,
  };
}

function funds(): Genesis['alloc'] {
  return Object.fromEntries(FUNDED.map((address) => [address, { balance: quantity(FUNDED_WEI) }]));
}

function predeploy(number: string): string {
  return `0x42${number.padStart(38, '0')}`;
}

function missing(message: string): never {
  throw new Error(message);
}
