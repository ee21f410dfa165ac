/**
 * A client that was killed has its blocks, and the states of an older head alone. Those blocks that are on its canonical
 * chain it calls VALID without executing them, a forkchoice update to them moves nothing, and what follows them it
 * cannot execute: it stands for good, after any number of restarts (op-geth, eth/catalyst/api.go: forkchoiceUpdated,
 * newPayload). Its sign is a block by number above `latest`. It is made to forget them, and then given them from the log
 * like any other that it lacks (rule 30).
 */
import { blockByNumber, latestBlock, readHeader, type BlockRef, type CallResult } from '../node/calls.ts';
import type { WholeChainView } from '../node/chain-view.ts';
import { call, type Steps } from '../node/effects.ts';
import { readSyncing, setHead, syncing } from '../node/engine-calls.ts';
import { soon, syncsFrom, type LookHost } from './look-host.ts';
import { isOnTip } from './refill.ts';

/** A head that stands so long, though the node was given what follows, does not move by itself; milliseconds. */
const stillForMs = 2000;
/** The same of one that has lost its head: back at its genesis on a young chain, op-node makes it sync within two block times (gone-client.ts). */
const hasLostForMs = 500;
const askAgainMs = 1000;
/** How far above the tip a chain that was given up may have come. */
const givenUpAboveMax = 256n;
/** One that is still at work on what it was given would next tell the client of a block that this has just dropped. */
const idleForMs = 500;

/**
 * Whether the client forgot what it has above its head, `client`. Nothing is dropped unless the log holds the whole chain
 * from there on, and the highest block that the client has is part of it, or was until it was given up; what the client
 * alone knows of, here or on another branch, stays. And one that syncs is left to that.
 */
export function* forget(host: LookHost, client: BlockRef): Steps<boolean> {
  const { chain, memory, nowMs } = host;
  const { still } = memory;
  const tip = chain.head();
  if (tip === null || still === null || still.forgetting !== null || !host.mayAct()) return false;
  const isIdle = memory.node !== null && nowMs() - memory.node.sinceMs >= idleForMs;
  memory.mayForgetYet = still.askedAtMs === -Infinity;
  // One that was gone, and that op-node knew further on, has lost its head. Where the chain goes on it may sync by that.
  const isBelowNode = memory.node !== null && memory.node.number > client.number && isOnTip(host, memory.node);
  const isBackAtGenesis = client.number === 0n && tip.number < syncsFrom;
  const hasLost = memory.untried !== null && (isBelowNode || isBackAtGenesis);
  const waitMs = hasLost ? hasLostForMs : stillForMs;
  if (nowMs() - still.sinceMs < waitMs || !isIdle || nowMs() - still.askedAtMs < askAgainMs) return false;
  memory.mayForgetYet = false;
  memory.still = { ...still, askedAtMs: nowMs() };
  if (client.number >= tip.number || !chain.holdsFrom(client.number + 1n)) return false;
  const next = client.number + 1n;
  const answers = yield { kind: 'calls', requests: [syncing, blockByNumber(next)].map(soon) };
  const [busy, held] = answers.kind === 'calls' ? answers.results : [];
  const isSyncing = busy === undefined || readSyncing(busy) !== false;
  if (isSyncing || !isKnown(chain, held) || !(yield* areAllKnown(chain, next, tip.number + 1n))) return false;
  // One that has executed it in the meantime has not lost anything.
  const latest = yield* call(soon(latestBlock));
  if (latest.kind !== 'result' || readHeader(latest.value)?.hash !== client.hash) return false;
  // To find that out took a while, in which an operator may have paused this conductor.
  if (!host.mayAct()) return false;
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
  if (memory.lost !== null) memory.lost = { hash: memory.lost.hash, sinceMs: memory.lost.sinceMs, wasReset: false };
  // With blocks above its genesis it began as one that syncs by snapshot, and does until it is started again.
  memory.withheld = client.number === 0n ? { tipHash: tip.hash, atMs: nowMs(), isSyncing: false } : null;
  host.forgot(client);
  return true;
}

/** Whether an answer has a block of the committed chain, or one that it has gone away from. */
function isKnown(chain: WholeChainView, answer: CallResult | undefined): boolean {
  const block = answer?.kind === 'result' ? readHeader(answer.value) : null;
  return block !== null && (chain.at(block.number)?.hash === block.hash || chain.hasGivenUp(block));
}

/**
 * Whether the highest block that the client has by number is known to the log: then all are from `first`, which is, up to
 * it. Asked for in halves, below `end` or, where a chain that was given up is longer, above it.
 */
function* areAllKnown(chain: WholeChainView, first: bigint, end: bigint): Steps<boolean> {
  const far = end + givenUpAboveMax;
  const answers = yield { kind: 'calls', requests: [blockByNumber(end), blockByNumber(far)].map(soon) };
  const [atEnd, atFar] = answers.kind === 'calls' ? answers.results : [];
  if (!isMissing(atFar) || !(isMissing(atEnd) || isKnown(chain, atEnd))) return false;
  let [highest, missing] = isMissing(atEnd) ? [first, end] : [end, far];
  while (missing - highest > 1n) {
    const middle = highest + (missing - highest) / 2n;
    const answer = yield* call(soon(blockByNumber(middle)));
    if (isMissing(answer)) missing = middle;
    else if (isKnown(chain, answer)) highest = middle;
    else return false;
  }
  return true;
}

function isMissing(answer: CallResult | undefined): boolean {
  return answer?.kind === 'result' && answer.value === null;
}
