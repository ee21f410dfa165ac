import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  appendReply,
  commandEntry,
  configurationEntry,
  snapshotFrom,
  storeWith,
  voteFrom,
  voters,
} from './testing/messages.ts';
import type { InstallSnapshotRequest } from './types.ts';

const THREE = voters('n1', 'n2', 'n3');

/** n1 with entries 1..8 of term 1, committed up to `commit`. */
function follower(commit = 4, raft = {}): LoneNode {
  const entries = [configurationEntry(1, 1, THREE), ...[2, 3, 4, 5, 6, 7, 8].map((index) => commandEntry(index, 1))];
  const n1 = new LoneNode({ store: storeWith(entries), raft });
  n1.request(appendFrom('n2', { term: 1, prevLogIndex: 8, prevLogTerm: 1, leaderCommit: commit }));
  return n1;
}

function offer(n1: LoneNode, index: number, lastTerm: number, part: Partial<InstallSnapshotRequest> = {}) {
  return n1.request({ ...snapshotFrom('n2', { term: 2, index, lastTerm, configuration: THREE }), ...part }, 5);
}

describe('a snapshot from the leader (rule 7)', () => {
  it.each([1, 4])('at %i, not beyond the commit index 4: answered and ignored', (index) => {
    const n1 = follower();
    expect(offer(n1, index, 1)).toMatchObject({ kind: 'snapshot', success: true, term: 2, id: null });
    expect(n1.status).toMatchObject({ commitIndex: 4, appliedIndex: 4, lastIndex: 8, snapshotIndex: 0 });
    expect(n1.machine.restores).toBe(0);
  });

  it('whose last entry the log holds: the entries after it stay', () => {
    const n1 = follower();
    expect(offer(n1, 6, 1)).toMatchObject({ success: true });
    expect(n1.status).toMatchObject({ commitIndex: 6, appliedIndex: 6, lastIndex: 8, snapshotIndex: 6 });
    expect(n1.machine.restores).toBe(1);
    expect(new LoneNode({ store: n1.store }).status).toMatchObject({ lastIndex: 8, snapshotIndex: 6, commitIndex: 6 });
  });

  it.each([
    ['another term at its index', 6],
    ['nothing at its index', 20],
  ])('where the log has %s: the whole log goes', (_, index) => {
    const n1 = follower();
    expect(offer(n1, index, 2)).toMatchObject({ success: true });
    expect(n1.status).toMatchObject({ firstIndex: index + 1, lastIndex: index, snapshotIndex: index });
    expect(n1.machine.known.size).toBe(0);
    const next = [commandEntry(index + 1, 2)];
    expect(n1.request(appendFrom('n2', { term: 2, prevLogIndex: index, prevLogTerm: 2, entries: next }))).toMatchObject(
      { success: true },
    );
    expect(new LoneNode({ store: n1.store }).status).toMatchObject({ lastIndex: index + 1, snapshotIndex: index });
  });

  it('where the whole log goes: the members that it named after the snapshot go with it', () => {
    const later = configurationEntry(9, 1, voters('n1', 'n2', 'n3', 'n4'));
    const n1 = follower();
    n1.request(appendFrom('n2', { term: 1, prevLogIndex: 8, prevLogTerm: 1, entries: [later], leaderCommit: 4 }));
    expect(n1.status.configuration).toMatchObject({ index: 9 });
    offer(n1, 6, 2);
    expect(n1.status.configuration).toEqual({ index: 1, configuration: THREE });
    expect(new LoneNode({ store: n1.store }).status.configuration).toEqual({ index: 1, configuration: THREE });
  });

  it('is the end of the log where nothing follows it: no vote for a log that ends in an earlier term, however long', () => {
    const n1 = follower();
    offer(n1, 20, 2);
    // That of a hand-over, which is answered also while a leader is heard.
    const asked = (lastLogIndex: number, lastLogTerm: number, term: number) =>
      n1.request(voteFrom('n3', term, lastLogIndex, lastLogTerm, true), 6);
    expect(asked(30, 1, 3)).toMatchObject({ kind: 'vote', granted: false });
    expect(asked(20, 2, 4)).toMatchObject({ kind: 'vote', granted: true });
  });

  it('brings its configuration', () => {
    const n1 = new LoneNode({ store: storeWith([]) });
    offer(n1, 20, 2, {});
    expect(n1.status.configuration).toEqual({ index: 1, configuration: THREE });
    expect(n1.status.isConfigurationCommitted).toBe(true);
  });

  it.each<[string, Partial<InstallSnapshotRequest>, string]>([
    ['version', { snapshotVersion: 2 }, 'unsupported snapshot version 2'],
    ['size', { size: 99_999 }, 'short read'],
    ['configuration', { configuration: new Uint8Array([0xc1]) }, 'failed to decode configuration'],
    ['state', { data: new Uint8Array([1, 2]), size: 2 }, 'failed to restore snapshot 2-20'],
  ])('with a bad %s changes nothing', (_, part, error) => {
    const n1 = follower();
    expect(offer(n1, 20, 2, part)).toMatchObject({ success: false, error: expect.stringContaining(error) });
    expect(n1.status).toMatchObject({ commitIndex: 4, lastIndex: 8, snapshotIndex: 0 });
    expect(n1.machine.restores).toBe(0);
  });

  it('of an earlier term is refused', () => {
    const n1 = follower();
    n1.request(appendFrom('n3', { term: 3, prevLogIndex: 8, prevLogTerm: 1 }));
    expect(offer(n1, 20, 2)).toMatchObject({ success: false, term: 3 });
    expect(n1.status.snapshotIndex).toBe(0);
  });
});

describe('own snapshots', () => {
  it('an empty state machine takes none', () => {
    const n1 = LoneNode.leader(THREE);
    expect(n1.status.appliedIndex).toBe(2);
    expect(n1.node.takeSnapshot()).toBe(false);
  });

  it('are of what is applied, and not taken twice', () => {
    const n1 = follower(6);
    expect(n1.node.takeSnapshot()).toBe(true);
    expect(n1.node.takeSnapshot()).toBe(false);
    expect(n1.status).toMatchObject({ snapshotIndex: 6, firstIndex: 1, lastIndex: 8 });
  });

  it.each([
    ['count', { trailingLogs: 3 }, 6],
    ['count, never beyond the snapshot', { trailingLogs: 0 }, 7],
    ['bytes (two each)', { trailingBytes: 5 }, 7],
    ['bytes, when there is room', { trailingBytes: 7 }, 6],
  ])('keep trailing entries by %s', (_, raft, firstIndex) => {
    const n1 = follower(6, raft);
    n1.node.takeSnapshot();
    n1.run(1);
    expect(n1.status).toMatchObject({ firstIndex, lastIndex: 8 });
    expect(new LoneNode({ store: n1.store }).status).toMatchObject({ firstIndex, lastIndex: 8, snapshotIndex: 6 });
  });

  it('stand for members of their time: those of the log after it count after a restart', () => {
    const n1 = follower(8);
    n1.node.takeSnapshot();
    const four = voters('n1', 'n2', 'n3', 'n4');
    const joined = [configurationEntry(9, 1, four)];
    n1.request(appendFrom('n2', { term: 1, prevLogIndex: 8, prevLogTerm: 1, entries: joined }));
    expect(n1.status).toMatchObject({ snapshotIndex: 8, configuration: { index: 9, configuration: four } });
    const again = new LoneNode({ store: n1.store });
    expect(again.status).toMatchObject({ snapshotIndex: 8, configuration: { index: 9, configuration: four } });
  });

  it('that are taken during a change of members stand for the members before it: one that comes to nothing leaves them after a restart', () => {
    const n1 = follower(8);
    const joined = [configurationEntry(9, 1, voters('n1', 'n2', 'n3', 'n4'))];
    n1.request(appendFrom('n2', { term: 1, prevLogIndex: 8, prevLogTerm: 1, entries: joined, leaderCommit: 8 }));
    expect(n1.node.takeSnapshot()).toBe(true);
    const instead = [commandEntry(9, 2)];
    n1.request(appendFrom('n3', { term: 2, prevLogIndex: 8, prevLogTerm: 1, entries: instead, leaderCommit: 9 }));
    const again = new LoneNode({ store: n1.store });
    expect(again.status).toMatchObject({ snapshotIndex: 8, configuration: { index: 1, configuration: THREE } });
  });

  it('are due by entries when they are looked at, by bytes at once', () => {
    const byCount = follower(6, { snapshotThreshold: 6, snapshotIntervalMs: 1000 });
    byCount.run(1400);
    expect(byCount.status.snapshotIndex).toBe(0);
    byCount.run(200);
    expect(byCount.status.snapshotIndex).toBe(6);
    expect(follower(6, { snapshotBytes: 100_000 }).status.snapshotIndex).toBe(0);
    expect(follower(6, { snapshotBytes: 10 }).status.snapshotIndex).toBe(6);
  });
});

describe('a leader whose log begins after what a follower needs', () => {
  /** Leads with a snapshot at 10 and nothing before it in the log. */
  function leader(): LoneNode {
    const n1 = LoneNode.leader(THREE, { raft: { trailingLogs: 0 } });
    for (let i = 3; i <= 10; i++) n1.propose(`c${i}`);
    n1.acknowledgeAll(['n3']);
    n1.node.takeSnapshot();
    n1.run(1);
    expect(n1.status).toMatchObject({ snapshotIndex: 10, firstIndex: 11 });
    return n1;
  }

  /** n3 says that it holds nothing. */
  function loseLog(n1: LoneNode): void {
    n1.answer(n1.take('append', 'n3')[0]!, appendReply('n3', { term: 2, success: false, lastLog: 0 }));
  }

  it('sends its snapshot on a connection of its own, then goes on after it', () => {
    const n1 = leader();
    loseLog(n1);
    const [message] = n1.take('snapshot', 'n3');
    expect(message).toMatchObject({
      channel: 'snapshot',
      request: { lastLogIndex: 10, lastLogTerm: 2, configurationIndex: 1 },
    });
    n1.propose('more');
    expect(n1.take('append', 'n3')).toEqual([]);
    const answer = { kind: 'snapshot', protocolVersion: 0, id: null, address: null, term: 2 } as const;
    n1.answer(message!, { ...answer, success: true });
    expect(n1.take('append', 'n3').map(({ request }) => request)).toMatchObject([
      { prevLogIndex: 10, prevLogTerm: 2, entries: [{ index: 11 }] },
    ]);
  });

  it('sends it again after a refusal or a failure, after a pause', () => {
    const n1 = leader();
    loseLog(n1);
    n1.fail(n1.take('snapshot')[0]!, 'reset');
    expect(n1.take('snapshot')).toEqual([]);
    n1.run(110, () => n1.sent.some(({ request }) => request.kind === 'snapshot'));
    expect(n1.take('snapshot', 'n3')).toHaveLength(1);
  });

  it('sends one that was of no use again after a pause, and one that reaches further, where what follows it is refused', () => {
    const n1 = leader();
    n1.propose('c11');
    n1.acknowledgeAll(['n3']);
    loseLog(n1);
    const taken = { kind: 'snapshot', protocolVersion: 0, id: null, address: null, term: 2, success: true } as const;
    const refused = appendReply('n3', { term: 2, success: false, lastLog: 40, noRetryBackoff: true });
    const sent: number[] = [];
    for (const through of [10, 11, 11]) {
      n1.run(500, () => n1.sent.some(({ request }) => request.kind === 'snapshot'));
      const [message] = n1.take('snapshot', 'n3');
      expect(message!.request).toMatchObject({ lastLogIndex: through });
      sent.push(n1.nowMs);
      n1.answer(message!, taken);
      n1.answer(n1.take('append', 'n3').at(-1)!, refused);
    }
    expect(sent[1]! - sent[0]!).toBeGreaterThanOrEqual(100);
    expect(sent[2]! - sent[1]!).toBeGreaterThanOrEqual(200);
  });

  it('leaves a later term in the answer, which says of nobody whose it is, to the answers to heartbeats', () => {
    const n1 = leader();
    loseLog(n1);
    const answer = { kind: 'snapshot', protocolVersion: 0, id: null, address: null, term: 9, success: false } as const;
    n1.answer(n1.take('snapshot')[0]!, answer);
    expect(n1.status).toMatchObject({ role: 'leader', term: 2 });
    n1.run(200, () => n1.sent.some(({ channel }) => channel === 'heartbeat'));
    n1.answer(n1.take('heartbeat', 'n3')[0]!, appendReply('n3', { term: 9, success: false }));
    expect(n1.status).toMatchObject({ role: 'follower', term: 9 });
  });
});
