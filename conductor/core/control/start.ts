/**
 * Starts the own sequencer (rules 19 and 20): confirm leadership by a quorum in this term, bring the
 * node to the committed head, check leadership again, then `admin_startSequencer`. Never without a
 * committed payload, never on another branch.
 */
import { isUnset, postPayload, startSequencer, type BlockHeader, type BlockRef } from '../node/calls.ts';
import { catchUp, nodeHead, type CatchUpHost, type CatchUpOutcome } from './catch-up.ts';
import { call, wait, type Steps } from '../node/effects.ts';
import { isGivenUpAbove, whatStandsAbove, type RollbackDependencies } from './rollback.ts';
import { walkToTip } from './walk.ts';
import { giveWhatItLeft, nodeBelowClient } from './went-back.ts';

/** Tries when the node says that the hash is not its head yet. */
const mismatchTriesMax = 20;
/** Those that a node is given to follow its client; after them it is asked where it stands. */
const matchesLateTries = 3;
/** Pause between them: 25–100 ms. */
const mismatchPauseMinMs = 25;
const mismatchPauseSpreadMs = 75;

/** What op-node has left it is given again after so long, milliseconds: while its driver loop waits it tells of the same head. */
const giveAgainMs = 1000;
/** How long a block that the node of a voter has left is not given to the own node again, and the pause between two looks at the proof. */
const othersLeaveMs = 2000;
const leftPollMs = 50;

/** 'retry' is worth another try; 'otherBranch' needs an operator; 'uncertain' means that the call's effect is not known. */
export type StartOutcome =
  | {
      readonly kind: 'started';
      readonly head: BlockRef;
      readonly wasRunning: boolean;
      /** Blocks of the node's own above the committed head. */
      readonly gapBlocks: number;
      /** Where the committed chain above it is proved to be given up (rule 6). */
      readonly isOnOtherBranch: boolean;
    }
  | {
      readonly kind: 'retry' | 'uncertain' | 'lostLeadership';
      readonly message: string;
      /** The client has to sync, or to be restarted: nothing here has failed. */
      readonly isWithheld?: boolean;
      readonly isBelowLog?: boolean;
      /** Since when nothing came of it, monotonic milliseconds; when it ended if that is not said. */
      readonly sinceMs?: number;
    }
  | { readonly kind: 'noHead' }
  | {
      readonly kind: 'otherBranch';
      readonly ours: BlockRef;
      readonly theirs: BlockRef;
      /** Its chain left the committed one below what the log holds. */
      readonly isBelowLog?: boolean;
    }
  /** The node refuses the committed chain, and not enough voters are known to do so, too (rule 6). */
  | { readonly kind: 'disputed'; readonly why: string };

export interface StartHost extends CatchUpHost, RollbackDependencies {
  /** A block an operator vouches for (--consensus.allow-gap), or null. */
  readonly trustedHash: string | null;
  /** The own client calls the block invalid, or lists it as such, whatever that proves. */
  clientRefuses(block: BlockRef): boolean;
  /** Still leader of the term in which the procedure began. */
  isStillLeader(): boolean;
  /** Uniform in [0, 1). */
  random(): number;
}

/** The whole procedure. */
export function* start(host: StartHost): Steps<StartOutcome> {
  const sinceMs = host.nowMs();
  const confirmed = yield { kind: 'read' };
  if (confirmed.kind !== 'read' || !confirmed.isConfirmed) {
    const message = confirmed.kind === 'read' ? confirmed.message : 'leadership could not be confirmed';
    return { kind: 'retry', message, sinceMs };
  }
  let early = yield* whereL1MovedIt(host);
  const given: Given = { hash: '', atMs: -Infinity };
  for (let attempt = 0; ; attempt += 1) {
    const wentBack: BlockHeader | null = attempt >= matchesLateTries ? yield* nodeBelowClient() : null;
    const startable: Startable =
      early ??
      (wentBack === null
        ? yield* whereToStart(host, yield* bringUp(host))
        : yield* whereItWentBack(host, wentBack, given));
    early = null;
    if (startable.kind !== 'startable') return startable;
    const ordered = yield* orderStart(host, startable);
    if (ordered.kind !== 'mismatch') return ordered;
    if (ordered.hasNoHead && attempt === 0) yield* tellHead(host, startable.head);
    if (attempt + 1 >= mismatchTriesMax) return { kind: 'retry', message: ordered.message };
    yield* wait(mismatchPauseMinMs + host.random() * mismatchPauseSpreadMs);
  }
}

/** The node's head is not the block that is to be built on, or not yet. */
interface Mismatch {
  readonly kind: 'mismatch';
  readonly message: string;
  readonly hasNoHead: boolean;
}

/** Asks for the start. Other nodes than op-node do not compare the hash that they are told with their head, or say so in other words. */
function* orderStart(
  host: StartHost,
  { head, node, gapBlocks, isOnOtherBranch }: Extract<Startable, { kind: 'startable' }>,
): Steps<StartOutcome | Mismatch> {
  // What its client has just made its head, op-node tells of a moment later.
  const mustAsk = node === undefined || isElsewhere(node, head);
  if (mustAsk && isElsewhere(yield* nodeHead(), head))
    return { kind: 'mismatch', message: `the head of the node is not ${head.hash}`, hasNoHead: false };
  if (!host.isStillLeader())
    return { kind: 'lostLeadership', message: 'leadership was lost before the sequencer was started' };
  const answer = yield* call(startSequencer(head.hash));
  const started = { kind: 'started' as const, head, gapBlocks, isOnOtherBranch };
  if (answer.kind === 'result') return { ...started, wasRunning: false };
  const { message } = answer;
  if (answer.kind === 'failed') return { kind: 'uncertain', message };
  if (message.includes('sequencer already running')) return { ...started, wasRunning: true };
  if (message.includes('no prestate')) return { kind: 'mismatch', message, hasNoHead: true };
  if (message.includes('block hash does not match')) return { kind: 'mismatch', message, hasNoHead: false };
  const told = yield* nodeHead();
  const hasNoHead = told !== null && isUnset(told);
  return { kind: hasNoHead || isElsewhere(told, head) ? 'mismatch' : 'retry', message, hasNoHead };
}

/** A node that tells of no head, or of none yet, says itself what it has against the start. */
function isElsewhere(node: BlockRef | null, { hash }: BlockRef): boolean {
  return node !== null && !isUnset(node) && node.hash !== hash;
}

/**
 * An op-node whose client is to sync by itself has no head after its start until somebody gossips a block, and where all were
 * restarted nobody does (op-node, sync_deriver.go). Told of the block that its client has, it stands there.
 */
function* tellHead({ chain, posted }: StartHost, { number, hash }: BlockRef): Steps<void> {
  const json = chain.at(number)?.hash === hash ? chain.envelopeJson(number) : null;
  if (json === null) return;
  posted(1);
  yield* call(postPayload(json));
}

/**
 * A client that was killed since, for all that is known here, proves nothing by what it refuses. What others prove it can
 * confirm. The proof is asked for only then: that walks the chain.
 */
function bringUp(host: StartHost): Steps<CatchUpOutcome> {
  const isProvedRefused = (block: BlockRef): boolean => {
    if (!host.clientRefuses(block)) return false;
    const proof = host.proofAgainst(block);
    return proof.kind === 'proved' && proof.by === 'invalid';
  };
  return catchUp({ ...host, isProvedRefused });
}

type Startable =
  | {
      readonly kind: 'startable';
      readonly head: BlockRef;
      /** op-node's own head, asked for with that of its client; null where it was not told, absent where not asked. */
      readonly node?: BlockRef | null | undefined;
      readonly gapBlocks: number;
      readonly isOnOtherBranch: boolean;
    }
  | Exclude<StartOutcome, { kind: 'started' }>;

/** The node's head, if it may be built on: the tip, beyond it on the same branch, or a branch that replaces it. */
function* whereToStart(host: StartHost, position: CatchUpOutcome): Steps<Startable> {
  switch (position.kind) {
    case 'noHead':
      return position;
    case 'stuck':
      return yield* belowTip(host, position);
    case 'atTip':
      return { kind: 'startable', head: position.head, node: position.node, gapBlocks: 0, isOnOtherBranch: false };
    case 'ahead':
      return yield* beyondTip(host, position);
    case 'otherBranch':
      return yield* offBranch(host, position);
  }
}

/**
 * Where op-node has gone back to for L1's sake, if what is above is proved to be given up. Looked at first: to be given what
 * follows its client's head would take it there again.
 */
function* whereL1MovedIt(host: StartHost): Steps<Startable | null> {
  const tip = host.chain.head();
  const head = tip !== null && host.isLeft(tip) ? yield* nodeBelowClient() : null;
  if (head === null || !(yield* isGivenUpAbove(host, head))) return null;
  return { kind: 'startable', head, gapBlocks: 0, isOnOtherBranch: true };
}

/**
 * There, if what stands above is proved to be given up; else the node is given that again. Nodes that L1 moves go back
 * one after the other, as they look at it: what this one has left is not forced upon it while others may still say so.
 */
function* whereItWentBack(host: StartHost, head: BlockHeader, given: Given): Steps<Startable> {
  const next = host.chain.at(head.number + 1n);
  const untilMs = host.nowMs() + othersLeaveMs;
  for (;;) {
    const above = yield* whatStandsAbove(host, head);
    if (above.kind === 'givenUp') return { kind: 'startable', head, gapBlocks: 0, isOnOtherBranch: true };
    // What L1 took is not forced upon it: what would be built on that has to go as well.
    if (above.kind === 'forbidden') return { kind: 'disputed', why: above.why };
    if (next === null || !host.isLeft(next) || host.nowMs() >= untilMs) break;
    yield* wait(leftPollMs);
  }
  if (given.hash !== head.hash || host.nowMs() - given.atMs >= giveAgainMs) {
    Object.assign(given, { hash: head.hash, atMs: host.nowMs() });
    yield* giveWhatItLeft(host, head);
  }
  return yield* whereToStart(host, yield* bringUp(host));
}

/** The head on which op-node was last given what it had left, and when. */
interface Given {
  hash: string;
  atMs: number;
}

/** Rule 4: started at its own head, if that descends from the tip. */
function* beyondTip(
  host: StartHost,
  { head, node }: Extract<CatchUpOutcome, { kind: 'atTip' | 'ahead' }>,
): Steps<Startable> {
  const tip = host.chain.head();
  if (tip === null) return { kind: 'noHead' };
  const walk = yield* walkToTip(head, tip, host.trustedHash);
  if (walk.kind === 'lost') return { kind: 'retry', message: walk.message };
  if (walk.kind === 'otherBranch') return yield* offBranch(host, { kind: 'otherBranch', ours: tip, theirs: head });
  return { kind: 'startable', head, node, gapBlocks: walk.missing + 1, isOnOtherBranch: false };
}

/** Rule 6 at start: the node cannot be brought higher, and what stands above it is proved to be given up. */
function* belowTip(host: StartHost, position: Extract<CatchUpOutcome, { kind: 'stuck' }>): Steps<Startable> {
  const { head, message, isRefused, isWithheld = false, isBelowLog = false } = position;
  // L1 may have moved op-node below what its client stands on, which is then as dead as what follows it.
  for (const at of [head, yield* nodeBelowClient()])
    if (at !== null && (yield* isGivenUpAbove(host, at)))
      return { kind: 'startable', head: at, gapBlocks: 0, isOnOtherBranch: true };
  const above = head === null || !isRefused ? null : host.chain.at(head.number + 1n);
  const proof = above === null ? null : host.proofAgainst(above);
  return proof?.kind === 'unproved'
    ? { kind: 'disputed', why: proof.why }
    : { kind: 'retry', message: `unsafe head mismatch: ${message}`, isWithheld, isBelowLog };
}

/** Rule 6 at start: only where what the node has left is proved to be given up. */
function* offBranch(host: StartHost, position: Extract<StartOutcome, { kind: 'otherBranch' }>): Steps<Startable> {
  const above = yield* whatStandsAbove(host, position.theirs);
  if (above.kind !== 'givenUp') return { ...position, isBelowLog: above.kind === 'belowLog' };
  return { kind: 'startable', head: position.theirs, gapBlocks: 0, isOnOtherBranch: true };
}
