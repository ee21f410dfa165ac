/**
 * One look at how the own node and its client take the committed tip (observer.ts), and what it shows (rule 6). A node
 * that stands on the tip's parent without the block is given it, and has worked through what it was given once its
 * driver loop has answered several times: requests are served between drained events, never during one.
 */
import {
  blockByHash,
  latestBlock,
  outputAtBlock,
  resetPipeline,
  readHeader,
  readSyncHead,
  syncStatus,
  type BlockHeader,
  type BlockRef,
  type NodeRequest,
} from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import { badBlocks, newPayload, readBadBlocks, readPayloadStatus, readSyncing, syncing } from '../node/engine-calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { offer } from '../node/offer.ts';
import { forkPoint } from './fork-point.ts';
import type { Observation, ObservationKind } from './observation.ts';

/** A node that has not answered by then has not answered, milliseconds. */
const answerTimeoutMs = 500;
/** From the first refusal that the client lists to the one that confirms it, milliseconds. */
const confirmAfterMs = 1000;
/** Block times from giving the block to the look that finds it missing. */
const givenForBlocks = 2;
/** Turns of the driver loop that show that the events queued before the first have been handled. */
const fenceTurns = 4;
/** Most bytes that a node is given at once. */
const givenBytesMax = 8 * 1024 * 1024;
/** Larger blocks are given when the node has had half a block time to execute them as they came by gossip. */
const givenAtOnceBytesMax = 256 * 1024;
/** A node that took none of several blocks is given them again after so long, milliseconds. */
const giveAgainMs = 5000;
/** A client that wants to sync first is asked again, milliseconds. */
const askAgainMs = 500;
/** Height from which a client can get from others the state of a block 64 below the head (op-geth, fsMinFullBlocks). */
const syncsFrom = 128n;
/** A client that is below its op-node for so long has lost its head, milliseconds. */
const lostForMs = 500;

export interface Look {
  /** Hash of the client's head where it stands below the tip and nothing known keeps it there; null otherwise. */
  readonly below?: string | null;
  /** The node is on the tip, or ahead of it, and nothing speaks against the chain. */
  readonly isSettled: boolean;
  readonly safeNumber: bigint | null;
  readonly observations: readonly Observation[];
  /** The client executes nothing of what follows its head before it has synced: by itself, or after a restart. */
  readonly needsSync?: 'syncing' | 'restart' | null;
}

export interface LookHost {
  readonly chain: ChainView;
  readonly hasEngine: boolean;
  readonly memory: Memory;
  readonly blockTimeMs: number;
  nowMs(): number;
  /** Since when the tip is the tip, milliseconds ago. */
  tipAgeMs(): number;
  mayPost(): boolean;
}

/** What is remembered from look to look, of one life of the node and its client. */
export class Memory {
  /** Head of the client as it was last told; null while it does not answer. */
  client: BlockRef | null = null;
  /** The last committed tip that the node's head was seen on. */
  seenOn: BlockRef | null = null;
  /** The tip that the node was last given, on which head of its own, and when. */
  given: { readonly hash: string; readonly on: string; readonly atMs: number } | null = null;
  /** The tip that the client lists as refused, when it was last asked, and whether that was not the first time. */
  refused: { readonly hash: string; readonly askedAtMs: number; readonly isConfirmed: boolean } | null = null;

  /** The client's head while op-node believes in a higher one, since when, and whether op-node was made to look. */
  lost: { readonly hash: string; readonly sinceMs: number; readonly wasReset: boolean } | null = null;

  /** The client would only sync to what follows its head: the tip when that began, when it was last asked, and whether it says that it syncs. */
  withheld: { readonly tipHash: string; readonly atMs: number; readonly isSyncing: boolean } | null = null;

  /** One of the two did not answer: it may be another process by the next look. */
  interrupted(): void {
    this.seenElsewhere();
    this.withheld = null;
    this.lost = null;
  }

  /** What was seen of the tip is of a head that is gone. */
  seenElsewhere(): void {
    this.seenOn = null;
    this.given = null;
    this.refused = null;
  }
}

const nothing: Look = { isSettled: false, safeNumber: null, observations: [] };

export function* look(host: LookHost): Steps<Look> {
  const { chain, memory } = host;
  const tip = chain.head();
  if (tip === null) return { ...nothing, isSettled: true };
  const answers = yield { kind: 'calls', requests: [syncStatus, latestBlock, blockByHash(tip.hash)].map(soon) };
  const [status, latest, held] = answers.kind === 'calls' ? answers.results : [];
  const node = status?.kind === 'result' ? readSyncHead(status.value, 'unsafe_l2') : null;
  const safe = status?.kind === 'result' ? readSyncHead(status.value, 'safe_l2') : null;
  const client = latest?.kind === 'result' ? readHeader(latest.value) : null;
  memory.client = client === null ? null : refOf(client);
  if (node === null || client === null || held?.kind !== 'result') {
    memory.interrupted();
    return nothing;
  }
  const holdsTip = readHeader(held.value)?.hash === tip.hash;
  const safeNumber = safe?.number ?? null;
  const about = (block: BlockRef, ...kinds: ObservationKind[]): Observation => ({ ...refOf(block), kinds });
  if (client.number < node.number) {
    yield* lookAgain(host, node, client);
    return { isSettled: false, safeNumber, observations: [], below: client.hash, needsSync: needsSyncOf(memory) };
  }
  if (holdsTip && node.hash === tip.hash) {
    memory.seenOn = refOf(tip);
    memory.withheld = null;
    memory.lost = null;
    return { isSettled: true, safeNumber, observations: [about(tip, 'holds')] };
  }
  const observations: Observation[] = holdsTip ? [about(tip, 'holds')] : [];
  const parts = yield* forkPoint(chain, client);
  if (parts.kind !== 'parts') return { isSettled: holdsTip && node.number > tip.number, safeNumber, observations };
  const below = yield* whatSpeaksAgainst(host, parts.at, { client, safe });
  observations.push(...below);
  if (node.hash === client.hash && parts.at.parentHash === client.hash && below.length === 0) {
    const kinds = holdsTip ? [] : yield* whatBecameOf(host, parts.at, client);
    if (kinds.length > 0) observations.push({ ...refOf(parts.at), kinds });
    yield* give(host, client);
  }
  // Who refuses the tip itself need not be sick: what it says is for others to judge (rule 6).
  const clientHead = below.length === 0 && memory.refused?.hash !== tip.hash ? client.hash : null;
  return { isSettled: false, safeNumber, observations, below: clientHead, needsSync: needsSyncOf(memory) };
}

/**
 * The client has lost the head that op-node believes in, as one killed and restarted does; op-node never looks, and
 * nothing else makes it (rule 30). Made to look, it goes on from where its client is, and is given what follows. A
 * client that has those blocks, too, may take op-node's word for done and stay where it is: then a block that it has
 * not makes it execute what is between.
 */
function* lookAgain(host: LookHost, node: BlockRef, client: BlockHeader): Steps<void> {
  const { memory, mayPost, nowMs } = host;
  const lost =
    memory.lost?.hash === client.hash ? memory.lost : { hash: client.hash, sinceMs: nowMs(), wasReset: false };
  memory.lost = lost;
  // A node that leaves blocks moves its client first: for a moment it looks the same.
  if (nowMs() - lost.sinceMs < lostForMs) return;
  memory.seenElsewhere();
  if (!mayPost()) return;
  if (lost.wasReset) return yield* give(host, node);
  const answer = yield* call(soon(syncing));
  if (readSyncing(answer) !== false) return;
  memory.lost = { ...lost, wasReset: true, sinceMs: nowMs() };
  yield* call(soon(resetPipeline));
}

/** `l1` and `left`: the node's chain, or its safe part, is another one than the committed chain it was on. */
function* whatSpeaksAgainst(
  { chain, memory }: LookHost,
  at: BlockHeader,
  { client, safe }: { readonly client: BlockHeader; readonly safe: BlockRef | null },
): Steps<Observation[]> {
  const kinds: ObservationKind[] = [];
  if (safe !== null && safe.number >= at.number && hasOtherHash(chain, safe, client)) kinds.push('l1');
  const wasOn = memory.seenOn;
  if (wasOn !== null && wasOn.number >= at.number && chain.at(wasOn.number)?.hash === wasOn.hash) {
    const held = yield* call(soon(blockByHash(at.hash)));
    if (held.kind === 'result' && readHeader(held.value)?.hash === at.hash) kinds.push('left');
  }
  return kinds.length === 0 ? [] : [{ ...refOf(at), kinds }];
}

/**
 * The safe chain has another block where the log holds one. A number alone says nothing: a client that lost its head
 * has no block there at all, however high op-node believes the safe head to be.
 */
function hasOtherHash(chain: ChainView, safe: BlockRef, client: BlockHeader): boolean {
  const held = chain.at(safe.number);
  if (held !== null) return held.hash !== safe.hash;
  // Above the tip: the client's own block at the tip's height was compared, and is another one.
  const tip = chain.head();
  return tip !== null && safe.number > tip.number && client.number >= safe.number;
}

/** `invalid` and `notTaken`: the node stands on the parent of the tip, `next`, and its client has no such block. */
function* whatBecameOf(host: LookHost, next: BlockHeader, client: BlockHeader): Steps<ObservationKind[]> {
  const { chain, memory } = host;
  if (chain.head()?.hash !== next.hash) {
    memory.refused = null;
    return [];
  }
  const kinds: ObservationKind[] = [];
  if (yield* isRefused(host, next)) kinds.push('invalid');
  const isGiven = memory.given?.hash === next.hash && memory.given.on === client.hash;
  if (isGiven && host.nowMs() - memory.given!.atMs >= givenForBlocks * host.blockTimeMs) {
    if (yield* hasPassedItBy(next, client)) kinds.push('notTaken');
  }
  return kinds;
}

/**
 * A node that stands below the tip, on `head`, is given what is committed above it, once for each tip and head: it may
 * have missed it, and what it does with it is what others need to know.
 */
function* give(host: LookHost, head: BlockRef): Steps<void> {
  const { chain, memory, mayPost, nowMs } = host;
  const tip = chain.head();
  if (tip === null || !mayPost() || !isDue(host, tip, head)) return;
  const range = { head: head.number, from: head.number + 1n, bytesMax: givenBytesMax };
  const hasEngine = mustAskFirst(host, tip);
  const { last, areAccepted, isInvalid, withheld } = yield* offer({ chain, hasEngine }, range);
  if (isInvalid && memory.refused?.hash !== tip.hash && head.number + 1n === tip.number)
    memory.refused = { hash: tip.hash, askedAtMs: nowMs(), isConfirmed: false };
  if (withheld !== null && last === null) {
    const isSyncing = readSyncing(yield* call(soon(syncing))) === true;
    memory.withheld = { tipHash: memory.withheld?.tipHash ?? tip.hash, atMs: nowMs(), isSyncing };
  } else if (hasEngine && last !== null) {
    memory.withheld = null;
  }
  if (last !== null && areAccepted) memory.given = { hash: tip.hash, on: head.hash, atMs: nowMs() };
}

/**
 * A client that wants to sync may do so once the chain goes on without it, which shows that others have what it lacks;
 * on a short chain it would only lose what it has.
 */
function mustAskFirst({ hasEngine, memory: { withheld } }: LookHost, tip: BlockRef): boolean {
  const canSync = withheld !== null && withheld.tipHash !== tip.hash && tip.number >= syncsFrom;
  return hasEngine && !canSync;
}

function isDue({ chain, memory, blockTimeMs, nowMs, tipAgeMs }: LookHost, tip: BlockRef, head: BlockRef): boolean {
  const { given, withheld } = memory;
  if (withheld !== null && nowMs() - withheld.atMs < askAgainMs) return false;
  const isSameHead = given?.on === head.hash;
  if (isSameHead && given.hash === tip.hash) return false;
  const next = head.number + 1n;
  if (isSameHead && next < tip.number) return nowMs() - given.atMs >= giveAgainMs;
  const isLarge = (chain.at(next)?.sizeBytes ?? 0) > givenAtOnceBytesMax;
  return !isLarge || next < tip.number || tipAgeMs() >= blockTimeMs / 2;
}

function needsSyncOf({ withheld, lost }: Memory): 'syncing' | 'restart' | null {
  if (withheld === null) return lost?.wasReset === true ? 'syncing' : null;
  return withheld.isSyncing ? 'syncing' : 'restart';
}

/** The client lists the block as refused, or calls it INVALID, and did so a second before. */
function* isRefused({ chain, hasEngine, memory, nowMs }: LookHost, tip: BlockRef): Steps<boolean> {
  const before = memory.refused?.hash === tip.hash ? memory.refused : null;
  if (before !== null && nowMs() - before.askedAtMs < confirmAfterMs) return before.isConfirmed;
  const answer = yield* call(soon(badBlocks));
  const isListed = readBadBlocks(answer)?.includes(tip.hash) === true;
  // Asked only where it has said so before: a block that it has not met yet is not executed for this.
  const envelope = hasEngine && !isListed && before !== null ? chain.envelope(tip.number) : null;
  const isInvalid =
    envelope !== null && readPayloadStatus(yield* call(soon(newPayload(envelope, answerTimeoutMs)))).kind === 'invalid';
  memory.refused = isListed || isInvalid ? { hash: tip.hash, askedAtMs: nowMs(), isConfirmed: before !== null } : null;
  return memory.refused?.isConfirmed === true;
}

/** The node has handled all it was given, its client is not syncing, and both are where they were. */
function* hasPassedItBy(tip: BlockRef, client: BlockHeader): Steps<boolean> {
  for (let turn = 0; turn < fenceTurns; turn += 1) {
    const answer = yield* call(soon(outputAtBlock(client.number)));
    if (answer.kind !== 'result') return false;
  }
  const again = yield { kind: 'calls', requests: [syncing, latestBlock, blockByHash(tip.hash)].map(soon) };
  const [busy, latest, held] = again.kind === 'calls' ? again.results : [];
  const isThere = latest?.kind === 'result' && readHeader(latest.value)?.hash === client.hash;
  return isThere && busy !== undefined && readSyncing(busy) === false && held?.kind === 'result' && held.value === null;
}

function soon(request: NodeRequest): NodeRequest {
  return { ...request, timeoutMs: Math.min(request.timeoutMs, answerTimeoutMs) };
}

function refOf({ number, hash }: BlockRef): BlockRef {
  return { number, hash };
}
