/**
 * A client that stands below what its op-node believes in has lost its head, as one killed and restarted does, or is about to
 * make that its head. Neither of the two says which. op-geth tells by its hash of any block that it has executed, op-reth of
 * what is on its chain alone; and op-reth says that it syncs until its head has moved once since it was started.
 */
import { blockByHash, readHeader, type BlockHeader, type BlockRef } from '../node/calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { areStagesLevel, readSyncing, syncing, type PayloadStatus } from '../node/engine-calls.ts';
import { lookAnew } from './look-anew.ts';
import { noWord, soon, statusOf, type LookHost } from './look-host.ts';
import type { Memory } from './memory.ts';
import { canBeRefilled, isInRefill } from './refill.ts';

/** A client that is below its op-node for so long has lost its head, milliseconds. */
const lostForMs = 500;
/** The same of one that has the block: op-node tells of what was executed before the client makes it its head. */
const lostThoughHeldForMs = 10_000;

/** While the chain stands, one that has got no further for so long syncs to a block that nobody has, as one that was gossiped and is invalid; milliseconds. */
const syncStandsMs = 10_000;

type Lost = NonNullable<Memory['lost']>;

/**
 * The client has lost the head that op-node believes in; op-node never looks, and nothing else makes it (rule 30). Made to
 * look, it goes on from where its client is, and is given what follows. A client that has those blocks, too, may take
 * op-node's word for done and stay where it is: then a block that it has not makes it execute what is between.
 */
export function* lookAgain(host: LookHost, node: BlockRef, client: BlockHeader): Steps<void> {
  const { memory, mayAct, nowMs } = host;
  const lost: Lost =
    memory.lost?.hash === client.hash ? memory.lost : { hash: client.hash, sinceMs: nowMs(), wasReset: false };
  memory.lost = lost;
  // A node that leaves blocks moves its client first: for a moment it looks the same.
  const forMs = nowMs() - lost.sinceMs;
  if (forMs < lostForMs || isInRefill(host, node)) return;
  if (!lost.wasReset && forMs < lostThoughHeldForMs && (yield* isBeingMadeHead(host, lost, node, client))) return;
  memory.seenElsewhere();
  // It is below again at once where the client has blocks by number that it will not forget: what it has not moves it.
  const isInVain = memory.still?.forgetting === 'refused' && memory.still.wasReset === true;
  if (lost.wasReset || isInVain) return host.give(node);
  if (!mayAct() || (yield* isSyncing(host, lost, client)) !== false) return;
  // What it is just given comes to its end first.
  if (yield* canBeRefilled(host, client, node)) return host.refill(client, node);
  const wasReset = yield* lookAnew(host);
  if (wasReset && memory.still?.hash === client.hash) memory.still = { ...memory.still, wasReset };
  memory.lost = { ...lost, isSyncing: false, wasReset, sinceMs: nowMs() };
}

/**
 * op-node tells of a block that it has built or derived when the client has executed it, and only then makes it the client's
 * head, one block after the other; a busy client takes long for that (op-node, payload_success.go: finalizePayload). A client
 * that was killed since has blocks that it cannot stand on.
 */
function* isBeingMadeHead(host: LookHost, lost: Lost, node: BlockRef, client: BlockRef): Steps<boolean> {
  const { memory, builds } = host;
  if (memory.untried !== null || client.number + 1n !== node.number) return false;
  // It was its head, and is not any more: killed and started again, unseen, it has the block and does not stand on it.
  if (memory.fellFrom === node.hash && !builds()) return false;
  if (lost.held === node.hash) return true;
  const has = yield* hasExecuted(host, node);
  if (has === true) memory.lost = { ...lost, held: node.hash };
  return has ?? builds();
}

/** Null where it does not tell. One that is too busy to say so is about to make it its head. */
function* hasExecuted(host: LookHost, { number, hash }: BlockRef): Steps<boolean | null> {
  const isCommitted = host.chain.at(number)?.hash === hash;
  const status: PayloadStatus = isCommitted ? yield* statusOf(host, number) : noWord;
  if (status.kind !== 'none') return status.kind === 'valid';
  if (status.reason === 'timeout') return true;
  if (isAboutBlock(status.reason)) return false;
  const held = yield* call(soon(blockByHash(hash)));
  return held.kind === 'result' && readHeader(held.value)?.hash === hash ? true : null;
}

/** Null where it is not known. What is said of it goes into the memory. */
function* isSyncing(host: LookHost, lost: Lost, client: BlockRef): Steps<boolean | null> {
  const { memory, nowMs } = host;
  const answer = yield* call(soon(syncing));
  const areLevel = areStagesLevel(answer);
  if (areLevel !== null && (yield* takesBlocks(host, client, areLevel))) return false;
  memory.lost = { ...lost, isSyncing: memory.syncs(answer, nowMs()) };
  // Stages are told as they end, which may take minutes each.
  const isSaid = readSyncing(answer);
  const mayStand = isSaid === true && areLevel === null && host.tipAgeMs() >= syncStandsMs;
  return mayStand && !memory.syncs(answer, nowMs(), syncStandsMs) ? false : isSaid;
}

/** reth judges what follows its head at once, unless it syncs: then it keeps that for later (reth, tree/mod.rs: on_new_payload). */
function* takesBlocks(host: LookHost, client: BlockRef, areStagesAtHead: boolean): Steps<boolean> {
  const status = yield* statusOf(host, client.number + 1n);
  if (status.kind !== 'none') return true;
  return !isAboutBlock(status.reason) && status.reason !== 'timeout' && areStagesAtHead;
}

function isAboutBlock(reason: (PayloadStatus & { readonly kind: 'none' })['reason']): boolean {
  return reason === 'syncing' || reason === 'accepted';
}
