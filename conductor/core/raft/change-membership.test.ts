import { describe, expect, it } from 'vitest';
import type { OutboundRequest } from '../ports.ts';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  appendReply,
  ballot,
  configurationEntry,
  heartbeatFrom,
  nonvoter,
  noopEntry,
  storeWith,
  voter,
  voters,
} from './testing/messages.ts';

const THREE = voters('n1', 'n2', 'n3');

const N3 = { kind: 'addServer', ...voter('n3'), previousIndex: 0 } as const;

describe('a new voter is staged', () => {
  it('its deadline waits for a hand-over that fails, without spinning', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2'), { raft: { requestTimeoutMs: 500, electionTimeoutMs: 1000 } });
    const id = n1.command(N3);
    n1.run(300, () => (n1.acknowledgeAll(['n3']), false));
    n1.command({ kind: 'transfer', target: 'n2' });
    n1.acknowledgeAll(['n3']);
    n1.run(900, () => (n1.acknowledgeAll(['n3']), false));
    expect(n1.results.has(id)).toBe(false);
    n1.run(200, () => (n1.acknowledgeAll(['n3']), false));
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-caught-up' });
  });
});

describe('a server that is removed and comes back', () => {
  it('starts from nothing: late answers of its former self neither count nor stop its heartbeats', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'), { raft: { stageVoters: false } });
    n1.run(200, () => n1.sent.some(({ channel, peerId }) => channel === 'heartbeat' && peerId === 'n3'));
    const removal = n1.command({ kind: 'removeServer', id: 'n3', previousIndex: 0 });
    const [late] = n1.take('append', 'n3');
    const [lateHeartbeat] = n1.take('heartbeat', 'n3');
    n1.acknowledgeAll();
    expect(n1.results.get(removal)!.kind).toBe('done');
    n1.command({ ...N3, suffrage: 1 });
    n1.acknowledge(late!);
    n1.acknowledge(lateHeartbeat!);
    expect(n1.status.peers.find(({ id }) => id === 'n3')!.match).toBe(0);
    n1.run(5000, () => (n1.acknowledgeAll(['n3']), false));
    expect(n1.take('heartbeat', 'n3')).toHaveLength(16);
  });
});

describe('sizes', () => {
  it.each(['id', 'address'] as const)('an %s of 65 537 bytes is refused and the leader lives on', (field) => {
    const n1 = LoneNode.leader(THREE);
    const before = n1.status.lastIndex;
    const command = { ...N3, ...voter('n4'), suffrage: 1, [field]: 'a'.repeat(65_537) } as const;
    expect(n1.results.get(n1.command(command))).toMatchObject({ kind: 'refused', reason: 'invalid' });
    expect(n1.status).toMatchObject({ role: 'leader', lastIndex: before });
  });

  it('a follower takes in whatever a Go leader made of an admin call: ids of 5 MB, servers by the thousand', () => {
    const servers = [...THREE.servers, voter('m'.repeat(5_000_000))];
    for (let at = 0; at < 5000; at++) servers.push(voter(`s${at}`));
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE)]) });
    const entries = [configurationEntry(2, 2, { servers })];
    n1.request(appendFrom('n2', { term: 2, prevLogIndex: 1, prevLogTerm: 1, entries }));
    expect(n1.status.configuration).toEqual({ index: 2, configuration: { servers } });
  });
});

describe('one change at a time', () => {
  it('not before an entry of the own term is committed (the bug of 2015)', () => {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE)]) });
    n1.elect();
    const remove = { kind: 'removeServer', id: 'n3', previousIndex: 0 } as const;
    const early = n1.results.get(n1.command(remove));
    expect(early).toMatchObject({ kind: 'refused' });
    expect(n1.status.lastIndex).toBe(2);
    n1.acknowledgeAll();
    expect(n1.results.has(n1.command(remove))).toBe(false);
    expect(n1.status.configuration).toEqual({ index: 3, configuration: voters('n1', 'n2') });
  });

  it('not before, even when the configuration itself is known committed', () => {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE), noopEntry(2, 1)]) });
    n1.request(appendFrom('n2', { term: 1, prevLogIndex: 2, prevLogTerm: 1, leaderCommit: 2 }));
    n1.elect();
    const id = n1.command({ kind: 'removeServer', id: 'n3', previousIndex: 0 });
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-ready' });
  });

  it('not while the one before is not committed', () => {
    const n1 = LoneNode.leader(THREE);
    const first = n1.command({ kind: 'demoteVoter', id: 'n3', previousIndex: 0 });
    const second = n1.command({ kind: 'removeServer', id: 'n3', previousIndex: 0 });
    expect(n1.results.get(second)).toMatchObject({ kind: 'refused', reason: 'change-in-progress' });
    n1.acknowledgeAll();
    expect(n1.results.get(first)).toMatchObject({ kind: 'done', index: 3 });
  });

  it('in force from its append: the removed voter does not count for its own removal', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3', 'n4'));
    const id = n1.command({ kind: 'removeServer', id: 'n4', previousIndex: 0 });
    n1.acknowledge(n1.take('append', 'n4')[0]!);
    expect(n1.results.has(id)).toBe(false);
    n1.acknowledge(n1.take('append', 'n2')[0]!);
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
  });

  it('a removed server gets one attempt to learn of it, then its connections close', () => {
    const n1 = LoneNode.leader(THREE);
    n1.command({ kind: 'removeServer', id: 'n3', previousIndex: 0 });
    n1.acknowledgeAll();
    expect(n1.forgotten).toEqual([]);
    n1.run(60);
    n1.acknowledgeAll();
    expect(n1.forgotten).toEqual(['n3']);
    expect(n1.status.peers.map(({ id }) => id)).toEqual(['n2']);
  });

  it('also where other requests are always under way to it, as over a long way', () => {
    const n1 = LoneNode.leader(THREE);
    n1.command({ kind: 'removeServer', id: 'n3', previousIndex: 0 });
    n1.acknowledgeAll();
    n1.run(60);
    const [tellsCommit] = n1.take('append', 'n3');
    n1.propose('x');
    n1.acknowledge(tellsCommit!);
    expect(n1.take('append', 'n3')).toHaveLength(1);
    expect(n1.forgotten).toEqual(['n3']);
  });

  it('a change of address drops the connections to the old one', () => {
    const n1 = LoneNode.leader(THREE);
    n1.command({ ...N3, address: 'n3:2' });
    n1.answer(n1.take('prevote', 'n3')[0]!, ballot('n3', 'prevote', 2, false));
    expect(n1.forgotten).toEqual(['n3']);
    n1.propose('x');
    expect(n1.take('append', 'n3').at(-1)!.address).toBe('n3:2');
  });

  it('is rolled back with its entry', () => {
    const n1 = LoneNode.leader(THREE);
    const id = n1.command({ kind: 'removeServer', id: 'n3', previousIndex: 0 });
    n1.request(appendFrom('n2', { term: 3, prevLogIndex: 2, prevLogTerm: 2, entries: [noopEntry(3, 3)] }));
    expect(n1.status.configuration).toEqual({ index: 1, configuration: THREE });
    expect(n1.results.get(id)).toMatchObject({ kind: 'unknown', index: 3, term: 2 });
  });
});

describe('changes whose quorum is out of reach are refused', () => {
  /** A leader of three that has not heard n3 for longer than the lease. */
  function withoutN3(): LoneNode {
    const n1 = LoneNode.leader(THREE);
    n1.run(600, () => (n1.acknowledgeAll(['n3']), false));
    return n1;
  }

  it.each([
    ['removing a voter that answers, where a silent one would be needed', 'n2', 'refused'],
    ['removing the silent one', 'n3', undefined],
  ])('%s', (_, id, kind) => {
    const n1 = withoutN3();
    const result = n1.results.get(n1.command({ kind: 'removeServer', id, previousIndex: 0 }));
    expect(result?.kind).toBe(kind);
    if (result) expect(result).toMatchObject({ reason: 'not-caught-up', message: expect.stringContaining('n3') });
  });

  it('right after an election, too, when a silent voter has not been silent for long', () => {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE)]) });
    n1.elect();
    n1.acknowledgeAll(['n3']);
    const id = { kind: 'removeServer', id: 'n2', previousIndex: 0 } as const;
    expect(n1.results.get(n1.command(id))).toMatchObject({ kind: 'refused', reason: 'not-caught-up' });
  });

  it('removing itself, where a silent one would be needed', () => {
    const id = { kind: 'removeServer', id: 'n1', previousIndex: 0 } as const;
    const n1 = withoutN3();
    expect(n1.results.get(n1.command(id))).toMatchObject({ kind: 'refused', reason: 'not-caught-up' });
  });

  it('a nonvoter that lags is refused where the option says so', () => {
    const members = { servers: [...THREE.servers, nonvoter('n4')] };
    const n1 = LoneNode.leader(members, { raft: { requireCatchUp: true } });
    for (let i = 0; i < 130; i++) n1.propose('x');
    n1.acknowledgeAll(['n4']);
    const message = 'server n4 is more than 128 entries behind: until it has them it cannot help a quorum';
    const result = n1.results.get(n1.command({ ...N3, ...voter('n4') }));
    expect(result).toMatchObject({ kind: 'refused', reason: 'not-caught-up', message });
  });

  it('a nonvoter that lags is a voter once it has the log, and a further call goes on from there', () => {
    const members = { servers: [...THREE.servers, nonvoter('n4')] };
    const n1 = LoneNode.leader(members, { raft: { requestTimeoutMs: 300 } });
    for (let i = 0; i < 130; i++) n1.propose('x');
    n1.acknowledgeAll(['n4']);
    const id = n1.command({ ...N3, ...voter('n4') });
    n1.run(301, () => (n1.acknowledgeAll(['n4']), false));
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-caught-up' });
    expect(n1.status.configuration.configuration).toEqual(members);
    const again = n1.command({ ...N3, ...voter('n4') });
    n1.run(60, () => (n1.acknowledgeAll(), false));
    expect(n1.results.get(again)).toMatchObject({ kind: 'done' });
    expect(n1.status.configuration.configuration.servers).toContainEqual(voter('n4'));
  });

  it('a nonvoter with a short log is none either before it has told that it may vote', () => {
    const members = { servers: [voter('n1'), voter('n2'), nonvoter('n3')] };
    const n1 = LoneNode.leader(members);
    n1.run(60, () => (n1.acknowledgeAll(['n3']), false));
    // It has lost its store, and holds back what it accepts until it knows what it had promised (rule 9).
    n1.answer(n1.take('append', 'n3')[0]!, appendReply('n3', { term: 2, success: false, lastLog: 0 }));
    const id = n1.command(N3);
    n1.run(120, () => (n1.acknowledgeAll(['n3']), false));
    expect(n1.results.has(id)).toBe(false);
    expect(n1.status.configuration.configuration).toEqual(members);
    n1.run(120, () => (n1.acknowledgeAll(), false));
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
    expect(n1.status.configuration.configuration).toEqual(THREE);
  });

  it('nor one whose store was lost after it had told so', () => {
    const members = { servers: [voter('n1'), voter('n2'), nonvoter('n3')] };
    const n1 = LoneNode.leader(members);
    n1.run(200, () => (n1.acknowledgeAll(), false));
    n1.propose('x');
    n1.answer(n1.take('append', 'n3').at(-1)!, appendReply('n3', { term: 2, success: false, lastLog: 0 }));
    n1.acknowledgeAll(['n3']);
    const id = n1.command(N3);
    expect(n1.results.has(id)).toBe(false);
    expect(n1.status.configuration.configuration).toEqual(members);
    n1.run(300, () => (n1.acknowledgeAll(), false));
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
  });

  it('a nonvoter that has the log is a voter at once', () => {
    const n1 = LoneNode.leader({ servers: [voter('n1'), voter('n2'), nonvoter('n3')] });
    n1.run(200, () => (n1.acknowledgeAll(), false));
    const id = n1.command(N3);
    expect(n1.status.configuration.configuration).toEqual(THREE);
    n1.acknowledgeAll();
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
  });
});

describe('a leader that removes or demotes itself', () => {
  it.each(['removeServer', 'demoteVoter'] as const)(
    '%s: leads until that is committed without counting itself, then hands over',
    (kind) => {
      const n1 = LoneNode.leader(THREE);
      const id = n1.command({ kind, id: 'n1', previousIndex: 0 });
      n1.acknowledge(n1.take('append', 'n2')[0]!);
      expect(n1.status).toMatchObject({ role: 'leader', commitIndex: 2 });
      n1.acknowledge(n1.take('append', 'n3')[0]!);
      expect(n1.results.get(id)).toMatchObject({ kind: 'done', index: 3 });
      expect(n1.status.role).toBe('follower');
      expect(n1.take('timeoutNow')).toHaveLength(1);
      n1.run(10_000);
      expect(n1.sent.filter(({ request }) => request.kind !== 'append')).toEqual([]);
    },
  );
});

describe('staging', () => {
  /** Answers n3 as a server that has everything. */
  function catchUp(n1: LoneNode): void {
    n1.acknowledgeAll();
    n1.run(60);
    n1.acknowledgeAll();
  }

  it('a new voter joins as a nonvoter and is promoted once it has learned of a commit of this term', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2'));
    const id = n1.command(N3);
    expect(n1.status.configuration.configuration.servers.at(-1)).toEqual(nonvoter('n3'));
    n1.acknowledgeAll(['n3']);
    expect(n1.status.isConfigurationCommitted).toBe(true);
    expect(n1.results.has(id)).toBe(false);
    catchUp(n1);
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
    expect(n1.status.configuration.configuration).toEqual(THREE);
  });

  it('no other change meanwhile', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2'));
    n1.command(N3);
    n1.acknowledgeAll(['n3']);
    const id = n1.command({ kind: 'removeServer', id: 'n2', previousIndex: 0 });
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'change-in-progress' });
  });

  it('one that does not catch up in time stays a nonvoter, and the next change is possible', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2'), { raft: { requestTimeoutMs: 300 } });
    const id = n1.command(N3);
    n1.run(301, () => (n1.acknowledgeAll(['n3']), false));
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-caught-up' });
    expect(n1.results.has(n1.command({ kind: 'removeServer', id: 'n3', previousIndex: 0 }))).toBe(false);
  });

  it.each([
    ['one that gets ahead with a long log is waited for', 50, 'done', 3999],
    ['one that gets ahead too slowly is not waited for beyond four request timeouts', 10, 'refused', 4001],
  ])('%s', (_title, appendEntriesMax, kind, endsMs) => {
    const n1 = LoneNode.leader(voters('n1', 'n2'), { raft: { requestTimeoutMs: 1000, appendEntriesMax } });
    for (let entry = 0; entry < 400; entry += 1) {
      n1.propose('x');
      n1.acknowledgeAll();
    }
    const id = n1.command(N3);
    const beganMs = n1.nowMs;
    // Its log is empty, and what it is sent is on its way for long.
    n1.answer(n1.take('append', 'n3')[0]!, appendReply('n3', { term: 2, success: false, lastLog: 0 }));
    const underWay: OutboundRequest[] = [];
    let nextMs = beganMs + 200;
    n1.run(5000, () => {
      n1.acknowledgeAll(['n3']);
      underWay.push(...n1.take('append', 'n3'));
      if (n1.nowMs >= nextMs && underWay.length > 0) {
        n1.acknowledge(underWay.shift()!);
        nextMs = n1.nowMs + 200;
      }
      return n1.results.has(id);
    });
    expect(n1.results.get(id)).toMatchObject({ kind });
    expect(n1.nowMs - beganMs).toBeGreaterThan(1000);
    expect(n1.nowMs - beganMs).toBeLessThanOrEqual(endsMs);
  });

  it('one whose address is another server’s is taken out again, and that server can be looked for there', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2'));
    const id = n1.command({ ...N3, address: 'n2:2' });
    const [asked] = n1.take('append', 'n3');
    n1.answer(asked!, appendReply('n2', { term: 2, success: false }));
    // Not before the change that added it is committed: one at a time.
    expect(n1.status.configuration.configuration.servers).toContainEqual({ ...nonvoter('n3'), address: 'n2:2' });
    n1.acknowledgeAll(['n3']);
    const message = expect.stringMatching(/server n3 is not at n2:2: server n2 answered there/) as string;
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'unreachable', message });
    n1.acknowledgeAll();
    expect(n1.status.configuration.configuration).toEqual(voters('n1', 'n2'));
    const moved = n1.command({ kind: 'addServer', ...voter('n2'), address: 'n2:2', previousIndex: 0 });
    n1.answer(n1.take('prevote')[0]!, ballot('n2', 'prevote', 2, false));
    n1.acknowledgeAll();
    expect(n1.results.get(moved)).toMatchObject({ kind: 'done' });
  });

  it('a nonvoter that has moved becomes a voter at its new address, in two steps', () => {
    const n1 = LoneNode.leader({ servers: [voter('n1'), nonvoter('n2')] });
    const id = n1.command({ kind: 'addServer', ...voter('n2'), address: 'n2:2', previousIndex: 0 });
    n1.answer(n1.take('prevote')[0]!, ballot('n2', 'prevote', 2, false));
    expect(n1.status.configuration.configuration.servers).toContainEqual({ ...nonvoter('n2'), address: 'n2:2' });
    n1.run(60, () => (n1.acknowledgeAll(), false));
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
    expect(n1.status.configuration.configuration.servers).toContainEqual({ ...voter('n2'), address: 'n2:2' });
  });

  it('is not one by what was said at its old address', () => {
    const n1 = LoneNode.leader({ servers: [voter('n1'), nonvoter('n2')] });
    n1.run(600, () => (n1.acknowledgeAll(), false));
    const id = n1.command({ kind: 'addServer', ...voter('n2'), address: 'n2:2', previousIndex: 0 });
    n1.answer(n1.take('prevote')[0]!, ballot('n2', 'prevote', 2, false));
    n1.run(5000);
    expect(n1.status.role).toBe('leader');
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-caught-up' });
    expect(n1.status.configuration.configuration.servers).toContainEqual({ ...nonvoter('n2'), address: 'n2:2' });
  });

  it('one in whose place somebody else answered only at first becomes a voter', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n4'));
    const id = n1.command(N3);
    n1.answer(n1.take('append', 'n3')[0]!, appendReply('old', { term: 2, success: false }));
    const answerAs3 = (): void => n1.take('append', 'n3').forEach((message) => n1.acknowledge(message));
    n1.run(200, () => (answerAs3(), false));
    n1.acknowledgeAll();
    n1.run(200, () => (n1.acknowledgeAll(), false));
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
    expect(n1.status.configuration.configuration.servers).toContainEqual(voter('n3'));
  });

  it('is unknown when leadership is lost', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2'));
    const id = n1.command(N3);
    n1.request(heartbeatFrom('n2', 3));
    expect(n1.results.get(id)).toMatchObject({ kind: 'unknown' });
  });

  it('can be turned off: the voter is in force at once', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2'), { raft: { stageVoters: false } });
    const id = n1.command(N3);
    expect(n1.status.configuration.configuration).toEqual(THREE);
    const [message] = n1.take('append', 'n3');
    n1.answer(message!, appendReply('n3', { term: 2, success: false }));
    n1.acknowledgeAll(['n3']);
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
  });
});
