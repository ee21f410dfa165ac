/**
 * `npm run bench -- validation`: what it costs that the leader's execution client executes a block before it is committed.
 * Nets of three of ours with op-node and op-geth, blocks of 100 kB and 1 MB, with validation and without, in turn.
 */
import { pause, waitFor } from '../../tests/cluster/wait.ts';
import { runDirectory } from '../directories.ts';
import { needOpStack } from '../op-stack.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { processorMs } from '../processor-time.ts';
import { callBatch } from '../realnet/json-rpc.ts';
import { RealNet } from '../realnet/real-net.ts';
import type { RealNode } from '../realnet/real-node.ts';
import { gasOfZeros, TestAccount } from '../realnet/test-account.ts';
import { writeResults } from '../results.ts';
import { conductorCommand } from '../rpc/conductors.ts';
import { median, summarize } from '../statistics.ts';
import { MODES, SIZES, type Measured, type Mode } from './cells.ts';
import { SlotWatch } from './slot-watch.ts';

/** So large a transaction op-geth's pool still takes. */
const TRANSACTION_BYTES = 100_000;
const PASSES = { full: 2, quick: 1 };
const SECONDS = { full: 40, quick: 15 };
const WAIT_MS_MAX = 30_000;
/** Full blocks in a row before anything is measured. */
const WARM_BLOCKS = 5;
const FULL = 0.9;
/** A chain that is this late still catches up with what made it stand. */
const LATE_MS_MAX = 1500;
/** That of the block's first transaction, op-node's, and more. */
const OTHER_GAS = 500_000;
/** Blocks' transactions that wait in the pool, so that a late batch is no hole. */
const WAITING_BLOCKS = 2;
const ATTEMPTS = 5;
/** Offered besides one a second, until all is warm. */
const SPARE_BLOCKS = 31;

export async function benchValidation(run: BenchRun): Promise<void> {
  const [geth, opNode] = [await needOpStack('op-geth'), await needOpStack('op-node')];
  if ('missing' in geth) return console.log(`skipped the real net: ${geth.missing}`);
  if ('missing' in opNode) return console.log(`skipped the real net: ${opNode.missing}`);
  const programs = { geth: geth.path, opNode: opNode.path };
  const seconds = amountAt(run, SECONDS);
  const passes = amountAt(run, PASSES);
  const results: Measured[] = [];
  for (let pass = 0; pass < passes; pass += 1) {
    for (const bytes of SIZES) {
      for (const mode of pass % 2 === 0 ? MODES : MODES.toReversed()) {
        const measured = await measureUndisturbed({ mode, bytes, seconds, programs });
        console.log(told(measured));
        results.push(measured);
      }
    }
  }
  const method = { seconds, passes, transactionBytes: TRANSACTION_BYTES, calldata: 'zeros' };
  writeResults(run, { name: 'validation', method, results });
}

interface Setting {
  readonly mode: Mode;
  readonly bytes: number;
  readonly seconds: number;
  readonly programs: { readonly geth: string; readonly opNode: string };
}

/** Transactions are sent to the leader's client alone: where leadership has moved, nothing was measured. */
async function measureUndisturbed(setting: Setting): Promise<Measured> {
  for (let attempt = 1; ; attempt += 1) {
    const measured = await measure(setting);
    if (measured !== null) return measured;
    if (attempt === ATTEMPTS) throw new Error(`leadership has moved in each of ${ATTEMPTS} attempts`);
    console.log('leadership has moved while blocks were filled: once more');
  }
}

/** null where another one leads at the end than at the beginning. */
async function measure({ mode, bytes, seconds, programs }: Setting): Promise<Measured | null> {
  const found = conductorCommand('bun');
  if ('missing' in found) throw new Error(found.missing);
  const conductor = (node: RealNode): readonly string[] => [
    ...[...found.command, `--execution.engine-rpc=${node.engineUrl}`],
    ...[`--execution.jwt-secret=${node.jwtSecretFile}`, `--consensus.validate=${mode}`],
  ];
  // Signed before anything is measured: the machine has little to spare.
  const blocksOfTransactions = await signedBlocks(bytes, seconds + SPARE_BLOCKS);
  // A block takes so much and no more, whatever waits.
  const gasLimit = Number(gasOfZeros(TRANSACTION_BYTES)) * (bytes / TRANSACTION_BYTES) + OTHER_GAS;
  await using net = await RealNet.start({ ...programs, conductor, gasLimit, parent: runDirectory() });
  const leader = await net.steady();
  const [follower] = net.others(leader) as [RealNode];
  const fill = async (): Promise<void> => {
    const next = blocksOfTransactions.shift();
    if (next !== undefined) await callBatch(leader.executionUrl, 'eth_sendRawTransaction', next);
  };
  // As many as one block takes, whenever a block has come.
  let filling = Promise.resolve();
  for (let block = 0; block < WAITING_BLOCKS; block += 1) filling = filling.then(fill);
  const watch = new SlotWatch(follower, (count) => {
    for (let block = 0; block < count; block += 1) filling = filling.then(fill);
  });
  try {
    const isFull = (): boolean => {
      const last = watch.seen.slice(-WARM_BLOCKS);
      const isLate = last.some(({ lateMs }) => lateMs > LATE_MS_MAX);
      return !isLate && last.reduce((sum, block) => sum + block.bytes, 0) >= WARM_BLOCKS * bytes * FULL;
    };
    const leads = async (): Promise<boolean> => (await leader.callConductor('conductor_leader')) === true;
    const isReady = await waitFor('full blocks', WAIT_MS_MAX, async () =>
      isFull() ? true : (await leads()) ? null : false,
    );
    if (!isReady) return null;
    const from = watch.seen.length - 1;
    const processes = [leader.conductor, leader.geth, follower.conductor, follower.geth];
    const before = processes.map(({ pid }) => processorMs(pid));
    await pause(seconds * 1000);
    const seen = watch.seen.slice(from);
    const used = processes.map(({ pid }, at) => processorMs(pid) - (before[at] as number));
    if (!(await leads())) return null;
    return { mode, bytes, ...summed(seen, used) };
  } finally {
    await watch.stop();
    await filling;
  }
}

/** Parameters of the calls that send a block's transactions, block after block. */
async function signedBlocks(bytes: number, blocks: number): Promise<string[][][]> {
  const account = new TestAccount();
  const data = `0x${'00'.repeat(TRANSACTION_BYTES)}` as const;
  const signed: string[][][] = [];
  while (signed.length < blocks) {
    const block: string[][] = [];
    while (block.length < bytes / TRANSACTION_BYTES) block.push([await account.signed({ data })]);
    signed.push(block);
  }
  return signed;
}

function summed(seen: SlotWatch['seen'], used: readonly number[]): Omit<Measured, 'mode' | 'bytes'> {
  const [first, last] = [seen[0], seen.at(-1)];
  const blocks = (last?.number ?? 0) - (first?.number ?? 0);
  const { p50, p99 } = summarize(seen.map(({ lateMs }) => lateMs));
  const [leaderConductor = 0, leaderClient = 0, followerConductor = 0, followerClient = 0] = used.map(
    (ms) => ms / blocks,
  );
  return {
    ...{ blocks, medianBlockBytes: median(seen.map(({ bytes }) => bytes)) },
    periodMs: ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / blocks,
    slotToHeadMs: { p50, p99 },
    cpuMs: { leaderConductor, leaderClient, followerConductor, followerClient },
  };
}

function told({ mode, bytes, blocks, medianBlockBytes, periodMs, slotToHeadMs, cpuMs }: Measured): string {
  const cpu = Object.entries(cpuMs)
    .map(([who, ms]) => `${who} ${ms.toFixed(1)}`)
    .join(', ');
  return (
    `${bytes / 1000} kB (median block ${(medianBlockBytes / 1000).toFixed(0)} kB), validate ${mode}: ${blocks} blocks, ` +
    `period ${periodMs.toFixed(1)} ms, slot to follower's head p50 ${slotToHeadMs.p50} p99 ${slotToHeadMs.p99} ms, CPU ms a block: ${cpu}`
  );
}
