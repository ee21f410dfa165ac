/**
 * Brings the own node up to the committed head, any distance the log covers (rule 20). The node
 * answers `admin_postUnsafePayload` before it has decided anything and may drop or insert the
 * payload later; only its head tells. So: post ascending, poll the head, post again.
 */
import {
  failureOf,
  latestBlock,
  readHeader,
  syncHeadOf,
  syncStatus,
  type BlockHeader,
  type BlockRef,
  type CallResult,
  type NodeRequest,
} from '../node/calls.ts';
import type { Refusal } from '../evidence/evidence.ts';
import type { ChainView } from '../node/chain-view.ts';
import { call, cancelled, wait, type Steps } from '../node/effects.ts';
import { tooLargeText } from '../node/large-block.ts';
import { offer, type OfferHost } from '../node/offer.ts';

/** Their bytes (or one payload). */
const bytesInFlightMax = 64 * 1024 * 1024;
/** Pause between two looks at the node's head. */
const headPollMs = 20;
/** Payloads are posted again after this long without progress, then after twice that, and so on. */
const repostMs = 250;
const repostMaxMs = 1000;
/** Given up after this long without progress, unless the caller says otherwise. */
const progressDeadlineMs = 5000;
/** The log can give nothing, and another voter could build: given up after so long. */
const notHeldDeadlineMs = 2000;
/** op-node tells of its head at once; one that does not is not waited for. */
const soonStatus: NodeRequest = { ...syncStatus, timeoutMs: 300 };

/** How it ended. 'ahead' and 'atTip' carry the client's head, and op-node's where that was asked for with it; null where it was not told. */
export type CatchUpOutcome =
  | { readonly kind: 'atTip' | 'ahead'; readonly head: BlockHeader; readonly node?: BlockRef | null }
  | { readonly kind: 'otherBranch'; readonly ours: BlockRef; readonly theirs: BlockRef }
  | { readonly kind: 'noHead' }
  /**
   * `head` is the node's, null where it did not say. `isRefused`: its client is known to refuse or to have left the
   * chain. `isWithheld`: its client would only sync to the next block, which is not given to it (node/offer.ts).
   * `isBelowLog`: the log no longer holds the block after the node's head.
   */
  | {
      readonly kind: 'stuck';
      readonly message: string;
      readonly head: BlockHeader | null;
      readonly isRefused: boolean;
      readonly isWithheld?: boolean;
      readonly isBelowLog?: boolean;
    };

export interface CatchUpHost extends OfferHost {
  nowMs(): number;
  /** Given up after so long without progress, milliseconds; default 5000. */
  readonly giveUpAfterMs?: number;
  /** Called with the number of payloads just posted. */
  posted(count: number): void;
  /** op-node is asked for its head with the first question to its client, which costs no time. Default false. */
  readonly asksNode?: boolean;
  /** The client is being brought to the tip, on which op-node stands (evidence/refill.ts): that is waited for. */
  isRefilling?(): boolean;
  /** The node of a voter that can take over stands on the tip. */
  isTipHeldElsewhere?(): boolean;
  /** What the own node is known to have against the block (evidence/observer.ts); null for nothing. */
  refusal(block: BlockRef): Refusal | null;
  /** Other clients are proved to refuse the block, and the own one calls it invalid, too, whatever that proves by itself. */
  isProvedRefused?(block: BlockRef): boolean;
}

/** Where the node stands against the committed chain. */
type Position = CatchUpOutcome | { readonly kind: 'behind'; readonly isCovered: boolean };

/** Compares the node's head with the committed chain. */
function positionOf(chain: ChainView, head: BlockHeader): Position {
  const tip = chain.head();
  if (tip === null) return { kind: 'noHead' };
  if (head.number > tip.number) return { kind: 'ahead', head };
  if (head.number === tip.number) {
    return head.hash === tip.hash ? { kind: 'atTip', head } : { kind: 'otherBranch', ours: tip, theirs: head };
  }
  const held = chain.at(head.number);
  if (held !== null && held.hash !== head.hash) return { kind: 'otherBranch', ours: held, theirs: head };
  const next = chain.at(head.number + 1n);
  if (next === null) return { kind: 'behind', isCovered: false };
  if (next.parentHash !== head.hash) return { kind: 'otherBranch', ours: next, theirs: head };
  return { kind: 'behind', isCovered: true };
}

/** A client that is about to be made to forget blocks is not asked about all of them every few milliseconds. */
const numberedPollMs = 250;

/** Posts and polls until the node is at the tip, beyond it, on another branch, or stuck: refused, or without progress. */
export function* catchUp(host: CatchUpHost): Steps<CatchUpOutcome> {
  let head: BlockHeader | null = null;
  let progressAtMs = host.nowMs();
  let postedThrough = -1n;
  let postedAtMs = host.nowMs();
  let repostAfterMs = repostMs;
  let trouble = 'no progress';
  let isBelowLog = false;
  const isNeededElsewhere = (): boolean => isBelowLog && host.isTipHeldElsewhere?.() === true;
  const isOver = (): boolean =>
    host.nowMs() - progressAtMs >=
    (host.giveUpAfterMs ?? (isNeededElsewhere() ? notHeldDeadlineMs : progressDeadlineMs));
  for (;;) {
    const { answer, ...told }: Heads = yield* headsOf(head === null && host.asksNode === true);
    const latest: BlockHeader | null = answer.kind === 'result' ? readHeader(answer.value) : null;
    if (latest === null) {
      trouble = failureOf(answer) ?? 'the execution client did not answer with a block';
    } else {
      if (head === null || latest.hash !== head.hash) {
        progressAtMs = host.nowMs();
        repostAfterMs = repostMs;
      }
      head = latest;
      const position = positionOf(host.chain, head);
      if (position.kind === 'atTip' || position.kind === 'ahead') return { ...position, ...told };
      if (position.kind !== 'behind') return position;
      // Only a start waits for as long as that takes: what has a time of its own keeps it.
      if (host.isRefilling?.() === true && host.giveUpAfterMs === undefined) {
        progressAtMs = host.nowMs();
        yield* wait(headPollMs);
        continue;
      }
      const next = host.chain.at(head.number + 1n);
      const refusal = next === null ? null : host.refusal(next);
      const wasTried = postedThrough > head.number && host.nowMs() - postedAtMs >= repostMs;
      if (refusal !== null && (wasTried || refusal.kind !== 'notTaken'))
        return { kind: 'stuck', message: refusal.reason, head, isRefused: true };
      if (next !== null && host.isProvedRefused?.(next) === true)
        return { kind: 'stuck', message: `clients refuse block ${next.number}`, head, isRefused: true };
      isBelowLog = !position.isCovered;
      if (isBelowLog) trouble = notHeldText(head.number);
      // What was given has had its effect on this head: to give much takes long.
      if (isOver()) return { kind: 'stuck', message: trouble, head, isRefused: false, isBelowLog };
      const isStalled = host.nowMs() - Math.max(progressAtMs, postedAtMs) >= repostAfterMs;
      if (isStalled) repostAfterMs = Math.min(2 * repostAfterMs, repostMaxMs);
      const first: bigint = isStalled ? head.number : bigintMax(head.number, postedThrough) + 1n;
      const range = { head: head.number, from: first, bytesMax: bytesInFlightMax };
      const { last, count, withheld, isNumbered, tooLarge } = yield* offer(host, range);
      if (tooLarge !== null) trouble = tooLargeText(tooLarge);
      if (withheld !== null && last === null)
        return { kind: 'stuck', message: withheldText(withheld.number), head, isRefused: false, isWithheld: true };
      if (isNumbered) {
        trouble = `the execution client has block ${head.number + 1n} without its state`;
        yield* wait(numberedPollMs);
      }
      if (last !== null) {
        // Answers are not looked at: success means nothing, and an error shows as a head that does not move.
        host.posted(count);
        postedThrough = last;
        postedAtMs = host.nowMs();
      }
    }
    if (latest === null && isOver()) return { kind: 'stuck', message: trouble, head, isRefused: false, isBelowLog };
    yield* wait(headPollMs);
  }
}

/** The client's answer about its head, and op-node's head where that is asked, too; null where it is not told. */
interface Heads {
  readonly answer: CallResult;
  readonly node?: BlockRef | null;
}

function* headsOf(asksNode: boolean): Steps<Heads> {
  if (!asksNode) return { answer: yield* call(latestBlock) };
  const answers = yield { kind: 'calls', requests: [latestBlock, soonStatus] };
  const [answer = cancelled, status = cancelled] = answers.kind === 'calls' ? answers.results : [];
  return { answer, node: syncHeadOf(status, 'unsafe_l2') };
}

/** op-node's own head; null where it does not say. */
export function* nodeHead(): Steps<BlockRef | null> {
  return syncHeadOf(yield* call(soonStatus), 'unsafe_l2');
}

function withheldText(number: bigint): string {
  return `the execution client does not execute block ${number}: it wants to sync. Restart it`;
}

/** op-node fetches nothing by itself, and no client without a newer block: another sequencer has to publish one. */
function notHeldText(number: bigint): string {
  return `the log no longer holds the block after ${number}: let a server lead whose node has it, then this client fetches it; where none has it: conductor runbook left-below-log`;
}

function bigintMax(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
