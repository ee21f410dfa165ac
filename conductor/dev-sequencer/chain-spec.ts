/**
 * The rules of a development chain that every node works out alike from three numbers: genesis
 * time, block time and chain id. L1 is simulated: one block every twelve seconds whose hash is a
 * digest of its number. Shapes follow op-node's optimism_rollupConfig and block references.
 */

/** Seconds between simulated L1 blocks. */
const L1_BLOCK_SECONDS = 12;
/** How many L1 blocks the simulated safe and finalized L1 heads lie behind the newest. */
const L1_SAFE_DEPTH = 2;
const L1_FINALIZED_DEPTH = 4;
/** Version 1 with the usual base-fee and blob-fee scalars; a rollup config without one is refused. */
const FEE_SCALAR = `0x01${'00'.repeat(23)}000c5fc500000558`;
const ZERO_HASH = `0x${'00'.repeat(32)}`;

/** What makes two nodes part of the same chain. */
export interface ChainSpec {
  /** Unix seconds. */
  readonly genesisTime: number;
  /** Whole seconds, ≥ 1. */
  readonly blockSeconds: number;
  /** Blocks in `blockSeconds`, which share a time stamp, 1 to 10; 1 unless it is given. */
  readonly blocksPerSlot?: number;
  readonly chainId: number;
}

/** The parts of a block that a reference needs; a reference to a simulated L1 block, as op-node writes it. */
export interface BlockPosition {
  readonly hash: string;
  readonly number: number;
  readonly parentHash: string;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** A reference to an L2 block, as op-node writes it. */
export interface L2Ref extends BlockPosition {
  readonly l1origin: { readonly hash: string; readonly number: number };
  readonly sequenceNumber: number;
}

/** The L1 block with this number; numbers below 0 give the first. */
function l1Block(spec: ChainSpec, number: number): BlockPosition {
  const at = Math.max(0, number);
  return {
    hash: l1Hash(spec, at),
    number: at,
    parentHash: at === 0 ? ZERO_HASH : l1Hash(spec, at - 1),
    timestamp: spec.genesisTime + at * L1_BLOCK_SECONDS,
  };
}

/** The newest L1 block at a moment (Unix seconds), with the safe and finalized ones behind it. */
export function l1Heads(spec: ChainSpec, unixSeconds: number): Record<'head' | 'safe' | 'finalized', BlockPosition> {
  const number = l1NumberAt(spec, unixSeconds);
  return {
    head: l1Block(spec, number),
    safe: l1Block(spec, number - L1_SAFE_DEPTH),
    finalized: l1Block(spec, number - L1_FINALIZED_DEPTH),
  };
}

/** The full reference of an L2 block: its L1 origin is the newest L1 block not younger than itself. */
export function l2Ref(spec: ChainSpec, block: BlockPosition): L2Ref {
  const origin = l1Block(spec, l1NumberAt(spec, block.timestamp));
  const firstSlot = Math.ceil((origin.timestamp - spec.genesisTime) / spec.blockSeconds);
  const slot = Math.floor((block.timestamp - spec.genesisTime) / spec.blockSeconds);
  return {
    hash: block.hash,
    number: block.number,
    parentHash: block.parentHash,
    timestamp: block.timestamp,
    l1origin: { hash: origin.hash, number: origin.number },
    sequenceNumber: Math.max(0, slot - firstSlot),
  };
}

/** The rollup configuration of the chain, with every fork up to Jovian active at genesis. */
export function rollupConfig(spec: ChainSpec, genesisHash: string): Record<string, unknown> {
  return {
    genesis: {
      l1: { hash: l1Hash(spec, 0), number: 0 },
      l2: { hash: genesisHash, number: 0 },
      l2_time: spec.genesisTime,
      system_config: {
        batcherAddr: `0x${'b0'.repeat(20)}`,
        overhead: ZERO_HASH,
        scalar: FEE_SCALAR,
        gasLimit: 30_000_000,
        eip1559Params: '0x0000000000000000',
        operatorFeeParams: ZERO_HASH,
        minBaseFee: 0,
        daFootprintGasScalar: 0,
      },
    },
    block_time: spec.blockSeconds,
    max_sequencer_drift: 1800,
    seq_window_size: 3600,
    channel_timeout: 300,
    l1_chain_id: 900,
    l2_chain_id: spec.chainId,
    regolith_time: 0,
    canyon_time: 0,
    delta_time: 0,
    ecotone_time: 0,
    fjord_time: 0,
    granite_time: 0,
    holocene_time: 0,
    isthmus_time: 0,
    jovian_time: 0,
    batch_inbox_address: `0xff${'00'.repeat(17)}0901`,
    deposit_contract_address: `0x50${'00'.repeat(18)}01`,
    l1_system_config_address: `0x50${'00'.repeat(18)}09`,
    chain_op_config: { eip1559Elasticity: 6, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 },
  };
}

/** Seconds a chain may lie behind the clock and still fill every slot; beyond that it goes on from now. */
const CATCH_UP_SECONDS_MAX = 300;

/** When the block after `parent` is due (Unix milliseconds), and its time stamp (Unix seconds). `nowMs` is the clock's. */
export function slotAfter(
  { genesisTime, blockSeconds, blocksPerSlot = 1 }: ChainSpec,
  parent: { readonly number: number; readonly timestamp: number },
  nowMs: number,
): { readonly dueMs: number; readonly timestamp: number } {
  if (blocksPerSlot > 1) {
    const dueMs = (genesisTime + ((parent.number + 1) * blockSeconds) / blocksPerSlot) * 1000;
    return { dueMs, timestamp: Math.floor(dueMs / 1000) };
  }
  const next = parent.timestamp + blockSeconds;
  const missedSeconds = Math.floor((nowMs / 1000 - next) / blockSeconds) * blockSeconds;
  const timestamp = missedSeconds > CATCH_UP_SECONDS_MAX ? next + missedSeconds : next;
  return { dueMs: timestamp * 1000, timestamp };
}

function l1NumberAt(spec: ChainSpec, unixSeconds: number): number {
  return Math.max(0, Math.floor((unixSeconds - spec.genesisTime) / L1_BLOCK_SECONDS));
}

function l1Hash(spec: ChainSpec, number: number): string {
  const text = `simulated L1 of chain ${spec.chainId} from ${spec.genesisTime}, block ${number}`;
  return `0x${new Bun.CryptoHasher('sha256').update(text).digest('hex')}`;
}
