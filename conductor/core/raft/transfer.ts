/**
 * Handing leadership over (thesis §3.10): bring one voter up to the last entry, tell it to campaign at once,
 * refuse proposals meanwhile, and give up after one election timeout. The hand-over is always cleared.
 */
import { encodePeerStatus } from '../wire/peer-status.ts';
import { quorumMatch } from './quorum.ts';
import type { RaftCommand } from './events.ts';
import { mayTakeOver, type Transfer } from './leadership.ts';
import type { Progress } from './progress.ts';
import { becomeFollower, isEligible } from './roles.ts';
import type { RaftState } from './state.ts';
import { GIVEN_UP_TIMEOUTS } from './timing.ts';

export function startTransfer(s: RaftState, command: Extract<RaftCommand, { kind: 'transfer' }>): void {
  const led = s.leadership;
  if (!led) return s.refuse(command.requestId, 'not-leader', 'node is not the leader');
  if (led.transfer) return s.refuse(command.requestId, 'transferring', 'leadership transfer in progress');
  if (command.target === s.options.id)
    return s.refuse(command.requestId, 'no-peer', 'cannot transfer leadership to itself');
  if (command.target !== null && !s.membership.isVoter(command.target)) {
    return s.refuse(command.requestId, 'unknown-server', `server ${command.target} is not a voter of the cluster`);
  }
  const target = command.target ?? bestPeer(s, command.exclude ?? [])?.id;
  if (target === undefined) return s.refuse(command.requestId, 'no-peer', 'cannot find peer');
  led.transfer = {
    requestId: command.requestId,
    target,
    isNamed: command.target !== null,
    deadlineMs: s.nowMs + s.options.electionTimeoutMs,
    commitIndex: s.commitIndex,
    isSent: false,
    isRepeated: false,
    toldInstead: null,
  };
  continueTransfer(s);
}

/** The voter whose log is furthest along, not one of `exclude`; in contact before silent. */
function bestPeer(s: RaftState, exclude: readonly string[]): Progress | undefined {
  let best: Progress | undefined;
  const isLive = (peer: Progress): boolean => peer.isLive(s.nowMs, s.options);
  for (const peer of s.leadership?.peers.values() ?? []) {
    if (exclude.includes(peer.id) || !s.membership.isVoter(peer.id)) continue;
    if (!best || (isLive(peer) && !isLive(best)) || (isLive(peer) === isLive(best) && peer.match > best.match))
      best = peer;
  }
  return best;
}

/**
 * Sends TimeoutNow once the target holds the whole log, over the connection on which it has answered all: the answer to this
 * request names nobody, with Go, and whoever else an address leads to would take over (rule 32).
 */
export function continueTransfer(s: RaftState): void {
  const transfer = s.leadership?.transfer;
  if (!transfer || transfer.isSent) return;
  const peer = s.leadership!.peers.get(transfer.target);
  if (!peer || peer.match < s.log.lastIndex || s.log.persistedIndex < s.log.lastIndex) return;
  if (peer.inflightRequests > 0) return;
  if (!peer.hasAnswered) {
    peer.statusWanted = true;
    return;
  }
  transfer.isSent = true;
  sendTimeoutNow(s, peer, transfer.requestId);
}

function sendTimeoutNow(
  s: RaftState,
  peer: Progress,
  transfer: number | null = null,
  channel: 'replicate' | 'heartbeat' = 'replicate',
): void {
  // A leader that leaves has entries on the way: behind them the transfer target holds what the other voters may hold already.
  const request = { ...s.header, kind: 'timeoutNow', ...(peer.isNative && { term: s.term }) } as const;
  const context = { kind: 'timeoutNow', peerId: peer.id, transfer } as const;
  s.send(peer, channel, request, context, s.options.electionTimeoutMs, transfer !== null);
}

/**
 * The last word of a leader that ceases to be one: to `best`, unless a hand-over has told its target already, so that no two campaign at
 * once. `mayBeLost`: what was sent last may never have left; one of our own that is told twice goes on as it is, an op-conductor that
 * leads by now would campaign anew. A hand-over that it fulfils is done.
 */
export function tellLastWord(s: RaftState, best: Progress | undefined, { mayBeLost } = { mayBeLost: false }): void {
  const { peers, transfer } = s.leadership!;
  const told = transfer?.isSent === true ? peers.get(transfer.target) : undefined;
  const again = mayBeLost && told?.isNative === true ? told : undefined;
  const peer = told === undefined ? best : again;
  if (!peer) return;
  sendTimeoutNow(s, peer);
  if (!transfer || peer.match < s.commitIndex) return;
  if (transfer.isNamed && transfer.target !== peer.id) {
    transfer.toldInstead = peer.id;
    return;
  }
  transfer.target = peer.id;
  transfer.isSent = true;
}

/**
 * The last word of a leader that hears no quorum, to one of our own: it may have been paused, or have fallen ill, since
 * it was last heard, so the word carries peer status, which makes it advice that whoever cannot sequence lets be (rule 18).
 */
export function adviseTransferTarget(s: RaftState, peer: { id: string; address: string }): void {
  const peerStatus = encodePeerStatus({ ...s.localStatus, own: [s.options.id, ...s.ownIds] });
  const context = { kind: 'timeoutNow', peerId: peer.id, transfer: null } as const;
  s.send(
    peer,
    'replicate',
    { ...s.header, kind: 'timeoutNow', peerStatus, term: s.term },
    context,
    s.options.electionTimeoutMs,
  );
}

/**
 * A connection that was reset may have died while nothing was sent on it: the request is repeated once over a new one, when the
 * target has answered there.
 * It does no harm twice: whoever has obeyed is in a later term, where this one means nothing.
 */
export function onTimeoutNowFailed(
  s: RaftState,
  context: { peerId: string; transfer: number | null },
  { wasReset, message }: { wasReset: boolean; message: string },
): void {
  const current = s.leadership?.transfer;
  if (!current || current.requestId !== context.transfer) return;
  if (wasReset && !current.isRepeated) {
    current.isRepeated = true;
    current.isSent = false;
    const peer = s.leadership!.peers.get(context.peerId);
    if (peer) peer.hasAnswered = false;
    continueTransfer(s);
  } else endTransfer(s, `server ${context.peerId} could not be told to take over: ${message}`);
}

/** Another server answers in the target's place: nothing moves. */
export function refuseTransferTo(s: RaftState, peerId: string): void {
  const transfer = s.leadership?.transfer;
  if (transfer && !transfer.isSent && transfer.target === peerId)
    endTransfer(s, `another server answers at the address of ${peerId}`);
}

export function tickTransfer(s: RaftState): void {
  const transfer = s.leadership?.transfer;
  if (!transfer || s.nowMs < transfer.deadlineMs) return;
  const peer = s.leadership!.peers.get(transfer.target);
  if (transfer.isSent || !peer || !canTakeCommitted(s, peer)) {
    const isGivenUp = !transfer.isSent && isOfNoUse(s, transfer);
    endTransfer(s, 'leadership transfer timeout');
    if (isGivenUp) giveUpLeadership(s);
    return;
  }
  transfer.isSent = true;
  transfer.deadlineMs = s.nowMs + s.options.electionTimeoutMs;
  sendTimeoutNow(s, peer, transfer.requestId, 'heartbeat');
}

/**
 * Whether the target, which appends do not reach, as through a tunnel that loses large packets, holds all that is committed and
 * answers heartbeats: what is not committed is lost then, which nobody was told of, and the cluster goes on.
 */
function canTakeCommitted(s: RaftState, peer: Progress): boolean {
  const isHeard = s.nowMs - peer.contactMs <= s.options.leaderLeaseMs;
  return (
    isHeard && peer.match >= s.commitIndex && s.log.lastIndex > s.commitIndex && s.log.persistedIndex >= s.commitIndex
  );
}

/**
 * Whether this server leads by heartbeats alone: nothing was committed while it tried to hand over, though something is to be,
 * and nobody that it hears holds all that is committed. Others may hold it that it does not hear, and that hear each other.
 */
function isOfNoUse(s: RaftState, { commitIndex }: Transfer): boolean {
  if (s.commitIndex > commitIndex || s.log.lastIndex === commitIndex) return false;
  const peers = [...s.leadership!.peers.values()];
  return !peers.some((peer) => s.membership.isVoter(peer.id) && canTakeCommitted(s, peer));
}

/** Lets the others elect whom it may not hear: its own log goes furthest, and it would win again. What is not committed may be lost. */
function giveUpLeadership(s: RaftState): void {
  becomeFollower(s, s.term, 'commits nothing, can hand over to nobody');
  s.electionAtMs = s.nowMs + GIVEN_UP_TIMEOUTS * s.options.electionTimeoutMs;
}

function endTransfer(s: RaftState, message: string): void {
  const { requestId, target } = s.leadership!.transfer!;
  if (mayTakeOver(s.leadership!.transfer)) s.leadership!.toldInVainAtMs = s.nowMs;
  s.leadership!.transfer = null;
  s.outbox.results.push({ kind: 'refused', requestId, reason: 'timeout', message, offeredTo: target });
}

/**
 * Whether a leader that is no voter has committed that, and must go: not before an entry of its own term is committed, so that
 * others hold what it was elected for (record 0144).
 */
export function mustLeave(s: RaftState): boolean {
  const { leadership, membership, commitIndex } = s;
  if (leadership === null || s.isVoter || membership.latest.index === 0) return false;
  return commitIndex >= Math.max(membership.latest.index, leadership.firstIndex);
}

/**
 * Whom a leader that heard no quorum tells to take over, if it can be told at all: the last one heard of those that
 * hold all that is committed, not known to be ineligible (rule 18), and of this software, which ignores a word that comes too late.
 */
export function transferTargetOfDeposed(s: RaftState): Progress | undefined {
  return [...s.leadership!.peers.values()]
    .filter(({ id, isNative, hasAnswered, match, peerStatus }) => {
      const isIneligible = peerStatus !== null && !isEligible(peerStatus.peerStatus);
      return isNative && hasAnswered && !isIneligible && match >= s.commitIndex && s.membership.isVoter(id);
    })
    .toSorted((one, other) => other.lastContactMs - one.lastContactMs)[0];
}

/**
 * The peer to hand over to when leaving: the furthest along of those a quorum's log is not ahead of; one that is known to
 * be ineligible (rule 18) only where there is no other.
 */
export function successor(s: RaftState): Progress | undefined {
  const led = s.leadership!;
  const committed = quorumMatch(s.membership.latest.configuration, (id) => led.peers.get(id)?.match ?? 0);
  for (const exclude of [ineligiblePeers(s), []]) {
    const best = bestPeer(s, exclude);
    if (best && best.match >= committed) return best;
  }
  return undefined;
}

/** As `bestPeer`, when this server cannot lead on: one that is known to be ineligible only where there is no other. */
export function bestEligiblePeer(s: RaftState): Progress | undefined {
  return bestPeer(s, ineligiblePeers(s)) ?? bestPeer(s, []);
}

function ineligiblePeers(s: RaftState): string[] {
  return [...s.leadership!.peers.values()]
    .filter(({ peerStatus }) => peerStatus !== null && !isEligible(peerStatus.peerStatus))
    .map(({ id }) => id);
}
