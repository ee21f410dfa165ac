/**
 * A client that was killed has its blocks, and the states of an older head alone. Those blocks that are on its canonical
 * chain it calls VALID without executing them, a forkchoice update to them moves nothing, and what follows them it
 * cannot execute: it stands for good, after any number of restarts (op-geth, eth/catalyst/api.go: forkchoiceUpdated,
 * newPayload). Its sign is a block by number above `latest`. It is made to forget them, and then given them from the log
 * like any other that it lacks (rule 30).
 */
import { blockByNumber, latestBlock, readHeader, type BlockRef } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import { call, type Steps } from '../node/effects.ts';
import { readSyncing, setHead, syncing } from '../node/engine-calls.ts';
import { soon, syncsFrom, type LookHost } from './look-host.ts';

/** A head that stands so long, though the node was given what follows, does not move by itself; milliseconds. */
const stillForMs = 2000;
/** The same of one that is back at its genesis on a young chain: op-node makes it sync within two block times (gone-client.ts). */
const backAtGenesisForMs = 500;
const askAgainMs = 1000;
/** One that is still at work on what it was given would next tell the client of a block that this has just dropped. */
const idleForMs = 500;

/**
 * Whether the client forgot what it has above its head, `client`. Nothing is dropped of which the log does not hold
 * every block, or of which the client alone knows that the chain goes on, here or on another branch; and one that syncs
 * is left to that.
 */
export function* forget(host: LookHost, client: BlockRef): Steps<boolean> {
  const { chain, memory, nowMs } = host;
  const { still } = memory;
  const tip = chain.head();
  if (tip === null || still === null || still.forgetting !== null || !host.mayAct()) return false;
  const isIdle = memory.node !== null && nowMs() - memory.node.sinceMs >= idleForMs;
  memory.mayForgetYet = still.askedAtMs === -Infinity;
  const isBackAtGenesis = client.number === 0n && memory.untried !== null && tip.number < syncsFrom;
  const waitMs = isBackAtGenesis ? backAtGenesisForMs : stillForMs;
  if (nowMs() - still.sinceMs < waitMs || !isIdle || nowMs() - still.askedAtMs < askAgainMs) return false;
  memory.mayForgetYet = false;
  memory.still = { ...still, askedAtMs: nowMs() };
  if (client.number >= tip.number || !chain.holdsFrom(client.number + 1n)) return false;
  const [next, after] = [client.number + 1n, tip.number + 1n];
  const answers = yield { kind: 'calls', requests: [syncing, blockByNumber(next), blockByNumber(after)].map(soon) };
  const [busy, held, beyond] = answers.kind === 'calls' ? answers.results : [];
  const isSyncing = busy === undefined || readSyncing(busy) !== false;
  const isOurs = held?.kind === 'result' && readHeader(held.value)?.hash === chain.at(next)?.hash;
  const isAll = beyond?.kind === 'result' && beyond.value === null;
  if (isSyncing || !isOurs || !isAll) return false;
  if (!(yield* areAllOurs(chain, next, after))) return false;
  // One that has executed it in the meantime has not lost anything.
  const latest = yield* call(soon(latestBlock));
  if (latest.kind !== 'result' || readHeader(latest.value)?.hash !== client.hash) return false;
  memory.isForgetting = true;
  yield* call(setHead(client.number));
  // An answer can be lost; and reth answers without doing anything. What it still has by number tells.
  const left = yield* call(soon(blockByNumber(next)));
  const isDone = left.kind === 'result' && left.value === null;
  memory.isForgetting = false;
  memory.still = { ...memory.still, forgetting: isDone ? 'done' : 'refused' };
  if (!isDone) return false;
  // What was said of those blocks is void: op-node is to look again, and to be given them.
  memory.seenElsewhere();
  memory.lost = null;
  // With blocks above its genesis it began as one that syncs by snapshot, and does until it is started again.
  memory.withheld = client.number === 0n ? { tipHash: tip.hash, atMs: nowMs(), isSyncing: false } : null;
  host.forgot(client);
  return true;
}

/**
 * Whether the highest block that the client has by number from `first`, which is ours, to below `end`, which it has not,
 * is the committed one: then all are. Asked for in halves.
 */
function* areAllOurs(chain: ChainView, first: bigint, end: bigint): Steps<boolean> {
  let [highest, missing] = [first, end];
  while (missing - highest > 1n) {
    const middle = highest + (missing - highest) / 2n;
    const answer = yield* call(soon(blockByNumber(middle)));
    if (answer.kind !== 'result') return false;
    if (answer.value === null) missing = middle;
    else if (readHeader(answer.value)?.hash === chain.at(middle)?.hash) highest = middle;
    else return false;
  }
  return true;
}
