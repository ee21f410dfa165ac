/** What became of a committed block that follows the head of the own node: its client refused it, or has not taken it. */
import {
  blockByHash,
  latestBlock,
  outputAtBlock,
  readHeader,
  stateOfHead,
  type BlockHeader,
  type BlockRef,
} from '../node/calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { badBlocks, readBadBlocks, readSyncing, syncing } from '../node/engine-calls.ts';
import { soon, statusOf, type LookHost } from './look-host.ts';
import type { ObservationKind } from './observation.ts';

/** From the first refusal that the client lists to the one that confirms it, milliseconds. */
const confirmAfterMs = 1000;
/** Block times from giving the block to the look that finds it missing. */
const givenForBlocks = 2;
/** Turns of the driver loop that show that the events queued before the first have been handled. */
const fenceTurns = 4;

/**
 * `invalid` and `notTaken`, the latter of the tip alone: the node stands on the parent of `next`, a committed block, and its
 * client has no such block. What a leader has built on it since makes it no better (rule 6).
 */
export function* whatBecameOf(
  host: LookHost,
  next: BlockHeader,
  node: BlockRef,
  client: BlockHeader,
): Steps<ObservationKind[]> {
  const { chain, memory } = host;
  // A client that had the block and lost it may be sick: its word proves nothing.
  if (memory.hasHad(next, chain)) {
    memory.refused = null;
    return [];
  }
  const kinds: ObservationKind[] = [];
  // Of one that was killed and has executed nothing since that is for operators alone: it may be sick (record 0157).
  if ((yield* isRefused(host, next)) && memory.untried === null) kinds.push('invalid');
  const isTip = chain.head()?.hash === next.hash;
  const isGiven = isTip && memory.given?.hash === next.hash && memory.given.on === node.hash;
  const isDue = isGiven && host.nowMs() - memory.given!.sinceMs >= givenForBlocks * host.blockTimeMs;
  if (!isDue || (memory.untried !== null && !(yield* canExecuteOn(node, client)))) return kinds;
  if (yield* hasPassedItBy(next, node, client)) kinds.push('notTaken');
  return kinds;
}

/** The client stands where its node does and has the state of that: what follows there it could have taken. */
function* canExecuteOn(node: BlockRef, client: BlockHeader): Steps<boolean> {
  return client.hash === node.hash && (yield* call(soon(stateOfHead))).kind === 'result';
}

/** The client lists the block as refused, or calls it INVALID, and did so a second before. */
function* isRefused(host: LookHost, { number, hash }: BlockRef): Steps<boolean> {
  const { memory, nowMs } = host;
  const before = memory.refused?.hash === hash ? memory.refused : null;
  if (before !== null && nowMs() - before.askedAtMs < confirmAfterMs) return before.isConfirmed;
  const answer = yield* call(soon(badBlocks));
  const isListed = readBadBlocks(answer)?.includes(hash) === true;
  // Asked only where it has said so before: a block that it has not met yet is not executed for this.
  const isInvalid = !isListed && before !== null && (yield* statusOf(host, number)).kind === 'invalid';
  memory.refused = isListed || isInvalid ? { hash, askedAtMs: nowMs(), isConfirmed: before !== null } : null;
  return memory.refused?.isConfirmed === true;
}

/** The node has handled all it was given, its client is not syncing, and both are where they were. */
function* hasPassedItBy(tip: BlockRef, node: BlockRef, client: BlockHeader): Steps<boolean> {
  for (let turn = 0; turn < fenceTurns; turn += 1) {
    const answer = yield* call(soon(outputAtBlock(node.number)));
    if (answer.kind !== 'result') return false;
  }
  const again = yield { kind: 'calls', requests: [syncing, latestBlock, blockByHash(tip.hash)].map(soon) };
  const [busy, latest, held] = again.kind === 'calls' ? again.results : [];
  const isThere = latest?.kind === 'result' && readHeader(latest.value)?.hash === client.hash;
  return isThere && busy !== undefined && readSyncing(busy) === false && held?.kind === 'result' && held.value === null;
}
