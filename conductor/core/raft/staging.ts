/**
 * New voters join in two steps: as a nonvoter, and as a voter once the log has reached them (thesis §4.2.1).
 * A voter with an empty store neither helps a quorum nor votes (rule 9), so adding one at once could leave
 * a small cluster that nobody can lead. One whose address is another server's is taken out again: as a member it would
 * keep that server from being looked for there.
 */
import { appendConfiguration, LAG_MAX } from './change-membership.ts';
import { changeConfiguration } from './membership.ts';
import type { Staging } from './leadership.ts';
import type { RaftState } from './state.ts';
import { STAGING_PART } from './timing.ts';

/**
 * Promotes the staged server once it is a nonvoter by a committed entry and has caught up; gives up at the deadline, or when
 * another server has answered in its place.
 */
export function continueStaging(s: RaftState): void {
  const led = s.leadership;
  const staging = led?.staging;
  if (!led || !staging || led.transfer) return;
  const { command } = staging;
  const { id, address, requestId } = command;
  const peer = led.peers.get(id);
  const isCommitted = s.membership.latest.index <= s.commitIndex;
  // One that has held its answers back until now (rule 9) would be a silent voter, and cost the quorum its contact.
  const isInContact = peer !== undefined && s.nowMs - peer.contactMs <= s.options.heartbeatTimeoutMs;
  // Somebody else answered at first, as where a name has just been moved.
  if (peer?.hasAnswered === true) staging.answeredBy = null;
  if (peer !== undefined) waitFor(s, staging, peer.match);
  if (isCommitted && staging.isNew && staging.answeredBy !== null) {
    led.staging = null;
    const change = changeConfiguration(s.membership.latest, { kind: 'removeServer', id, requestId, previousIndex: 0 });
    if (change.kind === 'changed') appendConfiguration(s, led, change.configuration, null);
    const message = `server ${id} is not at ${address}: server ${staging.answeredBy} answered there. It is taken out again. Add it at its own address`;
    s.warn(message, { server: id });
    s.refuse(requestId, 'unreachable', message);
  } else if (isCommitted && isInContact && peer.hasLearnedCommit && s.log.lastIndex - peer.match <= LAG_MAX) {
    led.staging = null;
    const change = changeConfiguration(s.membership.latest, { ...command, previousIndex: 0 });
    if (change.kind === 'refused') return s.refuse(requestId, change.reason, change.message);
    appendConfiguration(s, led, change.configuration, { requestId });
  } else if (s.nowMs >= staging.deadlineMs) {
    led.staging = null;
    const why =
      staging.answeredBy === null ? 'did not catch up in time' : `server ${staging.answeredBy} answered there`;
    const message = `server ${id} is a nonvoter at ${address}, and ${why}; it does not vote. Check that it runs and can be reached, then add it as a voter again, or remove it`;
    s.refuse(requestId, 'not-caught-up', message);
  } else if (peer && peer.mode === 'pipeline' && peer.inflightRequests === 0) peer.tellCommitAtMs = s.nowMs;
}

/** One that gets ahead with the log, which may be long, is waited for. */
function waitFor(s: RaftState, staging: Staging, match: number): void {
  if (match <= staging.match) return;
  staging.match = match;
  staging.deadlineMs = Math.min(s.nowMs + STAGING_PART * s.options.requestTimeoutMs, staging.endMs);
}
