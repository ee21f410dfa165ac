/**
 * Whom leadership may go to (rule 18): the best peer known healthy, else one nothing is known of
 * that did not lead and lose leadership a moment ago (it would hand back); of these one that
 * needs no snapshot before others, and the one that led longest ago first. Never one known to be
 * unhealthy or paused. This keeps leadership from bouncing.
 */

import type { Observation } from '../evidence/observation.ts';
import type { BlockRef } from '../node/calls.ts';

/** A peer that has not answered for longer is not handed leadership. */
export const contactAgeMaxMs = 1500;

/** What a peer's status says; null where it sends none or the last is too old. */
export interface KnownStatus {
  /** null where it is not known whether its sequencer could work. */
  readonly isHealthy: boolean | null;
  readonly isPaused: boolean;
  /** It is paused, and its sequencer runs: an operator has started it. */
  readonly isBuilding?: boolean;
  /** Height of its unsafe head. */
  readonly headNumber: bigint;
  /** Its hash (0x, lower case); null when it did not say. */
  readonly headHash: string | null;
  /** Height of its safe head; null when it did not say. */
  readonly safeNumber: bigint | null;
  /** Height of the newest L1 block its node knows; null when it did not say. */
  readonly l1Number: bigint | null;
  /** What its node shows about committed blocks (rule 6). */
  readonly observations: readonly Observation[];
}

export interface Peer {
  readonly id: string;
  readonly isVoter: boolean;
  /** Known to run this implementation. */
  readonly isNative: boolean;
  /** Known to be op-conductor; neither where it is not known yet. */
  readonly isForeign?: boolean;
  /** It answered lately; handing leadership to one that is gone only costs time. */
  readonly isInContact: boolean;
  readonly known: KnownStatus | null;
  /** Its log has all that is committed, so that it can take over at once; null or absent where that is not known. */
  readonly holdsLog?: boolean | null;
  /** What it lacks is no longer in our log: it would have to be sent a snapshot first. */
  readonly needsSnapshot?: boolean;
  /** Its node refuses the committed head, or has left it: leadership would be no better off there (rule 3). */
  readonly isAgainstTip: boolean;
  /**
   * Its node's head is a block that was rolled back, or one on which the own node could not be started: a new head, and yet
   * a start there would have to wait until the node stands elsewhere (rule 18).
   */
  readonly isNonCanonical?: boolean;
  /** When it last ceased to lead, monotonic milliseconds; null if it was not seen leading. */
  readonly ceasedLeadingAtMs: number | null;
}

/** 'healthy' names its target; 'unknown' leaves the choice to the log unless `target` is set. */
export type TransferChoice =
  | { readonly kind: 'healthy'; readonly target: string; readonly exclude: readonly string[] }
  | { readonly kind: 'unknown'; readonly target: string | null; readonly exclude: readonly string[] }
  | { readonly kind: 'none' };

export interface TargetOptions {
  readonly selfId: string;
  /** How long a peer that lost leadership, and of which it is not known whether it could build, is left alone, milliseconds. */
  readonly leftAloneMs: number;
  /** --raft.round-robin-leader-transfer: next voter by id after ourselves among those that qualify. */
  readonly isRoundRobin: boolean;
}

/** To whom; null leaves it to the log to choose among those not excluded. */
export interface TransferTarget {
  readonly target: string | null;
  readonly exclude: readonly string[];
}

/** Chooses among all peers (ourselves not among them). */
export function chooseTarget(peers: readonly Peer[], options: TargetOptions, nowMs: number): TransferChoice {
  return choose(peers, options, (peer) => !handedBack(peer, options, nowMs));
}

/**
 * The choice while nothing is wrong here but the age of the head, at height `ours`: the chain stands, and a peer whose
 * node has no newer block would start where we can, whatever its health was when it last told of it (rule 19). Nor would
 * one under which it stood just now.
 */
export function chooseFresher(
  peers: readonly Peer[],
  ours: bigint,
  options: TargetOptions,
  nowMs: number,
): TransferChoice {
  const isFresher = (peer: Peer): boolean =>
    peer.known !== null && peer.known.headNumber > ours && !isNonCanonical(peer) && !handedBack(peer, options, nowMs);
  return chooseAmong(peers, isFresher, (some) => chooseTarget(some, options, nowMs));
}

/** The choice among some of the peers: where it is left to the log, that leaves out the others, too. */
export function chooseAmong(
  peers: readonly Peer[],
  isAmong: (peer: Peer) => boolean,
  chosen: (some: readonly Peer[]) => TransferChoice,
): TransferChoice {
  const choice = chosen(peers.filter(isAmong));
  if (choice.kind === 'none') return choice;
  const others = peers.filter((peer) => peer.isVoter && !isAmong(peer)).map(({ id }) => id);
  return { ...choice, exclude: [...choice.exclude, ...others] };
}

/**
 * The choice when the own sequencer builds badly (rule 29): any eligible peer that did not lead within `turnMs`, so that
 * each gets one turn.
 */
export function chooseNextTurn(
  peers: readonly Peer[],
  options: TargetOptions,
  turnMs: number,
  nowMs: number,
): TransferChoice {
  return chooseAmong(
    peers,
    (peer) => !hadTurn(peer, turnMs, nowMs),
    (fresh) => choose(fresh, options, () => true),
  );
}

/**
 * The same where nobody is known to be healthy, because the chain stands on a block that clients refuse: whoever says that of
 * its own client stands on the block's parent and answers, and an old head is not its fault (rule 19).
 */
export function chooseNextRefuser(
  refused: BlockRef,
  peers: readonly Peer[],
  options: TargetOptions,
  turnMs: number,
  nowMs: number,
): TransferChoice {
  const refuses = ({ known }: Peer): boolean =>
    known?.observations.some((one) => one.hash === refused.hash && one.kinds.includes('invalid')) === true;
  const refusers = peers.filter(
    (peer) =>
      peer.isVoter &&
      peer.isInContact &&
      peer.known?.isPaused === false &&
      refuses(peer) &&
      !hadTurn(peer, turnMs, nowMs),
  );
  return refusers.length === 0 ? { kind: 'none' } : named(refusers, peers, options);
}

function hadTurn({ ceasedLeadingAtMs }: Peer, turnMs: number, nowMs: number): boolean {
  return ceasedLeadingAtMs !== null && nowMs - ceasedLeadingAtMs < turnMs;
}

/**
 * The choice when leadership must go, because an operator or the end of this process wants it: one that lost it
 * just now will do too, and one that is silent; never one known to be unhealthy or paused.
 */
export function chooseTransferTarget(peers: readonly Peer[], options: TargetOptions): TransferTarget {
  const choice = choose(peers, options, () => true);
  // No more than a transfer target: callers spread it into commands that have a kind of their own.
  if (choice.kind !== 'none') return { target: choice.target, exclude: choice.exclude };
  return { target: null, exclude: peers.filter(isIneligible).map((peer) => peer.id) };
}

/**
 * The choice of a leader that is paused and was elected so, which will never start its sequencer: where an operator has
 * started one, and else one that is not paused, healthy or not: under it the chain may go on, here it cannot. An
 * op-conductor, which does not say that it is not, comes last; the one that handed over just now would do so again.
 */
export function chooseWhilePaused(peers: readonly Peer[], options: TargetOptions, nowMs: number): TransferChoice {
  const present = peers.filter(
    (peer) => peer.isVoter && peer.isInContact && peer.isNative && peer.known !== null && !peer.isAgainstTip,
  );
  const unpaused = present.filter((peer) => peer.known?.isPaused === false);
  const ranked = [
    present.filter((peer) => peer.known?.isBuilding === true),
    unpaused.filter((peer) => peer.known?.isHealthy === true && !isNonCanonical(peer)),
    unpaused.filter((peer) => !handedBack(peer, options, nowMs)),
    unpaused,
  ];
  const candidates = ranked.find((some) => some.length > 0);
  if (candidates !== undefined) return named(candidates, peers, options);
  return choose(peers, options, (peer) => peer.isForeign === true && !handedBack(peer, options, nowMs));
}

/** A voter that can take over and whose node's head is this block: leadership would be better off there (rule 3). */
export function holderOf(hash: string, peers: readonly Peer[]): Peer | null {
  const isHolder = (peer: Peer): boolean =>
    peer.isVoter && peer.isInContact && peer.known?.headHash === hash && !isIneligible(peer);
  return withLog(peers.filter(isHolder))[0] ?? null;
}

/** Whether one of them holds the tip, and can take over; not where there is no tip. */
export function isHeldElsewhere(tip: BlockRef | null, peers: readonly Peer[]): boolean {
  return tip !== null && holderOf(tip.hash, peers) !== null;
}

function choose(peers: readonly Peer[], options: TargetOptions, mayTake: (peer: Peer) => boolean): TransferChoice {
  const voters = peers.filter((peer) => peer.isVoter);
  const present = voters.filter((peer) => peer.isInContact && !peer.isAgainstTip);
  const healthy = present.filter(
    (peer) => peer.known?.isHealthy === true && !peer.known.isPaused && !isNonCanonical(peer),
  );
  const unknown = canonicalFirst(present.filter((peer) => !isIneligible(peer) && mayTake(peer)));
  const kind = healthy.length > 0 ? 'healthy' : 'unknown';
  const candidates =
    kind === 'healthy' ? healthy : options.isRoundRobin ? unknown : ledLongestAgo(withoutSnapshot(unknown));
  if (candidates.length === 0) return { kind: 'none' };
  const choice = named(candidates, peers, options);
  if (kind === 'healthy') return choice;
  return { ...choice, kind, target: options.isRoundRobin ? choice.target : null };
}

/** Its head may be new, which says nothing: whether it could build on the committed chain is not known. */
export function isNonCanonical(peer: Peer): boolean {
  return peer.isNonCanonical === true;
}

/** While blocks come a server that does not know whether it could build has failed to start lately, or is in no better state. */
export function isNotDoubtful(peer: Peer): boolean {
  return !isNonCanonical(peer) && (peer.known === null || peer.known.isHealthy !== null);
}

function canonicalFirst(peers: readonly Peer[]): readonly Peer[] {
  return preferring(peers, (peer) => !isNonCanonical(peer));
}

/** One of the candidates, of whom there is one at least. */
export function named(candidates: readonly Peer[], peers: readonly Peer[], { isRoundRobin, selfId }: TargetOptions) {
  const exclude = peers.filter((peer) => peer.isVoter && !candidates.includes(peer)).map((peer) => peer.id);
  const first = withLog(candidates);
  const target = isRoundRobin ? nextById(first, selfId) : bestByHead(first);
  return { kind: 'healthy' as const, target, exclude };
}

/** Without those whose log would have to be brought up first; all of them where there is no other. */
function withLog(peers: readonly Peer[]): readonly Peer[] {
  return preferring(peers, ({ holdsLog }) => holdsLog !== false);
}

/** The same without those that a snapshot would have to be sent to. */
function withoutSnapshot(peers: readonly Peer[]): readonly Peer[] {
  return preferring(peers, ({ needsSnapshot }) => needsSnapshot !== true);
}

/** Those of this kind; all of them where there is none. */
function preferring(peers: readonly Peer[], isPreferred: (peer: Peer) => boolean): readonly Peer[] {
  const preferred = peers.filter(isPreferred);
  return preferred.length > 0 ? preferred : peers;
}

export function isIneligible({ known }: Peer): boolean {
  return known !== null && (known.isPaused || known.isHealthy === false);
}

/** Those that were never seen to lose leadership, else the one that lost it first: each gets its turn before one gets a second. */
function ledLongestAgo(peers: readonly Peer[]): Peer[] {
  const oldest = Math.min(...peers.map((peer) => peer.ceasedLeadingAtMs ?? -Infinity));
  return peers.filter((peer) => (peer.ceasedLeadingAtMs ?? -Infinity) === oldest);
}

function handedBack(peer: Peer, { leftAloneMs }: TargetOptions, nowMs: number): boolean {
  return hadTurn(peer, leftAloneMs, nowMs);
}

function bestByHead(candidates: readonly Peer[]): string {
  let best = candidates[0] as Peer;
  for (const peer of candidates) {
    if ((peer.known?.headNumber ?? 0n) > (best.known?.headNumber ?? 0n)) best = peer;
  }
  return best.id;
}

function nextById(candidates: readonly Peer[], selfId: string): string {
  const ids = candidates.map((peer) => peer.id).toSorted();
  return ids.find((id) => id > selfId) ?? (ids[0] as string);
}

/** Whether a peer's number is known to be above our own. */
export function isBeyond(theirs: bigint | null, ours: bigint | null): boolean {
  return theirs !== null && ours !== null && theirs > ours;
}
