import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendReply,
  ballot,
  configurationEntry,
  commandEntry,
  heartbeatFrom,
  nonvoter,
  statusOf,
  storeWith,
  voter,
  voters,
} from './testing/messages.ts';

const THREE = voters('n1', 'n2', 'n3');

describe('a leader’s entries', () => {
  it('begin with a no-op of its term', () => {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE)]) });
    n1.elect();
    const [message] = n1.take('append', 'n2');
    expect(message!.request).toMatchObject({ term: 2, prevLogIndex: 1, prevLogTerm: 1 });
    expect(message!.request).toMatchObject({ entries: [{ index: 2, term: 2, type: 1, data: null }] });
  });

  it('leave before the own write; term and vote never do (rule 15)', () => {
    const n1 = LoneNode.leader(THREE);
    n1.trace.length = 0;
    n1.propose('x');
    expect(n1.trace).toEqual(['send append', 'send append', 'write']);
  });

  it('commit on a quorum, the leader’s own copy among it only once durable', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2'));
    const id = n1.propose('x');
    expect(n1.status.commitIndex).toBe(2);
    n1.acknowledgeAll();
    expect(n1.results.get(id)).toMatchObject({ kind: 'done', index: 3, term: 2, value: 'x' });
  });

  it('of a voter alone are not committed by what a nonvoter answers before they are durable', () => {
    const n1 = LoneNode.leader({ servers: [voter('n1'), nonvoter('n2')] });
    n1.propose('x');
    const [message] = n1.take('append', 'n2');
    n1.node.handle({ kind: 'propose', requestId: 900, data: new Uint8Array() }, n1.nowMs);
    const { requestId } = message!;
    n1.node.handle({ kind: 'response', requestId, response: appendReply('n2', { term: 2, success: true }) }, n1.nowMs);
    expect(n1.status).toMatchObject({ lastIndex: 4, commitIndex: 3 });
    n1.handle({ kind: 'tick' });
    expect(n1.status.commitIndex).toBe(4);
  });

  it('that its own store did not take are never counted, and nothing is committed or answered any more', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2'));
    n1.store.failure = 'disk full';
    const id = n1.propose('x');
    expect(n1.take('timeoutNow').map(({ peerId }) => peerId)).toEqual(['n2']);
    n1.acknowledgeAll();
    expect(n1.status).toMatchObject({ hasFailed: true, role: 'follower', commitIndex: 2 });
    expect(n1.results.get(id)).toMatchObject({ kind: 'unknown', index: 3 });
    expect(n1.request(heartbeatFrom('n2', 3))).toBeUndefined();
    expect(n1.results.get(n1.propose('y'))).toMatchObject({ kind: 'refused', reason: 'failed' });
    expect(n1.node.nextDeadlineMs()).toBe(Infinity);
  });

  it('of an earlier term are not committed by counting (figure 3.7)', () => {
    const entries = [configurationEntry(1, 1, THREE), commandEntry(2, 2)];
    const n1 = new LoneNode({ store: storeWith(entries, { term: 3, votedTerm: 3 }) });
    n1.elect();
    const [message] = n1.take('append', 'n2');
    n1.answer(message!, appendReply('n2', { term: 4, success: false, lastLog: 1 }));
    const [shorter] = n1.take('append', 'n2');
    expect(shorter!.request).toMatchObject({ prevLogIndex: 1, prevLogTerm: 1 });
    n1.acknowledge(shorter!);
    n1.acknowledgeAll();
    expect(n1.status.commitIndex).toBe(3);
  });
});

describe('bounds on proposals', () => {
  it('one entry: refused above, accepted at the bound', () => {
    const n1 = LoneNode.leader(THREE, { raft: { entryBytesMax: 4 } });
    expect(n1.results.get(n1.propose('12345'))).toMatchObject({ kind: 'refused', reason: 'too-large' });
    expect(n1.results.has(n1.propose('1234'))).toBe(false);
  });

  it('uncommitted entries by count, and again when some commit', () => {
    const n1 = LoneNode.leader(THREE, { raft: { uncommittedEntriesMax: 2 } });
    n1.propose('a');
    n1.propose('b');
    expect(n1.results.get(n1.propose('c'))).toMatchObject({ kind: 'refused', reason: 'busy' });
    n1.acknowledgeAll();
    expect(n1.results.has(n1.propose('c'))).toBe(false);
  });

  it('uncommitted entries by bytes, a single one always, and configurations do not loosen it', () => {
    const n1 = LoneNode.leader(THREE, { raft: { uncommittedBytesMax: 10 } });
    n1.command({ kind: 'addServer', ...voter('n4'), suffrage: 1, previousIndex: 0 });
    n1.acknowledgeAll();
    expect(n1.status.isConfigurationCommitted).toBe(true);
    expect(n1.results.has(n1.propose('more than ten bytes'))).toBe(false);
    expect(n1.results.get(n1.propose('x'))).toMatchObject({ kind: 'refused', reason: 'busy' });
    n1.acknowledgeAll();
    n1.propose('12345');
    expect(n1.results.has(n1.propose('67890'))).toBe(false);
    expect(n1.results.get(n1.propose('x'))).toMatchObject({ kind: 'refused', reason: 'busy' });
  });

  it('a follower refuses, and says why', () => {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE)]) });
    for (const id of [n1.propose('x'), n1.command({ kind: 'read' }), n1.command({ kind: 'barrier' })]) {
      expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-leader' });
    }
  });
});

describe('what is pending when leadership is lost', () => {
  it('proposals are unknown with their place, reads have had no effect', () => {
    const n1 = LoneNode.leader(THREE);
    const proposal = n1.propose('x');
    const barrier = n1.command({ kind: 'barrier' });
    const read = n1.command({ kind: 'read' });
    n1.request(heartbeatFrom('n2', 3));
    expect(n1.results.get(proposal)).toMatchObject({ kind: 'unknown', index: 3, term: 2 });
    expect(n1.results.get(barrier)).toMatchObject({ kind: 'unknown', index: 4, term: 2 });
    expect(n1.results.get(read)).toMatchObject({ kind: 'refused', reason: 'not-leader' });
  });
});

describe('linearizable reads (rule 14)', () => {
  it('wait for a quorum that answers requests sent after the read was asked for', () => {
    const n1 = LoneNode.leader(THREE);
    n1.run(250, () => n1.sent.some(({ channel }) => channel === 'heartbeat'));
    const before = n1.take('heartbeat');
    expect(before).not.toEqual([]);
    const id = n1.command({ kind: 'read' });
    for (const message of before) n1.acknowledge(message);
    expect(n1.results.has(id)).toBe(false);
    n1.acknowledge(n1.take('heartbeat', 'n3').at(-1)!);
    expect(n1.results.get(id)).toMatchObject({ kind: 'done', index: 2 });
  });

  it('the answer to an append that left before the read confirms it not, that to a later one does', () => {
    const n1 = LoneNode.leader(THREE);
    n1.propose('x');
    const before = n1.take('append');
    expect(before.map(({ peerId }) => peerId).toSorted()).toEqual(['n2', 'n3']);
    const id = n1.command({ kind: 'read' });
    for (const message of before) n1.acknowledge(message);
    expect(n1.status.commitIndex).toBe(3);
    expect(n1.results.has(id)).toBe(false);
    n1.propose('y');
    n1.acknowledge(n1.take('append', 'n2').at(-1)!);
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
  });

  it('an answer of another term or a refusal confirms nothing', () => {
    const n1 = LoneNode.leader(THREE);
    const id = n1.command({ kind: 'read' });
    const [toN2] = n1.take('heartbeat', 'n2');
    const [toN3] = n1.take('heartbeat', 'n3');
    n1.answer(toN2!, appendReply('n2', { term: 2, success: false }));
    n1.answer(toN3!, appendReply('n3', { term: 1, success: true }));
    expect(n1.results.has(id)).toBe(false);
  });

  it('wait until this term has committed and everything known committed is applied', () => {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE)]) });
    n1.elect();
    const id = n1.command({ kind: 'read' });
    for (const message of n1.take('heartbeat')) n1.acknowledge(message);
    expect(n1.results.has(id)).toBe(false);
    n1.acknowledgeAll();
    expect(n1.results.get(id)).toMatchObject({ kind: 'done', index: 2 });
  });

  it('a leader that is cut off answers none, though its lease has not run out', () => {
    const n1 = LoneNode.leader(THREE);
    const id = n1.command({ kind: 'read' });
    n1.run(499);
    expect(n1.results.has(id)).toBe(false);
    expect(n1.status.role).toBe('leader');
    n1.run(500);
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-leader' });
  });

  it('a voter alone answers at once', () => {
    const n1 = LoneNode.leader(voters('n1'));
    const id = n1.command({ kind: 'read' });
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
  });

  it('a barrier is done when everything before it is applied', () => {
    const n1 = LoneNode.leader(THREE);
    n1.propose('x');
    const id = n1.command({ kind: 'barrier' });
    n1.acknowledgeAll();
    expect(n1.results.get(id)).toMatchObject({ kind: 'done', index: 4 });
    expect(n1.machine.applied.map(({ command }) => command)).toEqual(['x']);
  });
});

describe('the lease (check-quorum)', () => {
  it('without answers from a quorum for that long the leader steps down, and refuses', () => {
    const n1 = LoneNode.leader(THREE);
    n1.run(400);
    n1.acknowledgeAll(['n3']);
    n1.run(500);
    expect(n1.status.role).toBe('leader');
    n1.run(200);
    expect(n1.status.role).toBe('follower');
  });

  it('counts from when an answer came, as hashicorp’s; what others are told counts from when it was asked for', () => {
    const n1 = LoneNode.leader(THREE);
    const lastContactMs = n1.nowMs;
    n1.run(250, () => n1.sent.some(({ channel }) => channel === 'heartbeat'));
    const sentMs = n1.nowMs;
    n1.run(lastContactMs + 490 - sentMs);
    const [first] = n1.take('heartbeat', 'n2');
    n1.acknowledge(first!);
    n1.sent = [];
    expect(n1.status.leaseEndsAtMs).toBe(sentMs + 500);
    n1.run(499);
    expect(n1.status.role).toBe('leader');
    n1.run(300);
    expect(n1.status.role).toBe('follower');
  });

  it('is not kept by refusals: a server that lost its store gives them before it knows what it had promised', () => {
    const n1 = LoneNode.leader(THREE);
    n1.run(600, () => {
      for (const message of n1.take('append', 'n3').filter(({ channel }) => channel === 'replicate'))
        n1.answer(
          message,
          appendReply('n3', { term: n1.status.term, lastLog: 0, success: false, noRetryBackoff: true }),
        );
      return false;
    });
    expect(n1.status.role).toBe('follower');
  });

  it('after a stall longer than the others’ election timeout the first act is to step down, before any answer (rule 15)', () => {
    const n1 = LoneNode.leader(THREE);
    const proposal = n1.propose('x');
    const read = n1.command({ kind: 'read' });
    n1.nowMs += 1001;
    n1.acknowledgeAll();
    expect(n1.results.get(proposal)!.kind).toBe('unknown');
    expect(n1.results.get(read)!.kind).toBe('refused');
    expect(n1.status.role).toBe('follower');
    expect(n1.notices).toContainEqual(
      expect.objectContaining({ kind: 'role', reason: expect.stringContaining('stalled') }),
    );
  });

  describe('after a shorter stall', () => {
    /** A leader whose heartbeats nobody has answered for `silentMs`, at the end of a turn of 480 ms. */
    function stalled(silentMs: number, byMs = 480): LoneNode {
      const n1 = LoneNode.leader(THREE);
      n1.run(silentMs);
      n1.nowMs += byMs;
      n1.handle({ kind: 'tick' });
      return n1;
    }

    it('is not held against the others: only the time in which they could be heard counts (rule 34)', () => {
      const n1 = stalled(100);
      expect(n1.status.role).toBe('leader');
      n1.run(200);
      expect(n1.status.role).toBe('leader');
      n1.run(300);
      expect(n1.status.role).toBe('follower');
    });

    it('answers that came meanwhile are read before contact is judged', () => {
      const n1 = stalled(450);
      expect(n1.status.role).toBe('leader');
      n1.acknowledgeAll(['n3']);
      n1.nowMs += 10;
      n1.handle({ kind: 'tick' });
      expect(n1.status.role).toBe('leader');
    });

    it('without any after all that time the leader steps down a moment later', () => {
      const n1 = stalled(450);
      expect(n1.node.nextDeadlineMs()).toBeLessThanOrEqual(n1.nowMs + 10);
      n1.nowMs += 10;
      n1.handle({ kind: 'tick' });
      expect(n1.status.role).toBe('follower');
    });

    it('a leader that nobody answers and that stands still again and again steps down all the same', () => {
      const n1 = LoneNode.leader(THREE);
      for (let turn = 0; turn < 6; turn++) {
        n1.nowMs += 600;
        n1.handle({ kind: 'tick' });
      }
      expect(n1.status.role).toBe('follower');
    });

    it('longer than the lease: nothing is permitted on leadership until what was sent since is answered (rule 34)', () => {
      const n1 = stalled(0, 700);
      const before = n1.take('heartbeat', 'n2');
      expect(n1.status).toMatchObject({ role: 'leader', isSure: false });
      n1.take('heartbeat');
      n1.run(250, () => n1.sent.some(({ channel }) => channel === 'heartbeat'));
      for (const message of before.slice(0, -1)) n1.acknowledge(message);
      expect(n1.status).toMatchObject({ role: 'leader', isSure: false });
      n1.acknowledge(n1.take('heartbeat', 'n2').at(-1)!);
      expect(n1.status).toMatchObject({ role: 'leader', isSure: true });
    });
  });

  it('a write that takes longer than the others’ election timeout is such a stall', () => {
    const n1 = LoneNode.leader(THREE);
    n1.store.write = () => void (n1.nowMs += 1001);
    const id = n1.propose('x');
    expect(n1.status.role).toBe('follower');
    expect(n1.results.get(id)!.kind).toBe('unknown');
  });
});

describe('a new leader', () => {
  it('is sure of its office from when it asked for the votes, not from when it read them (rule 34)', () => {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE)]) });
    n1.run(3000, () => n1.sent.some(({ request }) => request.kind === 'prevote'));
    for (const message of n1.take('prevote')) n1.answer(message, ballot(message.peerId, 'prevote', 2, true));
    const votes = n1.take('vote');
    expect(votes).toHaveLength(2);
    // Its machine is suspended: votes lie unread, and the others have elected somebody else.
    n1.nowMs += 5000;
    n1.answer(votes[0]!, ballot('n2', 'vote', 2, true));
    expect(n1.status).toMatchObject({ role: 'leader', isSure: false });
    n1.acknowledge(n1.take('append', 'n2')[0]!);
    expect(n1.status).toMatchObject({ role: 'leader', isSure: true });
  });

  it('asks for whole milliseconds, whatever the flag says: others do not travel', () => {
    const odd = new LoneNode({
      store: storeWith([configurationEntry(1, 1, THREE)]),
      raft: { heartbeatTimeoutMs: 1000.5, electionTimeoutMs: 1000.5 },
    });
    odd.elect();
    for (const message of odd.take('append')) odd.acknowledge(message, statusOf());
    odd.sent = [];
    odd.run(3000, () => odd.sent.some(({ request }) => 'electionTimeoutMs' in request));
    const asked = odd.sent.flatMap(({ request }) =>
      'electionTimeoutMs' in request ? [request.electionTimeoutMs] : [],
    );
    expect(asked.length).toBeGreaterThan(0);
    for (const ms of asked) expect(Number.isInteger(ms)).toBe(true);
  });
});
