/**
 * One look at how the own node and its client take the committed tip (observer.ts), and what it shows (rule 6). A node
 * that stands on the tip's parent without the block is given it, and has worked through what it was given once its
 * driver loop has answered several times: requests are served between drained events, never during one.
 */
import {
  badBlocks,
  blockByHash,
  clientSyncing,
  latestBlock,
  outputAtBlock,
  postPayload,
  readBadBlockHashes,
  readHeader,
  readSyncHead,
  syncStatus,
  type BlockHeader,
  type BlockRef,
  type CallResult,
  type NodeRequest,
} from '../control/calls.ts';
import type { ChainView } from '../control/chain-view.ts';
import { call, type Steps } from '../control/effects.ts';
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

export interface Look {
  /** The node is on the tip, or ahead of it, and nothing speaks against the chain. */
  readonly isSettled: boolean;
  readonly safeNumber: bigint | null;
  readonly observations: readonly Observation[];
}

export interface LookHost {
  readonly chain: ChainView;
  readonly memory: Memory;
  readonly blockTimeMs: number;
  nowMs(): number;
  mayPost(): boolean;
}

/** What is remembered from look to look, of one life of the node and its client. */
export class Memory {
  /** The last committed tip that the node's head was seen on. */
  seenOn: BlockRef | null = null;
  /** The tip that the node was given, and when. */
  given: { readonly hash: string; readonly atMs: number } | null = null;
  /** The tip that the client lists as refused, when it was last asked, and whether that was not the first time. */
  refused: { readonly hash: string; readonly askedAtMs: number; readonly isConfirmed: boolean } | null = null;

  /** One of the two did not answer: it may be another process by the next look. */
  interrupted(): void {
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
  if (node === null || client === null || held?.kind !== 'result') {
    memory.interrupted();
    return nothing;
  }
  const holdsTip = readHeader(held.value)?.hash === tip.hash;
  const safeNumber = safe?.number ?? null;
  const about = (block: BlockRef, ...kinds: ObservationKind[]): Observation => ({ ...refOf(block), kinds });
  if (holdsTip && node.hash === tip.hash) {
    memory.seenOn = refOf(tip);
    return { isSettled: true, safeNumber, observations: [about(tip, 'holds')] };
  }
  const observations: Observation[] = holdsTip ? [about(tip, 'holds')] : [];
  observations.push(...(yield* whereItParts(host, { client, safe })));
  const isAhead = holdsTip && node.number > tip.number;
  if (!holdsTip && node.hash === client.hash) observations.push(...(yield* whatBecameOf(host, client)));
  return { isSettled: isAhead && observations.length === 1, safeNumber, observations };
}

/** `l1` and `left`: the node's chain, or its safe part, is another one than the committed chain it was on. */
function* whereItParts(
  host: LookHost,
  { client, safe }: { readonly client: BlockHeader; readonly safe: BlockRef | null },
): Steps<Observation[]> {
  const { chain, memory } = host;
  const parts = yield* forkPoint(chain, client);
  if (parts.kind !== 'parts') return [];
  const { at } = parts;
  const kinds: ObservationKind[] = [];
  if (safe !== null && safe.number >= at.number) kinds.push('l1');
  const wasOn = memory.seenOn;
  if (wasOn !== null && wasOn.number >= at.number && chain.at(wasOn.number)?.hash === wasOn.hash) {
    const held = yield* call(soon(blockByHash(at.hash)));
    if (held.kind === 'result' && readHeader(held.value)?.hash === at.hash) kinds.push('left');
  }
  return kinds.length === 0 ? [] : [{ ...refOf(at), kinds }];
}

/** `invalid` and `notTaken`: the node stands on the tip's parent, and its client has no such block. */
function* whatBecameOf(host: LookHost, client: BlockHeader): Steps<Observation[]> {
  const { chain, memory } = host;
  const tip = chain.head();
  const held = tip === null ? null : chain.at(tip.number);
  if (tip === null || held === null) return [];
  if (client.hash !== held.parentHash) {
    memory.given = null;
    memory.refused = null;
    return [];
  }
  const kinds: ObservationKind[] = [];
  if (yield* isRefused(host, tip)) kinds.push('invalid');
  if (memory.given?.hash !== tip.hash) {
    const json = host.mayPost() ? chain.envelopeJson(tip.number) : null;
    if (json !== null) {
      const posted = yield* call(postPayload(json));
      if (posted.kind === 'result') memory.given = { hash: tip.hash, atMs: host.nowMs() };
    }
  } else if (host.nowMs() - memory.given.atMs >= givenForBlocks * host.blockTimeMs) {
    if (yield* hasPassedItBy(tip, client)) kinds.push('notTaken');
  }
  return kinds.length === 0 ? [] : [{ ...refOf(tip), kinds }];
}

/** The client lists the block as refused, and did so a second before. */
function* isRefused({ memory, nowMs }: LookHost, tip: BlockRef): Steps<boolean> {
  const before = memory.refused?.hash === tip.hash ? memory.refused : null;
  if (before !== null && nowMs() - before.askedAtMs < confirmAfterMs) return before.isConfirmed;
  const answer = yield* call(soon(badBlocks));
  const isListed = answer.kind === 'result' && readBadBlockHashes(answer.value).includes(tip.hash);
  memory.refused = isListed ? { hash: tip.hash, askedAtMs: nowMs(), isConfirmed: before !== null } : null;
  return memory.refused?.isConfirmed === true;
}

/** The node has handled all it was given, its client is not syncing, and both are where they were. */
function* hasPassedItBy(tip: BlockRef, client: BlockHeader): Steps<boolean> {
  for (let turn = 0; turn < fenceTurns; turn += 1) {
    const answer = yield* call(soon(outputAtBlock(client.number)));
    if (answer.kind !== 'result') return false;
  }
  const again = yield { kind: 'calls', requests: [clientSyncing, latestBlock, blockByHash(tip.hash)].map(soon) };
  const [syncing, latest, held] = again.kind === 'calls' ? again.results : [];
  const isThere = latest?.kind === 'result' && readHeader(latest.value)?.hash === client.hash;
  return isThere && isFalse(syncing) && held?.kind === 'result' && held.value === null;
}

function isFalse(answer: CallResult | undefined): boolean {
  return answer?.kind === 'result' && answer.value === false;
}

function soon(request: NodeRequest): NodeRequest {
  return { ...request, timeoutMs: Math.min(request.timeoutMs, answerTimeoutMs) };
}

function refOf({ number, hash }: BlockRef): BlockRef {
  return { number, hash };
}
