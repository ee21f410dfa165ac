/**
 * One look at how the own node and its client take the committed tip (observer.ts), and what it shows (rule 6). A node
 * that stands on the tip's parent without the block is given it, and has worked through what it was given once its
 * driver loop has answered several times: requests are served between drained events, never during one.
 */
import {
  blockByHash,
  blockByNumber,
  readHeader,
  isUnset,
  type BlockHeader,
  type BlockRef,
  type CallResult,
} from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import { newPayload, readPayloadStatus } from '../node/engine-calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { leaveAbandoned, leaveLostOrigin, leaveWhatCannotBeBuiltOn, leaveWithLeader } from './abandoned-chain.ts';
import { forget } from './forget.ts';
import { forkPoint } from './fork-point.ts';
import { keepFromSyncing, lookOnceItIsBack } from './gone-client.ts';
import { headsOf } from './heads.ts';
import { whatHolds } from './held-up.ts';
import { isTakenByL1, mayStandOnItsOrigin, type NodesL1 } from './block-origin.ts';
import { lookAgain } from './lost-head.ts';
import { answerTimeoutMs, askAgainMs, soon, type LookHost } from './look-host.ts';
import { isSyncingItself, needsSyncOf, type Memory } from './memory.ts';
import type { Observation, ObservationKind } from './observation.ts';
import { whatBecameOf } from './what-became.ts';

/** Who has left a block for so long, while a majority stays, is offered it again: two slots of Ethereum, in which others would have seen it; milliseconds. */
const leftInVainMs = 25_000;

export interface Look {
  /** Hash of the client's head where it stands below the tip and nothing known keeps it there; null otherwise. */
  readonly below?: string | null;
  /** What keeps it there is op-node, whose driver loop does not turn. */
  readonly isHeldUp?: boolean;
  /** The node is on the tip, or ahead of it, and nothing speaks against the chain. */
  readonly isSettled: boolean;
  readonly safeNumber: bigint | null;
  readonly observations: readonly Observation[];
  /** op-node is being reset, and tells nothing. */
  readonly isResetting?: boolean;
  /** The client executes nothing of what follows its head before it has synced: by itself, or after a restart. */
  readonly needsSync?: 'syncing' | 'restart' | null;
  /** The client gets by itself what it lacks. */
  readonly isSyncing?: boolean;
}

const syncOf = (memory: Memory): Pick<Look, 'needsSync' | 'isSyncing'> => ({
  needsSync: needsSyncOf(memory),
  isSyncing: isSyncingItself(memory),
});

const nothing: Look = { isSettled: false, safeNumber: null, observations: [] };

export function* look(host: LookHost): Steps<Look> {
  const seen = yield* lookOnce(host);
  if (typeof seen.below !== 'string') return seen;
  const holding = yield* whatHolds(host, seen.below);
  return holding === 'nothing' ? { ...seen, below: null } : { ...seen, isHeldUp: holding === 'op-node' };
}

function* lookOnce(host: LookHost): Steps<Look> {
  const { chain, memory } = host;
  const tip = chain.head();
  if (tip === null) return { ...nothing, isSettled: true };
  const { node, safe, finalizedL1, l1, client, latest, held } = yield* headsOf(tip);
  if (l1 !== null) memory.heardOfL1(l1);
  memory.mayForgetYet = false;
  if (latest?.kind === 'failed' && latest.reason !== 'timeout') memory.clientIsGone(node, tip);
  if (client !== null) memory.answers(client, node, host.logEnd() ?? tip.number);
  const { holding, holdsTip, onHead, clientAlone } = whatItHolds(host, tip, client, held);
  // What was seen of it holds.
  if (node !== null && isUnset(node)) return { ...clientAlone, isResetting: true };
  memory.told(node, client === null ? null : refOf(client), host.nowMs());
  // op-reth asks its endpoint of old blocks for a hash that it does not know, and waits for it (historical.rs).
  const isNotTold = held?.kind === 'failed' && held.reason === 'timeout';
  if (node === null || client === null || (held?.kind !== 'result' && !isNotTold)) {
    memory.interrupted();
    if (node !== null && latest !== undefined) yield* lookOnceItIsBack(host, latest, tip);
    return clientAlone;
  }
  memory.wasResetWhileGone = false;
  yield* keepFromSyncing(host, client, tip);
  if (memory.unable !== null) yield* askAgain(host, memory.unable, client);
  if (holdsTip) memory.has(refOf(tip));
  const safeNumber = yield* safeNumberOf(host, safe, node);
  if (client.number < node.number) {
    if (!(yield* forget(host, client))) yield* lookAgain(host, node, client);
    return { isSettled: false, safeNumber, observations: onHead, below: client.hash, ...syncOf(memory) };
  }
  // Level with its op-node: what it was busy with below is over.
  memory.lost = null;
  memory.fellFrom = null;
  // Above it: what op-node stands on has been followed by what it has executed.
  if (client.number > node.number) memory.withheld = null;
  memory.clientIsOn(client, chain);
  const known = { safeNumber, l1, finalizedL1 };
  const isLeaving =
    (yield* leaveLostOrigin(host, node, known)) ||
    (yield* leaveWithLeader(host, node, known)) ||
    (yield* leaveWhatCannotBeBuiltOn(host, node, known));
  if (holdsTip && node.hash === tip.hash) {
    memory.seenOn = refOf(tip);
    memory.lacks(null, host.nowMs());
    memory.withheld = null;
    const settled = { safeNumber, observations: holding };
    if (memory.unable === null) return { isSettled: !isLeaving, ...settled };
    return { isSettled: false, ...settled, below: client.hash, needsSync: 'restart' };
  }
  const observations = [...holding];
  // op-node may go back without its client: op-geth's head stays where it was until another block is built.
  const parts = yield* forkPoint(chain, client.number > node.number ? node : client);
  if (parts.kind === 'same') memory.lacks(null, host.nowMs());
  if (parts.kind !== 'parts') return { isSettled: holdsTip && node.number > tip.number, safeNumber, observations };
  memory.lacks(parts.at, host.nowMs());
  if (parts.at.number <= node.number) yield* leaveAbandoned(host);
  const below = yield* whatSpeaksAgainst(host, parts.at, { node, client, safe, l1, finalizedL1 });
  observations.push(...below);
  if (parts.at.parentHash === node.hash && below.length === 0) {
    memory.seesOn(refOf(node), chain);
    const canJudge = !holdsTip && (yield* isOnItsChain(node, client));
    const kinds = canJudge ? yield* whatBecameOf(host, parts.at, node, client) : [];
    if (kinds.length > 0) observations.push({ ...refOf(parts.at), kinds });
    yield* forget(host, client);
    // What its sequencer has inserted op-node tells of late: given that once more, it would go back to it, and drop its job.
    if (!host.builds() || client.hash !== tip.hash) host.give(node);
  } else if (parts.at.parentHash === node.hash && hasLeftInVain(host, parts.at)) host.give(node);
  // Who refuses the tip itself need not be sick: what it says is for others to judge (rule 6).
  const isBelow = client.number < tip.number || !holdsTip;
  const mayBeRight = memory.refused?.hash === tip.hash && memory.untried === null;
  const clientHead = isBelow && below.length === 0 && !mayBeRight ? client.hash : null;
  return { isSettled: false, safeNumber, observations, below: clientHead, ...syncOf(memory) };
}

/**
 * That the client has the tip, or else the block that it stands on, where that is a committed one; and what a look shows by that
 * alone: a client holds what it has executed whatever op-node is at. Above its head it may have blocks without their states.
 */
function whatItHolds(
  { chain, memory }: LookHost,
  tip: BlockRef,
  client: BlockRef | null,
  held: CallResult | undefined,
): {
  readonly holding: readonly Observation[];
  readonly holdsTip: boolean;
  readonly onHead: readonly Observation[];
  readonly clientAlone: Look;
} {
  const header = held?.kind === 'result' ? readHeader(held.value) : null;
  const holdsTip = client !== null && (client.hash === tip.hash || header?.hash === tip.hash);
  // Below the tip as well: it stands against what others refuse there.
  const isOnChain = client !== null && client.number < tip.number && chain.at(client.number)?.hash === client.hash;
  const stillHas = client === null ? null : memory.stillHas(client, chain);
  const known = isOnChain ? client : stillHas;
  const onHead: readonly Observation[] = known === null ? [] : [{ ...refOf(known), kinds: ['holds'] }];
  const holding: readonly Observation[] = holdsTip ? [{ ...refOf(tip), kinds: ['holds'] }] : onHead;
  const isThere = client !== null && client.number >= tip.number;
  return {
    ...{ holding, holdsTip, onHead },
    clientAlone: { ...nothing, safeNumber: memory.safe?.number ?? null, observations: isThere ? holding : onHead },
  };
}

/**
 * A reset of op-node begins with an older safe head: what was safe before stays so while the client has it on its chain
 * (rule 6). Not where op-node itself goes below it, as L1 makes it: op-geth keeps those blocks on its chain by number.
 */
function* safeNumberOf({ memory }: LookHost, told: BlockRef | null, node: BlockRef): Steps<bigint | null> {
  const highest = memory.safe !== null && memory.safe.number <= node.number ? memory.safe : null;
  if (highest !== null && (told === null || told.number < highest.number)) {
    const answer = yield* call(soon(blockByNumber(highest.number)));
    if (answer.kind !== 'result' || readHeader(answer.value)?.hash === highest.hash) return highest.number;
  }
  memory.safe = told;
  return told?.number ?? null;
}

/**
 * Its node has been off the block for long, wherever it has stood meanwhile, and the others have not followed: its L1 client may
 * have been wrong, and it is given the chain again.
 */
function hasLeftInVain({ memory, nowMs, isLeftByPeer }: LookHost, block: BlockRef): boolean {
  if (memory.leftByLeader !== null || isLeftByPeer(block)) return false;
  return memory.lacking?.hash === block.hash && nowMs() - memory.lacking.sinceMs >= leftInVainMs;
}

/** Whether the client, which could not execute a block on its head, can do so now, or stands elsewhere. */
function* askAgain(
  { memory, nowMs }: LookHost,
  unable: NonNullable<Memory['unable']>,
  client: BlockHeader,
): Steps<void> {
  if (client.hash !== unable.on) {
    memory.unable = null;
    return;
  }
  if (nowMs() - unable.atMs < askAgainMs) return;
  const status = readPayloadStatus(yield* call(soon(newPayload(unable.envelope, answerTimeoutMs))));
  const isAnswer = status.kind !== 'none' || status.reason === 'accepted';
  memory.unable = isAnswer ? null : { ...unable, atMs: nowMs() };
}

/** Heads as the node and its client tell them; null for what is not told. */
interface NodeState extends NodesL1 {
  readonly node: BlockRef;
  readonly client: BlockHeader;
  readonly safe: BlockRef | null;
}

/** `l1` and `left`: the node's chain, its safe part or L1 is another one than the committed chain. */
function* whatSpeaksAgainst(
  host: LookHost,
  at: BlockHeader,
  { node, client, safe, ...l1 }: NodeState,
): Steps<Observation[]> {
  const { chain, memory } = host;
  const kinds: ObservationKind[] = [];
  const isOtherwiseSafe = safe !== null && safe.number >= at.number && hasOtherHash(chain, safe, client);
  if (isOtherwiseSafe || (yield* isTakenByL1(host, at, l1))) kinds.push('l1');
  const wasOn = memory.seenOn;
  if (wasOn !== null && wasOn.number >= at.number && chain.at(wasOn.number)?.hash === wasOn.hash) {
    const held = yield* call(soon(blockByHash(at.hash)));
    const isHeld = held.kind === 'result' && readHeader(held.value)?.hash === at.hash;
    if (isHeld && !(yield* mayStandOnItsOrigin(chain, at, node, l1.l1))) kinds.push('left');
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

/**
 * Whether the client has executed the block that op-node stands on: its head is that block, or follows it, for op-geth's
 * head stays where it was when op-node goes back.
 */
function* isOnItsChain(node: BlockRef, client: BlockHeader): Steps<boolean> {
  if (client.number <= node.number) return client.hash === node.hash;
  const answer = yield* call(soon(blockByNumber(node.number)));
  return answer.kind === 'result' && readHeader(answer.value)?.hash === node.hash;
}

function refOf({ number, hash }: BlockRef): BlockRef {
  return { number, hash };
}
