/**
 * Who stands where: what each member's node and execution client have, what they show about the newest committed
 * block, and how old that word is. For people and their tools: nothing is decided by it (evidence/proof.ts does).
 */
import { kindsOfBits, type Observation, type ObservationKind } from './observation.ts';
import type { OwnWord, RefusedTip } from './observer.ts';
import { isAgainst, type Proof } from './proof.ts';
import type { BlockRef } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import { prefixedHex } from '../payload/hex.ts';
import type { RaftStatus, Said } from '../raft/status.ts';
import { Suffrage } from '../raft/types.ts';

/** What a node shows about the newest committed block: the weightiest of what it told; 'unknown' for nothing. */
export type NodeVerdict = ObservationKind | 'unknown';

/** In the order of their weight. */
export const nodeVerdicts = ['l1', 'left', 'invalid', 'notTaken', 'valid', 'holds', 'unknown'] as const;

/** One member and its node, as this server knows them; null for what it does not know. */
export interface NodeView {
  readonly id: string;
  readonly isVoter: boolean;
  /** 'unknown' until it has answered. */
  readonly implementation: 'conductor' | 'op-conductor' | 'unknown';
  /** Age of all that follows, milliseconds: since it was heard, or since our own node was looked at. */
  readonly ageMs: number | null;
  readonly isHealthy: boolean | null;
  readonly nodeHead: BlockRef | null;
  readonly clientHead: BlockRef | null;
  readonly safeNumber: bigint | null;
  readonly verdict: NodeVerdict;
  /** All that it shows about committed blocks. */
  readonly observations: readonly Observation[];
  /** The newest committed block, where its client calls it invalid, also if that proves nothing; known of our own alone. */
  readonly refuses: RefusedTip | null;
}

/** A committed block that some voter's node speaks against, and whether it may be given up. */
export interface DisputedBlock extends BlockRef {
  readonly proof: Proof;
}

export interface OwnNode {
  readonly isHealthy: boolean | null;
  readonly head: BlockRef | null;
  readonly word: OwnWord;
}

/** Every member; a follower knows of itself and its leader. `nowMs` is monotonic. */
export function nodeViews(status: RaftStatus, own: OwnNode, tip: BlockRef | null, nowMs: number): NodeView[] {
  return status.configuration.configuration.servers.map(({ id, suffrage }): NodeView => {
    const member = { id, isVoter: suffrage === Suffrage.voter };
    if (id === status.id) return { ...member, ...viewOfOwn(own, tip, nowMs) };
    const peer = status.peers.find((one) => one.id === id);
    const said = peer?.lastSaid ?? (id === status.leaderId ? status.leaderSaid : null);
    const implementation =
      peer?.isNative === true ? 'conductor' : peer?.isForeign === true ? 'op-conductor' : 'unknown';
    return { ...member, ...(said === null ? viewOfSilent(implementation) : viewOfSaid(said, tip)) };
  });
}

/** Committed blocks that somebody speaks against, the lowest first. */
export function disputedBlocks(
  views: readonly NodeView[],
  chain: ChainView,
  proofAgainst: (block: BlockRef) => Proof,
): DisputedBlock[] {
  const found = new Map<string, BlockRef>();
  for (const word of views.flatMap((view) => wordsOf(view, chain)))
    if (isAgainst(word)) found.set(word.hash, { number: word.number, hash: word.hash });
  const blocks = [...found.values()].toSorted((a, b) => (a.number < b.number ? -1 : 1));
  return blocks.map((block) => ({ ...block, proof: proofAgainst(block) }));
}

/** What it says of blocks that are committed now: a server whose log lags may speak of an earlier chain. */
export function wordsOf(
  { observations }: Pick<NodeView, 'observations'>,
  chain: Pick<ChainView, 'at'>,
): readonly Observation[] {
  return observations.filter(({ number, hash }) => chain.at(number)?.hash === hash);
}

/** In a few words for the log, as "a: node 6 (1f3a9c20), client 5 (77c01b4e), notTaken, 0.1 s; b: silent". */
export function standingsText(views: readonly NodeView[]): string {
  const at = (head: BlockRef | null): string => (head === null ? '?' : `${head.number} (${head.hash.slice(2, 10)})`);
  return views
    .map(({ id, ageMs, nodeHead, clientHead, verdict }) =>
      ageMs === null
        ? `${id}: silent`
        : `${id}: node ${at(nodeHead)}, client ${at(clientHead)}, ${verdict}, ${(ageMs / 1000).toFixed(1)} s`,
    )
    .join('; ');
}

type Word = Omit<NodeView, 'id' | 'isVoter'>;

function viewOfOwn({ isHealthy, head, word }: OwnNode, tip: BlockRef | null, nowMs: number): Word {
  const { seenAtMs = -Infinity, client = null, safeNumber, observations, refuses = null } = word;
  return {
    implementation: 'conductor',
    ageMs: Number.isFinite(seenAtMs) ? nowMs - seenAtMs : null,
    isHealthy,
    nodeHead: head,
    clientHead: client,
    safeNumber,
    verdict: verdictOn(tip, observations),
    observations,
    refuses,
  };
}

function viewOfSaid({ peerStatus, ageMs }: Said, tip: BlockRef | null): Word {
  const observations = peerStatus.observations.map(({ number, hash, kinds }) => ({
    number: BigInt(number),
    hash: prefixedHex(hash),
    kinds: kindsOfBits(kinds),
  }));
  return {
    implementation: 'conductor',
    ageMs,
    isHealthy: peerStatus.healthy,
    nodeHead: refOf(peerStatus.unsafeNumber, peerStatus.unsafeHash),
    clientHead: refOf(peerStatus.clientNumber, peerStatus.clientHash),
    safeNumber: peerStatus.safeNumber === null ? null : BigInt(peerStatus.safeNumber),
    verdict: verdictOn(tip, observations),
    observations,
    refuses: null,
  };
}

function viewOfSilent(implementation: NodeView['implementation']): Word {
  return {
    implementation,
    ageMs: null,
    isHealthy: null,
    nodeHead: null,
    clientHead: null,
    safeNumber: null,
    verdict: 'unknown',
    observations: [],
    refuses: null,
  };
}

function verdictOn(tip: BlockRef | null, observations: readonly Observation[]): NodeVerdict {
  const kinds = observations.filter(({ hash }) => hash === tip?.hash).flatMap((one) => one.kinds);
  return nodeVerdicts.find((verdict) => verdict === 'unknown' || kinds.includes(verdict)) ?? 'unknown';
}

function refOf(number: number | null, hash: Uint8Array | null): BlockRef | null {
  return number === null || hash === null ? null : { number: BigInt(number), hash: prefixedHex(hash) };
}
