import { describe, expect, it } from 'vitest';
import type { OutboundRequest } from '../ports.ts';
import type { RaftOptions } from './events.ts';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  appendReply,
  commandEntry,
  configurationEntry,
  statusOf,
  storeWith,
  voters,
} from './testing/messages.ts';
import type { AppendEntriesRequest } from './types.ts';

const THREE = voters('n1', 'n2', 'n3');

function request(message: OutboundRequest | undefined): AppendEntriesRequest {
  return message!.request as AppendEntriesRequest;
}

/** A leader of term 3 with commands up to index `last` of term 1 and its no-op after them; nobody has answered yet. */
function newLeader(last: number, raft: Partial<RaftOptions> = {}): LoneNode {
  const entries = [configurationEntry(1, 1, THREE)];
  for (let index = 2; index <= last; index++) entries.push(commandEntry(index, 1));
  const n1 = new LoneNode({ store: storeWith(entries, { term: 2 }), raft });
  n1.elect();
  return n1;
}

function reject(
  n1: LoneNode,
  id: string,
  lastLog: number,
  peerStatus?: Uint8Array,
  noRetryBackoff = true,
): AppendEntriesRequest {
  const [message] = n1.take('append', id);
  const said = peerStatus === undefined ? {} : { peerStatus };
  n1.answer(message!, appendReply(id, { term: n1.status.term, success: false, lastLog, noRetryBackoff, ...said }));
  return request(message);
}

describe('finding where a follower’s log agrees', () => {
  it('a shorter log: back to its last index at once', () => {
    const n1 = newLeader(50);
    expect(reject(n1, 'n2', 20)).toMatchObject({ prevLogIndex: 50, entries: [{ index: 51 }] });
    expect(request(n1.take('append', 'n2')[0])).toMatchObject({ prevLogIndex: 20, prevLogTerm: 1, entries: [] });
  });

  it('other terms: back by steps that double, without entries, never below the beginning', () => {
    const n1 = newLeader(50);
    const tried = [0, 1, 2, 3, 4, 5].map(() => reject(n1, 'n2', 90, statusOf('n2')).prevLogIndex);
    expect(tried).toEqual([50, 49, 47, 43, 35, 19]);
    // There every log agrees: the entries can come along.
    expect(request(n1.take('append', 'n2')[0])).toMatchObject({
      prevLogIndex: 0,
      prevLogTerm: 0,
      entries: { length: 51 },
    });
  });

  it('other terms on op-conductor, where one index alone may be found to agree: back by single steps', () => {
    const n1 = newLeader(50);
    const tried = [0, 1, 2, 3, 4].map(() => reject(n1, 'n2', 90).prevLogIndex);
    expect(tried).toEqual([50, 49, 48, 47, 46]);
  });

  it('once they agree everything after follows', () => {
    const n1 = newLeader(10);
    reject(n1, 'n2', 4);
    n1.acknowledge(n1.take('append', 'n2')[0]!);
    const [message] = n1.take('append', 'n2');
    expect(request(message)).toMatchObject({ prevLogIndex: 4 });
    expect(request(message).entries!.map(({ index }) => index)).toEqual([5, 6, 7, 8, 9, 10, 11]);
  });

  it('never goes below what is known to match, unless the follower says it holds less: its store was lost', () => {
    const n1 = newLeader(10);
    n1.acknowledgeAll();
    n1.propose('x');
    reject(n1, 'n2', 11);
    expect(request(n1.take('append', 'n2')[0])).toMatchObject({ prevLogIndex: 11 });
    n1.propose('y');
    const other = newLeader(10);
    other.acknowledgeAll();
    other.propose('x');
    reject(other, 'n2', 3);
    expect(other.status.peers.find(({ id }) => id === 'n2')).toMatchObject({ match: 0 });
    expect(request(other.take('append', 'n2')[0])).toMatchObject({ prevLogIndex: 3 });
    expect(other.notices).toContainEqual(expect.objectContaining({ kind: 'warning' }));
  });

  it('one request at a time until the first success', () => {
    const n1 = newLeader(10);
    n1.propose('x');
    n1.propose('y');
    expect(n1.take('append', 'n2')).toHaveLength(1);
  });

  it('what a refusal says of the follower’s last index is never taken for a match', () => {
    const n1 = newLeader(10);
    reject(n1, 'n2', 11);
    reject(n1, 'n3', 11);
    expect(n1.status.commitIndex).toBe(0);
  });
});

describe('pipelining', () => {
  it('bounds requests in flight', () => {
    const n1 = newLeader(1, { inflightRequestsMax: 3, appendEntriesMax: 1 });
    n1.acknowledgeAll();
    for (let i = 0; i < 9; i++) n1.propose('x');
    const first = n1.take('append', 'n2');
    expect(first.map((message) => request(message).prevLogIndex)).toEqual([2, 3, 4]);
    n1.acknowledge(first[0]!);
    expect(n1.take('append', 'n2').map((message) => request(message).prevLogIndex)).toEqual([5]);
  });

  it('bounds bytes in flight and per request; a larger entry goes alone', () => {
    const n1 = newLeader(1, { inflightBytesMax: 20, appendBytesMax: 10 });
    n1.acknowledgeAll();
    n1.take('append');
    for (const text of ['1234567', '89', 'a', 'entry of thirty bytes and more', 'b']) {
      n1.node.handle({ kind: 'propose', requestId: Math.random(), data: new TextEncoder().encode(text) }, n1.nowMs);
    }
    n1.handle({ kind: 'tick' });
    const sizes = n1.take('append', 'n2').map((message) => request(message).entries!.map(({ data }) => data!.length));
    expect(sizes).toEqual([[7, 2, 1], [30]]);
  });

  it('entries proposed in one turn share a request, at most appendEntriesMax', () => {
    const n1 = newLeader(1, { appendEntriesMax: 2 });
    n1.acknowledgeAll();
    for (let i = 0; i < 3; i++) n1.node.handle({ kind: 'barrier', requestId: 100 + i }, n1.nowMs);
    n1.handle({ kind: 'tick' });
    expect(n1.take('append', 'n2').map((message) => request(message).entries!.length)).toEqual([2, 1]);
  });

  it('tells of a commit even while the bytes in flight are at their bound, and does not spin', () => {
    const n1 = LoneNode.leader(THREE, { raft: { inflightBytesMax: 10, appendEntriesMax: 1 } });
    n1.run(60);
    n1.acknowledgeAll();
    const { commitIndex } = n1.status;
    for (let i = 0; i < 3; i++) n1.propose('twelve bytes');
    const [held] = n1.take('append', 'n3');
    expect(request(held).entries).toHaveLength(1);
    for (let i = 0; i < 3; i++) n1.acknowledgeAll(['n3']);
    expect(n1.status.commitIndex).toBe(commitIndex + 3);
    n1.run(60, () => n1.sent.some(({ peerId, channel }) => peerId === 'n3' && channel === 'replicate'));
    const told = n1.take('append', 'n3').map(({ request }) => request);
    expect(told).toMatchObject([{ entries: [], leaderCommit: commitIndex + 1 }]);
  });

  it('tells nothing in between to a server that may be recovering: an empty request says that there is no more', () => {
    const n1 = LoneNode.leader(THREE, { raft: { inflightBytesMax: 10, appendEntriesMax: 1 } });
    for (let i = 0; i < 3; i++) n1.propose('twelve bytes');
    n1.take('append', 'n3');
    for (let i = 0; i < 3; i++) n1.acknowledgeAll(['n3']);
    n1.run(60);
    expect(n1.take('append', 'n3')).toEqual([]);
  });
});

it('entries that others would misread go to a server of this implementation alone, also where it has lost its store', () => {
  const n1 = newLeader(10);
  n1.acknowledge(n1.take('append', 'n2')[0]!, statusOf('n2'));
  expect(n1.node.settleRollback(6)).toBe(true);
  n1.acknowledgeAll();
  n1.propose('x');
  reject(n1, 'n2', 0);
  reject(n1, 'n3', 0);
  expect(request(n1.take('append', 'n2')[0])).toMatchObject({ prevLogIndex: 0 });
  expect([n1.take('snapshot', 'n2'), n1.take('append', 'n3')]).toEqual([[], []]);
  expect(n1.take('snapshot', 'n3')[0]!.request).toMatchObject({ lastLogIndex: 11 });
});

it('one that was of this implementation says what it is after its connection broke, before it is sent them', () => {
  const n1 = newLeader(10);
  n1.acknowledge(n1.take('append', 'n2')[0]!, statusOf('n2'));
  n1.acknowledge(n1.take('append', 'n3')[0]!, statusOf('n3'));
  n1.propose('x');
  n1.fail(n1.take('append', 'n2')[0]!, 'reset');
  n1.acknowledgeAll(['n2']);
  expect(n1.node.settleRollback(12)).toBe(true);
  n1.run(30);
  const [asking] = n1.take('append', 'n2');
  expect(request(asking)).toMatchObject({ entries: [] });
  expect(request(asking).peerStatus).toBeDefined();
  n1.acknowledge(asking!);
  expect(n1.take('append', 'n2')).toEqual([]);
  expect(n1.take('snapshot', 'n2')).toHaveLength(1);
});

it('a follower in step that needs what was compacted meanwhile is sent one snapshot', () => {
  const n1 = LoneNode.leader(THREE, { raft: { inflightRequestsMax: 1, appendEntriesMax: 1, trailingLogs: 0 } });
  n1.run(60);
  n1.acknowledgeAll();
  for (let i = 0; i < 4; i++) n1.propose('x');
  const [held] = n1.take('append', 'n3');
  for (let i = 0; i < 4; i++) n1.acknowledgeAll(['n3']);
  n1.node.takeSnapshot();
  n1.run(60);
  n1.take('append', 'n3');
  n1.acknowledge(held!);
  expect(n1.take('snapshot', 'n3')).toHaveLength(1);
});

describe('telling of commits, and idle followers', () => {
  it('a commit is told with the next entries, or by an empty append after the commit timeout', () => {
    const n1 = LoneNode.leader(THREE);
    n1.propose('x');
    n1.acknowledgeAll();
    expect(n1.take('append')).toEqual([]);
    n1.run(49);
    expect(n1.take('append')).toEqual([]);
    n1.run(1);
    const told = n1.take('append');
    expect(told.map(({ request }) => request)).toMatchObject([
      { leaderCommit: 3, entries: [], prevLogIndex: 3 },
      { leaderCommit: 3, entries: [], prevLogIndex: 3 },
    ]);
    for (const message of told) n1.acknowledge(message);
    n1.run(100);
    expect(n1.take('append')).toEqual([]);
  });

  it('idle followers get an empty append three times per heartbeat timeout', () => {
    const n1 = LoneNode.leader(THREE);
    const at: number[] = [];
    const startMs = n1.nowMs;
    n1.run(1500, () => {
      for (const message of n1.take('append')) {
        if (message.peerId === 'n2') at.push(Math.round(n1.nowMs - startMs));
        n1.acknowledge(message);
      }
      for (const message of n1.take('heartbeat')) n1.acknowledge(message);
      return false;
    });
    expect(at).toEqual([50, 383, 717, 1050, 1383]);
  });

  it('heartbeats have the shape Go answers on a fast path; the next does not wait for the answer of the last', () => {
    const n1 = LoneNode.leader(THREE);
    n1.run(400);
    const beats = n1.take('heartbeat', 'n2');
    expect(beats.length).toBeGreaterThanOrEqual(2);
    expect(beats[0]).toMatchObject({
      timeoutMs: 1000,
      request: { prevLogIndex: 0, prevLogTerm: 0, leaderCommit: 0, entries: null, term: 2 },
    });
  });
});

describe('heartbeats without an answer', () => {
  it('are bounded in number', () => {
    const n1 = LoneNode.leader(THREE);
    const sent: number[] = [];
    n1.run(6000, () => {
      for (const message of n1.take('heartbeat')) {
        if (message.peerId === 'n2') sent.push(n1.nowMs);
        else n1.acknowledge(message);
      }
      return false;
    });
    expect(sent).toHaveLength(16);
  });

  it('that fail together with their connection are one failure: the next follows after the first pause', () => {
    const n1 = LoneNode.leader(THREE);
    n1.run(450);
    const beats = n1.take('heartbeat', 'n2');
    expect(beats.length).toBeGreaterThanOrEqual(2);
    for (const message of beats) n1.fail(message, 'reset');
    const failedMs = n1.nowMs;
    n1.run(100, () => n1.sent.some(({ channel, peerId }) => channel === 'heartbeat' && peerId === 'n2'));
    expect(n1.nowMs - failedMs).toBeLessThanOrEqual(10);
    n1.acknowledgeAll();
    expect(n1.status.role).toBe('leader');
  });
});

describe('a request of megabytes', () => {
  it('takes a heartbeat along, so that its follower may be busy for a whole lease', () => {
    const n1 = LoneNode.leader(THREE);
    n1.take('heartbeat');
    n1.propose('x');
    expect(n1.take('heartbeat')).toEqual([]);
    n1.acknowledgeAll();
    n1.propose('x'.repeat(2_000_000));
    expect(n1.take('heartbeat').map(({ peerId }) => peerId)).toEqual(['n2', 'n3']);
  });
});

describe('failures', () => {
  it('are retried after pauses that double up to half the heartbeat timeout; entries in flight are sent again', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'));
    n1.propose('x');
    const pauses: number[] = [];
    for (let i = 0; i < 8; i++) {
      const [message] = n1.take('append', 'n2');
      expect(request(message)).toMatchObject({ prevLogIndex: 2, entries: [{ index: 3 }] });
      n1.fail(message!, 'refused');
      const failedMs = n1.nowMs;
      n1.run(600, () => {
        n1.acknowledgeAll(['n2']);
        return n1.sent.some(({ channel, peerId }) => channel === 'replicate' && peerId === 'n2');
      });
      pauses.push(n1.nowMs - failedMs);
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 500, 500]);
  });

  it('of an earlier attempt do not count for the present one', () => {
    const n1 = LoneNode.leader(THREE, { raft: { appendEntriesMax: 1 } });
    n1.propose('x');
    n1.propose('y');
    const [first, second] = n1.take('append', 'n2');
    n1.fail(first!, 'reset');
    n1.run(10);
    const [again] = n1.take('append', 'n2');
    n1.fail(second!, 'reset');
    n1.acknowledge(again!);
    expect(n1.status.peers.find(({ id }) => id === 'n2')).toMatchObject({ match: 3, mode: 'pipeline' });
  });

  it('an error in place of an answer is a failure', () => {
    const n1 = LoneNode.leader(THREE);
    n1.propose('x');
    n1.answer(n1.take('append', 'n2')[0]!, { kind: 'error', message: 'no' });
    n1.run(10);
    expect(n1.take('append', 'n2')).toHaveLength(1);
    expect(n1.status.peers.find(({ id }) => id === 'n2')).toMatchObject({ match: 2 });
  });

  it('a later term in any answer ends leadership, even in a late one to an earlier term’s request', () => {
    for (const channel of ['append', 'heartbeat'] as const) {
      const n1 = LoneNode.leader(THREE);
      n1.run(250);
      n1.propose('x');
      const [message] = n1.take(channel, 'n2');
      n1.answer(message!, appendReply('n2', { term: 7, success: false }));
      expect(n1.status).toMatchObject({ role: 'follower', term: 7 });
    }
  });
});

describe('peer status (rule 16)', () => {
  it('are offered once per connection to servers that do not answer them, again after a failure', () => {
    const n1 = newLeader(1);
    const [first] = n1.take('append', 'n2');
    expect(request(first).peerStatus).toBeDefined();
    n1.acknowledge(first!);
    n1.propose('x');
    const [second] = n1.take('append', 'n2');
    expect(request(second).peerStatus).toBeUndefined();
    n1.fail(second!, 'reset');
    n1.run(10);
    expect(request(n1.take('append', 'n2')[0]).peerStatus).toBeDefined();
  });

  it('make a peer known to its successor as leader, which the dead cannot be asked', () => {
    const n2 = new LoneNode({ id: 'n2', store: storeWith([configurationEntry(1, 1, THREE)]) });
    n2.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, peerStatus: statusOf('n1', 'n3') }));
    n2.elect();
    const isNative = (id: string) => n2.status.peers.find((peer) => peer.id === id)!.isNative;
    expect([isNative('n1'), isNative('n3')]).toEqual([true, true]);
    n2.acknowledge(n2.take('append', 'n3')[0]!);
    expect([isNative('n1'), isNative('n3')]).toEqual([true, false]);
  });

  it('make a peer known as ours until it does not answer them any more', () => {
    const n1 = newLeader(1);
    n1.acknowledge(n1.take('append', 'n2')[0]!, statusOf());
    const isNative = () => n1.status.peers.find(({ id }) => id === 'n2')!.isNative;
    expect(isNative()).toBe(true);
    n1.run(150);
    n1.propose('x');
    const offered = n1.take('append', 'n2').find((message) => request(message).peerStatus)!;
    n1.acknowledge(offered);
    expect(isNative()).toBe(false);
  });
});

describe('a link that is slow', () => {
  const LONG = 2 * 1024 * 1024;

  /** Timeouts of the appends with entries, of which none is through in time, as often as told. */
  function timeouts(bytes: number, times: number, isHeard = true): (number | undefined)[] {
    const n1 = LoneNode.leader(THREE);
    const pass = (ms: number): void =>
      n1.run(ms, () => {
        for (const one of n1.take('heartbeat')) if (isHeard || one.peerId !== 'n2') n1.acknowledge(one);
        return false;
      });
    const seen: (number | undefined)[] = [];
    n1.propose('x'.repeat(bytes));
    while (seen.length < times) {
      const [message] = n1.take('append', 'n2');
      if (message === undefined) pass(50);
      else if (request(message).entries?.length === 0) n1.acknowledge(message);
      else {
        seen.push(message.timeoutMs);
        pass(1000);
        n1.fail(message, 'timeout');
      }
    }
    return seen;
  }

  it('has twice the time for a long append after each that was not through in time, up to 16 times', () => {
    expect(timeouts(LONG, 7)).toEqual([5000, 10_000, 20_000, 40_000, 80_000, 80_000, 80_000]);
  });

  it('and no more for a short one, nor where the peer answers no heartbeats either: a dead connection is to be noticed', () => {
    expect(timeouts(1000, 3)).toEqual([5000, 5000, 5000]);
    expect(timeouts(LONG, 3, false).slice(-1)).toEqual([5000]);
  });
});
