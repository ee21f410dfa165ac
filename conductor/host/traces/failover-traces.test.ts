/** The events of a failover, as a conductor publishes them, and the trace that they make. */
import { beforeEach, expect, test } from 'vitest';
import type { FinishedTrace } from '#conductor/adapters/tracing/finished-trace';
import type { PublishedEvent } from '#conductor/core/published-event';
import { FailoverTraces } from './failover-traces.ts';

let nowMs = 0;
let told: FinishedTrace[] = [];
let traces: FailoverTraces;
beforeEach(() => {
  told = [];
  traces = new FailoverTraces({ serverId: 'n2', sink: { emit: (one) => void told.push(one) }, nowMs: () => nowMs });
});

function at(ms: number, event: PublishedEvent): void {
  nowMs = ms;
  traces.published(event);
}

const leader = (id: string | null, term: number): PublishedEvent => ({ kind: 'leader', leader: id, term });
const role = (name: string, term: number, reason: string): PublishedEvent => ({
  kind: 'role',
  role: name,
  term,
  reason,
});
const commit: PublishedEvent = { kind: 'commit', number: 9, hash: '0x9', timestamp: 1, blocks: 1 };
const rows = ({ root }: FinishedTrace): string[] =>
  [root, ...root.children].map(({ name, beganMs, endedMs }) => `${name} ${beganMs}-${endedMs}`);

function takeOver(): void {
  at(0, leader('n1', 1));
  at(100, leader(null, 1));
  at(101, role('candidate', 2, 'the leader is gone'));
  at(110, role('leader', 2, 'elected'));
  at(110, leader('n2', 2));
}

test('a failover: from the loss of the leader to the first block of the new one', () => {
  takeOver();
  at(111, commit); // What the old leader had left.
  at(115, { kind: 'confirmed', confirmed: true, message: '' });
  at(130, { kind: 'order', order: 'start', target: '', payloads: 3 });
  at(140, { kind: 'orderDone', order: 'start', done: true, message: '', ms: 10 });
  expect(told).toEqual([]);
  at(900, commit);
  expect(told.length).toBe(1);
  expect(rows(told[0]!)).toEqual([
    ...['failover 100-900', 'elect 100-110', 'confirm 110-115', 'catch up 115-130', 'start sequencer 130-140'],
    'first block 140-900',
  ]);
  const { root } = told[0]!;
  expect(root.error).toBe(null);
  expect(root.attributes).toEqual({ 'conductor.server': 'n2', 'raft.term': 2 });
  expect(root.children[0]!.attributes['raft.reason']).toBe('the leader is gone');
  expect(root.children[2]!.attributes).toEqual({ 'conductor.payloads': 3 });
  at(1900, commit);
  expect(told.length).toBe(1);
});

test('a start that fails is a phase with its reason, and the next try another', () => {
  takeOver();
  at(115, { kind: 'confirmed', confirmed: true, message: '' });
  for (const done of [false, true]) {
    at(nowMs + 5, { kind: 'order', order: 'start', target: '', payloads: 0 });
    at(nowMs + 5, { kind: 'orderDone', order: 'start', done, message: done ? '' : 'hash does not match', ms: 5 });
  }
  at(900, commit);
  const starts = told[0]!.root.children.filter(({ name }) => name === 'start sequencer');
  expect(starts.map(({ error }) => error)).toEqual(['hash does not match', null]);
});

test('a leader whose node builds already is over with its first block', () => {
  takeOver();
  at(115, { kind: 'confirmed', confirmed: true, message: '' });
  at(300, commit);
  expect(rows(told[0]!).at(-1)).toBe('first block 115-300');
});

test('a leadership that is lost before a block ends the trace with the reason', () => {
  takeOver();
  at(400, role('follower', 3, 'a higher term'));
  expect(told[0]!.root.error).toBe('leadership was lost: a higher term');
});

test('an election that another wins leaves no trace, and does not count for the next', () => {
  at(0, leader('n1', 1));
  at(100, leader(null, 1));
  at(101, role('candidate', 2, 'no word of a leader'));
  at(120, role('follower', 2, 'another leads'));
  at(120, leader('n3', 2));
  expect(told).toEqual([]);
  at(500, leader(null, 2));
  at(510, role('leader', 3, 'elected'));
  at(511, role('follower', 4, 'a higher term'));
  expect(told[0]!.root.beganMs).toBe(500);
});

test('a handover: stop, transfer, and who leads then', () => {
  at(0, role('leader', 1, 'elected'));
  at(1, commit);
  told = [];
  at(100, { kind: 'order', order: 'stop', target: '', payloads: 0 });
  at(110, { kind: 'orderDone', order: 'stop', done: true, message: '', ms: 10 });
  at(111, { kind: 'order', order: 'transfer', target: 'n3', payloads: 0 });
  at(130, { kind: 'orderDone', order: 'transfer', done: true, message: '', ms: 19 });
  at(131, role('follower', 2, 'a higher term'));
  at(140, leader('n3', 2));
  const handover = told.find(({ root }) => root.name === 'handover')!;
  expect(rows(handover)).toEqual(['handover 100-140', 'stop 100-110', 'transfer 111-130', 'new leader 130-140']);
  expect(handover.root.attributes).toEqual({ 'conductor.server': 'n2', 'raft.leader': 'n3', 'raft.term': 2 });
});

test('a sequencer that is stopped after an operator’s transfer: the trace ends with the stop, whoever leads meanwhile', () => {
  at(0, role('leader', 1, 'elected'));
  at(90, role('follower', 2, 'a higher term'));
  told = [];
  at(100, { kind: 'order', order: 'stop', target: '', payloads: 0 });
  at(105, leader('n3', 2));
  expect(told).toEqual([]);
  at(110, { kind: 'orderDone', order: 'stop', done: true, message: '', ms: 10 });
  expect(rows(told[0]!)).toEqual(['handover 100-110', 'stop 100-110']);
  expect(told[0]!.root.attributes).toMatchObject({ 'raft.leader': 'n3', 'raft.term': 2 });
});

test('a sequencer that is stopped and started again by the same leader was not handed over', () => {
  at(0, role('leader', 1, 'elected'));
  at(100, { kind: 'order', order: 'stop', target: '', payloads: 0 });
  at(110, { kind: 'orderDone', order: 'stop', done: true, message: '', ms: 10 });
  at(500, { kind: 'order', order: 'start', target: '', payloads: 0 });
  expect(told.map(({ root }) => [root.name, root.error])).toEqual([['handover', 'the lead was kept']]);
});

test('a transfer that fails ends the trace with its reason; the end of the process ends what is left', () => {
  at(0, role('leader', 1, 'elected'));
  at(100, { kind: 'order', order: 'transfer', target: 'n3', payloads: 0 });
  at(130, { kind: 'orderDone', order: 'transfer', done: false, message: 'no answer', ms: 30 });
  expect(told.map(({ root }) => [root.name, root.error])).toEqual([['handover', 'no answer']]);
  traces.end();
  expect(told.at(-1)!.root).toMatchObject({ name: 'failover', error: 'the process ended' });
});
