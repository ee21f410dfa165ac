/**
 * Commitment and application (thesis §3.5.3, §3.6.2): a leader commits by counting only entries of its own
 * term; everything committed is applied in order and answers whoever waits for it.
 */
import { assert } from '../assert.ts';
import { hasQuorum, quorumMatch } from './quorum.ts';
import type { RaftState } from './state.ts';
import { EntryType } from './types.ts';

/** Moves the leader's commit index to what a majority of voters holds durably. */
export function advanceCommit(s: RaftState): void {
  const led = s.leadership;
  if (!led || s.hasFailed) return;
  const matchOf = (id: string): number =>
    id === s.options.id ? s.log.persistedIndex : (led.peers.get(id)?.match ?? 0);
  const index = quorumMatch(s.membership.latest.configuration, matchOf);
  // Figure 3.7: an entry of an earlier term is committed only through one of this term.
  if (index <= s.commitIndex || s.log.termAt(index) !== s.term) return;
  commitTo(s, index);
  for (const peer of led.peers.values()) {
    if (peer.commitTold < index)
      peer.tellCommitAtMs = Math.min(peer.tellCommitAtMs, s.nowMs + s.options.commitTimeoutMs);
  }
}

/** Everything up to `index` is committed: applies it and answers those who wait for it. */
export function commitTo(s: RaftState, index: number): void {
  assert(index <= s.log.lastIndex, 'only entries in the log are committed');
  if (index <= s.commitIndex) return;
  s.commitIndex = index;
  while (s.appliedIndex < index) applyNext(s);
  answerReads(s);
}

function applyNext(s: RaftState): void {
  const index = s.appliedIndex + 1;
  const summary = s.log.summaryAt(index);
  assert(summary !== undefined, 'an entry to apply is in the log');
  let value: unknown = null;
  if (summary.type === EntryType.command) {
    value = s.ports.machine.apply({ ...summary, data: () => s.log.entryAt(index).data });
  } else if (summary.type === EntryType.configuration) {
    const configuration = s.membership.at(index);
    s.outbox.notices.push({ kind: 'configuration', configuration, committed: true });
  }
  s.appliedIndex = index;
  const led = s.leadership;
  if (!led) return;
  const isProposal = summary.type === EntryType.command && summary.term === s.term;
  if (isProposal) led.uncommittedBytes -= summary.size;
  const waiting = led.entries.get(index);
  if (!waiting) return;
  led.entries.delete(index);
  s.outbox.results.push({ kind: 'done', requestId: waiting.requestId, index, term: summary.term, value });
}

/** Answers reads whose round a quorum has confirmed and whose index is applied (rule 14; thesis §6.4). */
export function answerReads(s: RaftState): void {
  const led = s.leadership;
  if (!led || led.reads.length === 0) return;
  const isConfirmed = (round: number): boolean =>
    hasQuorum(
      s.membership.latest.configuration,
      (id) => id === s.options.id || (led.peers.get(id)?.confirmedRead ?? 0) >= round,
    );
  led.reads = led.reads.filter((read) => {
    if (s.appliedIndex < read.index || !isConfirmed(read.round)) return true;
    s.outbox.results.push({ kind: 'done', requestId: read.requestId, index: read.index, term: s.term, value: null });
    return false;
  });
}

/** Refuses those that are too late: heartbeats may be answered while no entry of the term gets through. */
export function refuseLateReads(s: RaftState): void {
  const led = s.leadership;
  if (!led || (led.reads[0]?.deadlineMs ?? Infinity) > s.nowMs) return;
  const message = 'leadership could not be confirmed in time: too few members answer, or take entries';
  for (const { requestId, deadlineMs } of led.reads) if (s.nowMs >= deadlineMs) s.refuse(requestId, 'timeout', message);
  led.reads = led.reads.filter(({ deadlineMs }) => s.nowMs < deadlineMs);
}
