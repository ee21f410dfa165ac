/** What is remembered from one look at the own node and its client (look.ts) to the next. */
import type { BlockRef, CallResult } from '../node/calls.ts';
import type { ChainView, WholeChainView } from '../node/chain-view.ts';
import { readSyncing, readSyncProgress } from '../node/engine-calls.ts';
import type { Envelope } from '../payload/envelope.ts';

/** Heights of L1 of which it is remembered what op-node told. */
const l1HeadsKept = 8n;

/** A client that says that it syncs, and has got no further for so long, gets nowhere, milliseconds. */
const syncStandsMs = 20_000;

/** What the endpoint of --l1.rpc tells of an origin: `isOther`, it has another block there, and `isTaken`, which the own node's L1 head follows. */
export type OriginOnL1 = Readonly<Record<'isOther' | 'isTaken', boolean>>;

/** A head of the client that does not move. */
export interface Still {
  readonly hash: string;
  readonly sinceMs: number;
  readonly askedAtMs: number;
  /** Whether it forgot what it had above without the states, or would not; null while it was not told to. */
  readonly forgetting: 'done' | 'refused' | null;
  /** op-node was made to look where it is. */
  readonly wasReset?: boolean;
}

/** All that follows the node's head, as the node was given it. */
export interface Given {
  /** The tip, and the head that the node stood on. */
  readonly hash: string;
  readonly on: string;
  /** When first and last, and how often. */
  readonly sinceMs: number;
  readonly atMs: number;
  readonly times: number;
  /** The last block given since. */
  readonly last: BlockRef;
}

/** What came of bringing the client to the tip on which op-node stands (refill.ts). */
export interface Refill {
  /** Hash of that tip. */
  readonly to: string;
  /** 'withheld': the client would only sync to what follows its head. */
  readonly state: 'underWay' | 'failed' | 'withheld';
  /** Since when. */
  readonly atMs: number;
}

/** What is remembered from look to look, of one life of the node and its client. */
export class Memory {
  /** Head of the client as it was last told; null while it does not answer. */
  client: BlockRef | null = null;
  /** Hash of the higher head that the client had told of before it told of the present one; null where that follows it. */
  fellFrom: string | null = null;
  #lastHead: BlockRef | null = null;
  /**
   * The client was gone, or is still: the height that it may have been at, that of the committed tip or of op-node when that
   * was noticed, until it has gone beyond it. What it refuses before that may be what it cannot execute any more.
   */
  untried: { readonly beyond: bigint; readonly isGone: boolean } | null = null;
  /** How often the client was gone: each may have been a restart. */
  timesGone = 0;
  /** The last committed tip that the client was seen to have, in whatever life of it. */
  had: BlockRef | null = null;
  /** It has answered ever since, with a head as high: it is the same process, and has not lost that. */
  #isSureOfHad = false;
  /** The highest committed block that the node's head was seen on. */
  seenOn: BlockRef | null = null;
  /** A reset was not answered in time: op-node may carry it out when its driver loop turns. */
  mayHaveResets = false;
  /** What the node was last given; null for nothing that it may still have. */
  given: Given | null = null;
  /** The committed block that the client lists as refused, when it was last asked, and whether that was not the first time. */
  refused: { readonly hash: string; readonly askedAtMs: number; readonly isConfirmed: boolean } | null = null;

  /** The process of the client before this one had refused the tip of then; until it has gone beyond that. */
  refusedBefore = false;

  /** The client's head while op-node believes in a higher one, since when, and whether op-node was made to look. */
  lost: {
    readonly hash: string;
    readonly sinceMs: number;
    readonly wasReset: boolean;
    readonly isSyncing?: boolean;
    /** Hash of the block that op-node believes in, if the client has executed it. */
    readonly held?: string;
  } | null = null;

  /** What came of refilling the client, in this life of it; null where that was not tried, or is done. */
  refill: Refill | null = null;

  /** The client's head, since when it is that, when it was last asked what it has above, and how it took to forget that. */
  still: Still | null = null;

  /** The client is just being made to forget blocks. */
  isForgetting = false;

  /** Whether the client is made to forget something is not decided yet: a restart before that would be for nothing. */
  mayForgetYet = false;

  /** The client would only sync to what follows its head: the tip when that began, when it was last asked, and whether it says that it syncs. */
  withheld: { readonly tipHash: string; readonly atMs: number; readonly isSyncing: boolean } | null = null;

  /** How far the client had got with its sync, and since when. */
  sync: { readonly progress: string; readonly sinceMs: number } | null = null;

  /** The lowest committed block that the node's chain does not have, and since when: wherever it has stood meanwhile. */
  lacking: { readonly hash: string; readonly sinceMs: number } | null = null;

  /** The last committed tip that the node was on, if the log has left it and op-node was made to look. */
  abandoned = '';

  /** The committed block that the leader's node has left, and the last such that op-node was made to look for, and when. */
  leftByLeader: (BlockRef & { readonly sinceMs: number }) | null = null;
  followed: { readonly hash: string; readonly atMs: number } | null = null;

  /** The tip on which the own sequencer was seen to stand though all answer, and whether op-node was made to look for it. */
  stands: { readonly hash: string; readonly wasReset: boolean } | null = null;

  /** The highest safe head that op-node has told of, while the client has it on its chain. */
  safe: BlockRef | null = null;

  /** The client is gone, and op-node was told to look where the chain ends once it is back. */
  wasResetWhileGone = false;
  resetWhileGoneAtMs = -Infinity;
  /** op-node's head when it was told so: while it is that, op-node has not looked yet. */
  looksFrom = '';
  /** When op-node was last kept from making the client sync. */
  keptFromSyncingAtMs = -Infinity;

  /** A block on the client's head of which it said SYNCING, and when it was last asked: so long it executes nothing. */
  unable: { readonly on: string; readonly envelope: Envelope; readonly atMs: number } | null = null;

  /** The block whose origin L1 was last asked for, and what it told. */
  origin: (OriginOnL1 & { readonly of: string; readonly askedAtMs: number }) | null = null;

  /** op-node has told of another newest L1 block than at the look before. */
  isNewOnL1 = false;
  /** Those it has told of, by height: the last of each. */
  readonly #l1Heads = new Map<bigint, string>();
  #isFirstLook = true;
  #l1Hash = '';

  /** op-node's unsafe head, and since when it is that. */
  node: (BlockRef & { readonly sinceMs: number }) | null = null;

  /** op-node's newest L1 block. What it had heard of above that is gone, and far below nobody asks. */
  heardOfL1({ number, hash }: BlockRef): void {
    this.isNewOnL1 = hash !== this.#l1Hash;
    this.#l1Hash = hash;
    for (const height of this.#l1Heads.keys())
      if (height >= number || height + l1HeadsKept <= number) this.#l1Heads.delete(height);
    this.#l1Heads.set(number, hash);
  }

  /** op-node has told of another L1 block at that height. */
  hasOtherOnL1({ number, hash }: Pick<BlockRef, 'number' | 'hash'>): boolean {
    const heard = this.#l1Heads.get(number);
    return heard !== undefined && heard !== hash;
  }

  /** What op-node and the client told of their heads, null for nothing. */
  told(node: BlockRef | null, head: BlockRef | null, nowMs: number): void {
    // What it had inserted of what it was given is gone from its queue.
    if (node !== null && this.node !== null && node.number < this.node.number) this.given = null;
    if (node?.hash !== this.node?.hash) this.node = node === null ? null : { ...node, sinceMs: nowMs };
    this.client = head;
    if (head === null || (this.had !== null && head.number < this.had.number)) this.#isSureOfHad = false;
    if (head !== null) {
      const last = this.#lastHead;
      if (last !== null && last.hash !== head.hash) this.fellFrom = last.number > head.number ? last.hash : null;
      this.#lastHead = head;
      const { untried } = this;
      if (untried?.isGone === true) this.untried = { beyond: higher(untried.beyond, head.number), isGone: false };
      else if (untried !== null && head.number > untried.beyond) this.untried = null;
      if (this.untried === null) this.refusedBefore = false;
    }
    if (head !== null && this.still?.hash !== head.hash)
      this.still = { hash: head.hash, sinceMs: nowMs, askedAtMs: -Infinity, forgetting: null };
  }

  /** The lowest committed block that the node's chain does not have; null where it has them all. */
  lacks(block: BlockRef | null, nowMs: number): void {
    if (block?.hash !== this.lacking?.hash) this.lacking = block === null ? null : { hash: block.hash, sinceMs: nowMs };
  }

  /** The client has the committed tip. */
  has(tip: BlockRef): void {
    this.had = tip;
    this.#isSureOfHad = true;
  }

  /** The committed tip that it had, and went beside since: op-reth tells of no block by hash that is not on its chain, though it has executed it. */
  stillHas(head: BlockRef, chain: ChainView): BlockRef | null {
    const { had } = this;
    if (!this.#isSureOfHad || had === null || head.number < had.number) return null;
    return chain.at(had.number)?.hash === had.hash ? had : null;
  }

  /** The client had this committed block: it has had the tip, or one above. */
  hasHad({ number }: BlockRef, chain: ChainView): boolean {
    const { had } = this;
    return had !== null && had.number >= number && chain.at(had.number)?.hash === had.hash;
  }

  /** The node's head is this committed block: what it leaves later, it had. One on its way back has been higher. */
  seesOn(block: BlockRef, chain: ChainView): void {
    const was = this.seenOn;
    const isHigher = was === null || block.number > was.number || chain.at(was.number)?.hash !== was.hash;
    if (isHigher) this.seenOn = block;
  }

  /**
   * The client's head is this block. Where the log has given that up, op-node was taken there by what it had queued, and
   * that it has left the committed chain is not for L1's sake.
   */
  clientIsOn(block: BlockRef, chain: WholeChainView): void {
    const was = this.seenOn;
    if (was !== null && chain.at(was.number)?.hash === was.hash && chain.hasGivenUp(block)) this.seenOn = null;
  }

  /** Whether the client syncs, as it answers now, and gets ahead with it: within so long. */
  syncs(answer: CallResult, nowMs: number, standsMs = syncStandsMs): boolean {
    if (readSyncing(answer) !== true) return false;
    const progress = readSyncProgress(answer);
    if (progress !== this.sync?.progress) this.sync = { progress, sinceMs: nowMs };
    return nowMs - this.sync.sinceMs < standsMs;
  }

  /**
   * The client tells of its head. What it had before this process looked first nobody knows: one that is below the end of
   * the log then may have been killed with all the rest, as by a power cut.
   */
  answers(head: BlockRef, node: BlockRef | null, logEnd: bigint): void {
    if (!this.#isFirstLook) return;
    this.#isFirstLook = false;
    if (this.untried === null && head.number < logEnd)
      this.untried = { beyond: higher(node?.number ?? 0n, logEnd), isGone: false };
  }

  /** The client refuses connections: it is another process when it is back, and may have lost what it had. */
  clientIsGone(node: BlockRef | null, tip: BlockRef): void {
    if (this.untried?.isGone !== true) {
      this.timesGone++;
      this.refusedBefore = this.refused?.isConfirmed === true;
      this.untried = { beyond: higher(node?.number ?? 0n, tip.number), isGone: true };
    }
    this.interrupted();
  }

  /** One of the two did not answer: it may be another process by the next look. */
  interrupted(): void {
    this.seenElsewhere();
    this.mayHaveResets = false;
    this.withheld = null;
    this.lost = null;
    this.refill = null;
    this.still = null;
    this.sync = null;
  }

  /** What came of refilling the client to the block that op-node stands on; null where that was not tried. */
  refillTo({ hash }: BlockRef): Refill | null {
    return this.refill?.to === hash ? this.refill : null;
  }

  /** What was seen of the tip is of a head that is gone. */
  seenElsewhere(): void {
    this.seenOn = null;
    this.given = null;
    this.refused = null;
  }
}

function higher(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Whether the client executes nothing of what follows its head before it has synced: by itself, or after a restart. */
export function needsSyncOf(memory: Memory): 'syncing' | 'restart' | null {
  const { withheld, unable } = memory;
  if (unable !== null) return 'restart';
  if (withheld === null) return isBehind(memory) ? 'syncing' : null;
  return withheld.isSyncing ? 'syncing' : 'restart';
}

/** It is below its op-node, and being brought to it, by whomever, or will not forget what keeps it there. */
function isBehind({ lost, refill, still, client, node }: Memory): boolean {
  const isBelow = client !== null && node !== null && client.number < node.number;
  if (isBelow && still?.forgetting === 'refused') return true;
  return lost?.wasReset === true || lost?.isSyncing === true || refill?.state === 'underWay';
}

/** Whether the client gets by itself what it lacks: a restart would only interrupt that. */
export function isSyncingItself({ withheld, lost }: Memory): boolean {
  return withheld?.isSyncing === true || lost?.isSyncing === true;
}
