/** Who leads next where our own head stands while everything answers (rule 31). */
import {
  chooseTarget,
  isBeyond,
  isIneligible,
  isNonCanonical,
  named,
  type KnownStatus,
  type Peer,
  type TargetOptions,
  type TransferChoice,
} from './target.ts';

/** The head that stands: its height, and since when, with those before it that came alone, monotonic milliseconds. */
export interface StandingHead {
  readonly number: bigint;
  readonly sinceMs: number;
}

/**
 * Those of ours who hold the head that stands and under whom it has not stood: each has one turn per cause (rule 31).
 * One whose node has nothing but an old head does not know whether it could build, and has its turn, too, and so has one that
 * says nothing of its node, if its log has all that is committed.
 */
export function untriedUnder({ number, sinceMs }: StandingHead, peers: readonly Peer[]): Peer[] {
  return peers.filter(
    (peer) =>
      peer.isVoter &&
      peer.isInContact &&
      !peer.isAgainstTip &&
      !isNonCanonical(peer) &&
      !isIneligible(peer) &&
      (peer.ceasedLeadingAtMs === null || peer.ceasedLeadingAtMs < sinceMs) &&
      (peer.known === null ? isSilentHolder(peer) : peer.known.headNumber >= number),
  );
}

/** An op-conductor never says how its node stands, which is another matter. */
function isSilentHolder({ isNative, isForeign, holdsLog }: Peer): boolean {
  return isNative && isForeign !== true && holdsLog === true;
}

/**
 * The choice where our own head stands while everything answers (rule 31): first a healthy peer whose node knows of a
 * newer L1 block or has a higher safe head than `ours`, then one that has not had its turn, else anybody.
 */
export function chooseBetter(
  peers: readonly Peer[],
  ours: Pick<KnownStatus, 'l1Number' | 'safeNumber'> & { readonly head: StandingHead },
  options: TargetOptions,
  nowMs: number,
): TransferChoice {
  const better = peers.filter(
    ({ known }) =>
      known !== null && (isBeyond(known.l1Number, ours.l1Number) || isBeyond(known.safeNumber, ours.safeNumber)),
  );
  const untried = untriedUnder(ours.head, peers);
  const first = untried.filter((peer) => better.includes(peer));
  if (untried.length > 0) return named(first.length > 0 ? first : untried, peers, options);
  const choice = chooseTarget(better, options, nowMs);
  return choice.kind === 'healthy' ? choice : chooseTarget(peers, options, nowMs);
}
