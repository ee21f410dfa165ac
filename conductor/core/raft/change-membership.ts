/**
 * Configuration changes by a leader (thesis §4.1, §4.2): one server at a time, only after an entry of its own
 * term is committed, and never to a configuration whose quorum is plainly out of reach.
 */
import { assert } from '../assert.ts';
import { encodeConfiguration } from '../wire/configuration.ts';
import { appendAsLeader } from './append.ts';
import { askNewAddress, movesMember } from './change-address.ts';
import { changeConfiguration, type MembershipCommand } from './membership.ts';
import { hasContact } from './lease.ts';
import { Progress } from './progress.ts';
import { hasQuorum, votersOf } from './quorum.ts';
import type { Leadership, PendingEntry, Staging } from './leadership.ts';
import type { RaftState } from './state.ts';
import { STAGING_PART, STAGING_TIMEOUTS_MAX } from './timing.ts';
import { EntryType, Suffrage, type Configuration, type Server } from './types.ts';

/** Entries a voter may lag and still count as up to date. */
export const LAG_MAX = 128;

export function changeMembership(
  s: RaftState,
  led: Leadership,
  command: MembershipCommand,
  { isMoveConfirmed } = { isMoveConfirmed: false },
): void {
  const latest = s.membership.latest;
  if (latest.index > s.commitIndex || led.staging) {
    return s.refuse(command.requestId, 'change-in-progress', `configuration ${latest.index} is not committed yet`);
  }
  if (led.moving)
    return s.refuse(
      command.requestId,
      'change-in-progress',
      `server ${led.moving.id} is being asked at its new address`,
    );
  // The single-server bug of 2015: no change before an entry of this term is committed.
  if (s.commitIndex < led.firstIndex) {
    return s.refuse(command.requestId, 'not-ready', 'this leader has not committed an entry of its term yet');
  }
  // A leader may still be in office though it hears too few (lease.ts): a change could neither be committed nor taken back.
  if (!hasContact(s)) return s.refuse(command.requestId, 'not-ready', 'no quorum has answered within the lease');
  const change = changeConfiguration(latest, command);
  if (change.kind === 'refused') return s.refuse(command.requestId, change.reason, change.message);
  const risk = quorumRisk(s, led, change.configuration, command);
  if (risk !== null) return s.refuse(command.requestId, 'not-caught-up', risk);
  if (!isMoveConfirmed && movesMember(s, command)) return askNewAddress(s, led, command);
  if (s.options.stageVoters && isNewVoter(s, command)) {
    const nonvoter = changeConfiguration(latest, { ...command, suffrage: Suffrage.nonvoter });
    assert(nonvoter.kind === 'changed', 'who may join as a voter may join as a nonvoter');
    const isNew = s.membership.find(command.id) === undefined;
    stage(s, led, command, isNew);
    appendConfiguration(s, led, nonvoter.configuration, null);
    // Nothing that was said at an old address counts for the new one.
    if (!isNew) beginAnew(s, led, command);
    return;
  }
  if (becomesVoter(s, command)) {
    if (s.options.requireCatchUp && s.log.lastIndex - (led.peers.get(command.id)?.match ?? 0) > LAG_MAX) {
      const lacks = `server ${command.id} is more than ${LAG_MAX} entries behind: until it has them it cannot help a quorum`;
      return s.refuse(command.requestId, 'not-caught-up', lacks);
    }
    // At once where it has the log; one that did not catch up in time goes on from where it was.
    if (s.options.stageVoters) return stage(s, led, command, false);
  }
  appendConfiguration(s, led, change.configuration, { requestId: command.requestId });
}

function stage(s: RaftState, led: Leadership, command: Staging['command'], isNew: boolean): void {
  const { requestTimeoutMs } = s.options;
  const deadlineMs = s.nowMs + STAGING_PART * requestTimeoutMs;
  const endMs = s.nowMs + STAGING_TIMEOUTS_MAX * requestTimeoutMs;
  led.staging = { command, isNew, deadlineMs, endMs, match: 0, answeredBy: null };
}

/** Whether a command brings in a voter of which nothing can be known yet: it is no member, or a nonvoter looked for elsewhere. */
function isNewVoter(s: RaftState, command: MembershipCommand): command is Staging['command'] {
  return becomesVoter(s, command) && s.membership.find(command.id)?.address !== command.address;
}

/** Whether a command gives a vote to a server that has none. */
function becomesVoter(s: RaftState, command: MembershipCommand): command is Staging['command'] {
  return command.kind === 'addServer' && command.suffrage === Suffrage.voter && !s.membership.isVoter(command.id);
}

/** Appends a configuration, in force from here on; `waiting` is answered when it is committed. */
export function appendConfiguration(
  s: RaftState,
  led: Leadership,
  configuration: Configuration,
  waiting: PendingEntry | null,
): void {
  const index = appendAsLeader(s, EntryType.configuration, encodeConfiguration(configuration));
  if (waiting) led.entries.set(index, waiting);
  updatePeers(s, led);
}

/**
 * Why a configuration could not be committed as things stand: too few of its voters answer and are up to date. Once
 * appended it could neither be committed nor taken back, so it is refused. A voter that just joins is not expected to.
 */
function quorumRisk(s: RaftState, led: Leadership, next: Configuration, command: MembershipCommand): string | null {
  if (isNewVoter(s, command)) return null;
  const canHelp = (id: string): boolean => {
    const peer = led.peers.get(id);
    if (!peer) return id === s.options.id;
    // Contact counts from the election on, whether there was any or not.
    const isInContact = peer.hasAnswered && s.nowMs - peer.lastContactMs <= s.options.leaderLeaseMs;
    return isInContact && s.log.lastIndex - peer.match <= LAG_MAX;
  };
  if (hasQuorum(next, canHelp)) return null;
  const missing = votersOf(next).filter((id) => !canHelp(id));
  return `of the voters that would remain (${votersOf(next).join(', ')}), too few answer and are up to date: ${missing.join(', ')}. The change could not be committed. Bring them up first`;
}

/** Follows the configuration in force: new peers are replicated to, removed ones get one last attempt. */
function updatePeers(s: RaftState, led: Leadership): void {
  for (const server of s.others) {
    const known = led.peers.get(server.id);
    // One that was removed and comes back may have a new store: nothing is known of its log.
    if (known && !known.isLeaving) {
      if (known.address !== server.address) s.outbox.forget.push(server.id);
      known.address = server.address;
    } else beginAnew(s, led, server);
  }
  for (const peer of led.peers.values()) {
    if (!s.membership.find(peer.id)) peer.isLeaving = true;
  }
}

function beginAnew(s: RaftState, led: Leadership, server: Server): void {
  s.dropReplication(server.id);
  led.peers.set(server.id, new Progress(server, s.log.lastIndex + 1, s.nowMs, s.options));
}

/** Lets go of removed peers that know of it, or cannot be told. */
export function dismissLeavers(s: RaftState): void {
  const led = s.leadership;
  if (!led) return;
  for (const peer of led.peers.values()) {
    if (!peer.isLeaving) continue;
    const isTold = peer.match >= s.membership.latest.index && peer.commitHeard >= s.membership.latest.index;
    if (!isTold && peer.failures === 0 && s.nowMs - peer.contactMs < s.options.heartbeatTimeoutMs) continue;
    led.peers.delete(peer.id);
    s.ownIds.delete(peer.id);
    s.outbox.forget.push(peer.id);
  }
}
