/** What the page on security says of a raft port without mutual TLS, each cell of the table tried on real servers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LoneNode } from '#conductor/core/raft/testing/lone-node';
import {
  appendFrom,
  appendReply,
  ballot,
  commandEntry,
  configurationEntry,
  header,
  heartbeatFrom,
  noopEntry,
  preVoteFrom,
  snapshotFrom,
  statusOf,
  storeWith,
  timeoutNowFrom,
  voteFrom,
  voters,
} from '#conductor/core/raft/testing/messages';
import type { RpcRequest, RpcResponse } from '#conductor/core/raft/types';

const page = readFileSync(join(import.meta.dirname, '../../content/pages/conductor/securing.mdx'), 'utf8');
const [, table = ''] = /^\| Sent to a raft port .*\n\| --- .*\n((?:\|.*\n)+)/m.exec(page) ?? [];
const rows = table
  .trim()
  .split('\n')
  .map(
    (line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()) as [string, string, string],
  );

const THREE = voters('n1', 'n2', 'n3');
/** Of a server n1 that has entry 2 committed and entry 3 not. */
const TERM = 3;
const LOG = [configurationEntry(1, 1, THREE), commandEntry(2, 1), commandEntry(3, TERM)];
const ASKS = { configuration: new Uint8Array(0) };

type Sender = (id: string, term?: number) => RpcRequest;

const heartbeat: Sender = (id, term = TERM + 1) => heartbeatFrom(id, term);
const append: Sender = (id, term = TERM + 1) =>
  appendFrom(id, { term, prevLogIndex: 2, prevLogTerm: 1, entries: [noopEntry(3, term)], leaderCommit: 3 });
const snapshot: Sender = (id, term = TERM + 1) =>
  snapshotFrom(id, { term, index: 9, lastTerm: term, configuration: THREE });
const vote: Sender = (id, term = TERM + 1) => voteFrom(id, term, 99, term);
/** Of the leader that a follower of n2 hears. */
const ofLeader: Sender = (id) => vote(id);
const handOver: Sender = (id, term = TERM + 1) => voteFrom(id, term, 99, term, true);
const preVote: Sender = (id, term = TERM + 1) => ({ ...preVoteFrom(id, term, 99, term), ...ASKS });
const news: Sender = (id) => ({ ...appendFrom(id, { term: 0, entries: null }), peerStatus: statusOf() });
const block: Sender = (id) => ({ ...header(id), kind: 'validate', term: TERM, payload: new Uint8Array(600) });
const timeoutNow: Sender = (id) => timeoutNowFrom(id);

const FORGED_TERM = 1e6;
const far = (send: Sender): Sender => {
  return (id) => send(id, FORGED_TERM);
};
const own = (send: Sender): Sender => {
  return () => send('n1');
};

/** Row → the requests it speaks of. */
const senders: Readonly<Record<string, readonly Sender[]>> = {
  Heartbeat: [heartbeat],
  Append: [append],
  Snapshot: [snapshot],
  'Vote request': [vote],
  'Vote request with the leader’s id and address': [ofLeader],
  'Vote request that claims a leadership transfer': [handOver],
  'Pre-vote request': [preVote],
  'Append of term 0 with peer status': [news],
  'Question about a block': [block],
  TimeoutNow: [timeoutNow],
  'Any of them in a term that no elections explain': [heartbeat, append, snapshot, handOver].map(far),
  'A term above 2^40, to a member that runs op-conductor': [heartbeat].map((send) => (id: string) => send(id, 2 ** 52)),
  'Any of them with the receiver’s own id': [heartbeat, append, snapshot, vote, handOver, preVote, timeoutNow].map(own),
};

function follower(hears: string | null): LoneNode {
  const n1 = new LoneNode({ store: storeWith(LOG, { term: TERM }) });
  if (hears !== null) n1.request(appendFrom(hears, { term: TERM, prevLogIndex: 2, prevLogTerm: 1, leaderCommit: 2 }));
  return n1;
}

function leader(): LoneNode {
  return LoneNode.leader(THREE, { store: storeWith(LOG, { term: TERM - 1 }) });
}

/** The answer to a request, and what the server was and is. */
function sent(to: LoneNode, request: RpcRequest) {
  const before = { status: to.status, hard: to.store.load().hardState, writes: to.store.writes };
  const answer: RpcResponse | undefined = to.request(request);
  return { before, answer, after: to.status, hard: to.store.load().hardState, writes: to.store.writes, node: to };
}

function hasTerm(request: RpcRequest): request is Extract<RpcRequest, { term: number }> {
  return request.kind !== 'timeoutNow';
}

function alarmIs(kind: string): (request: RpcRequest) => void {
  return (request) => {
    const isTaken = hasTerm(request) && request.term > 2 ** 40;
    const node = isTaken ? beside(request) : sent(follower('n3'), request).node;
    expect(node.notices.flatMap((notice) => (notice.kind === 'alarm' ? [notice.alarm] : []))).toEqual([kind]);
  };
}

/** A leader whose member n3, an op-conductor, has taken the term of a request, and answers in it. */
function beside({ term }: Extract<RpcRequest, { term: number }>): LoneNode {
  const n1 = leader();
  for (let each = 0; each < 20; each++) {
    n1.run(50);
    for (const message of n1.sent.splice(0)) {
      if (message.peerId === 'n2') n1.acknowledge(message);
      else if (message.request.kind === 'prevote') n1.answer(message, ballot('n3', 'prevote', term, false));
      else n1.answer(message, appendReply('n3', { term, success: false }));
    }
  }
  return n1;
}

/** What a cell says → what must be so. */
const effects: Readonly<Record<string, (request: RpcRequest) => void>> = {
  'nothing changes': (request) => {
    for (const node of [follower('n3'), follower(null), leader()]) {
      const { before, after, hard, writes } = sent(node, request);
      expect({ after, hard, writes }).toEqual({ after: before.status, hard: before.hard, writes: before.writes });
      node.take('append');
      node.take('heartbeat');
      // Questions to the members, which ask for no vote.
      expect(node.take('prevote').every(({ request: asked }) => 'term' in asked && asked.term === 1)).toBe(true);
      expect(node.sent).toEqual([]);
    }
  },
  'alarm `stranger`': alarmIs('stranger'),
  'alarm `term-jump`': alarmIs('term-jump'),
  'alarm `own-name`': alarmIs('own-name'),
  'a follower follows it': (request) => expect(sent(follower('n3'), request).after.leaderId).toBe('n2'),
  'a leader steps down': (request) => expect(sent(leader(), request).after.role).toBe('follower'),
  'entries not committed are replaced': (request) =>
    expect(sent(follower('n3'), request).node.machine.known.get(3)?.term).toBe(TERM + 1),
  'the other members go on without it': (request) =>
    expect(hasTerm(request) && beside(request).status).toMatchObject({ role: 'leader', term: TERM }),
  'a leader asks that member over its own connection': (request) => {
    const n1 = new LoneNode({ store: storeWith(LOG, { term: TERM - 1 }) });
    n1.elect();
    for (const message of n1.take('append')) n1.acknowledge(message, statusOf());
    n1.sent = [];
    const { after, before } = sent(n1, request);
    expect(after).toEqual(before.status);
    expect(n1.sent.map(({ address }) => address)).toEqual(['n2:1']);
  },
  'with the leader’s id, a follower’s execution client executes it': (request) => {
    const executed = (node: LoneNode) => node.notices.filter(({ kind }) => kind === 'verdictAsked').length;
    expect([follower('n3'), follower('n2')].map((node) => executed(sent(node, request).node))).toEqual([0, 1]);
  },
  'the state is replaced': (request) => expect(sent(follower('n3'), request).after.snapshotIndex).toBe(9),
  'without a leader, the vote of that term is used up': (request) => {
    const { before, after, hard } = sent(follower('n3'), request);
    expect({ after, hard }).toEqual({ after: before.status, hard: before.hard });
    effects['the vote of that term is used up']!(request);
  },
  'a follower no longer follows its leader': (request) =>
    expect(sent(follower('n2'), request).after).toMatchObject({ leaderId: null, term: TERM + 1 }),
  'the vote of that term is used up': (request) =>
    expect(sent(follower(null), request).hard).toMatchObject({ votedTerm: TERM + 1, votedFor: { id: 'n2' } }),
  'the answer has the term': (request) => expect(sent(follower('n3'), request).answer).toMatchObject({ term: TERM }),
  'the answer has the membership': (request) =>
    expect(sent(follower('n3'), request).answer).toHaveProperty('configuration'),
  'the server starts an election at once': (request) =>
    expect(sent(follower('n2'), request).node.take('vote')).toHaveLength(2),
};

test('the table speaks of every kind of request', () => {
  expect(rows.map(([row]) => row)).toEqual(Object.keys(senders));
});

const cells = rows.flatMap(([row, stranger, member]) => [
  { row, id: 'n9', cell: stranger },
  { row, id: 'n2', cell: member },
]);

test.each(cells)('$row, with the id $id: $cell', ({ row, id, cell }) => {
  for (const effect of cell.split('; ')) {
    const check = effects[effect];
    expect(check, `"${effect}" is tried by nobody`).toBeDefined();
    for (const send of senders[row] ?? []) check?.(send(id));
  }
});

test('a server whose store is still empty follows anybody', () => {
  const n1 = new LoneNode();
  n1.request(heartbeatFrom('n9', 5));
  expect(n1.status).toMatchObject({ term: 5, leaderId: 'n9' });
});
