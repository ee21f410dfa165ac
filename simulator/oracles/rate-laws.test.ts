import { expect, test } from 'vitest';
import type { ConductorEvent } from '#conductor/core/events';
import type { NodeRequest } from '#conductor/core/node/calls';
import type { OutboundRequest } from '#conductor/core/ports';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Machine } from '../machine.ts';
import type { Oracle } from './oracle.ts';
import type { World } from '../world.ts';
import { ratesAreBounded } from './rate-laws.ts';

function judging() {
  const complaints: string[] = [];
  const oracle = ratesAreBounded(
    (message) => void complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  const servers: { id: string }[] = [{ id: 's1' }];
  const conductor = { position: () => ({ role: 'leader', configuration: { configuration: { servers } } }) };
  const machine = { id: 's0', worldMs: 0, conductor } as unknown as Machine & { worldMs: number };
  let requestId = 0;
  /** An append, and what comes of it. */
  const append = (ending: 'response' | 'failed', prevLogIndex = 1): void => {
    const request = { kind: 'append', term: 1, prevLogIndex, prevLogTerm: 1, leaderCommit: 1, entries: [{}] };
    oracle.sent(machine, { peerId: 's1', requestId: ++requestId, request } as unknown as OutboundRequest);
    oracle.handled(machine, { kind: ending, requestId } as unknown as ConductorEvent);
  };
  return { complaints, oracle, machine, append, servers };
}

test('appends that are answered may be as many as there are; those that fail have pauses', () => {
  const { complaints, append } = judging();
  for (let times = 0; times < 1000; times++) append('response');
  for (let times = 0; times < 60; times++) append('failed');
  expect(complaints).toEqual([]);
  append('failed');
  expect(complaints[0]).toBe('failed append from s0 to s1: more than 60 times within a second');
});

test('where two logs part is not looked for entry by entry', () => {
  const byLongerSteps = judging();
  for (const index of [50, 49, 47, 43, 43, 35, 34, 33, 33, 32]) byLongerSteps.append('response', index);
  expect(byLongerSteps.complaints).toEqual([]);
  const oneByOne = judging();
  for (const index of [50, 49, 48, 47, 46]) oneByOne.append('response', index);
  expect(oneByOne.complaints).toEqual(['append from s0 to s1: 4 in a row go back by one entry']);
  const toOpConductor = judging();
  toOpConductor.oracle.watch({ machines: [{ id: 's1', isOpConductor: true }] } as unknown as World);
  for (const index of [50, 49, 48, 47, 46]) toOpConductor.append('response', index);
  expect(toOpConductor.complaints).toEqual([]);
});

test('a node is asked the same so many times in a second, and again in the next', () => {
  const { complaints, oracle, machine } = judging();
  const ask = (): void => oracle.asked(machine, { target: 'node', method: 'optimism_syncStatus' } as NodeRequest);
  for (let second = 0; second < 3; second++) {
    machine.worldMs = second * 1000;
    for (let times = 0; times < 320; times++) ask();
  }
  expect(complaints).toEqual([]);
  ask();
  expect(complaints[0]).toMatch(/optimism_syncStatus of node by s0/);
});

test('elections do not come one upon the other', () => {
  const { complaints, oracle, machine } = judging();
  const ask = { peerId: 's1', requestId: 1, request: { kind: 'vote' } } as unknown as OutboundRequest;
  for (let times = 0; times < 41; times++) oracle.sent(machine, ask);
  expect(complaints).toEqual(['vote from s0 to s1: more than 40 times within a second']);
});

test('who has left is let be after a while', () => {
  const { complaints, machine, append, servers } = judging();
  append('response');
  servers.pop();
  machine.worldMs = 20_000;
  append('response');
  expect(complaints).toEqual([]);
  machine.worldMs = 20_001;
  append('response');
  expect(complaints[0]).toMatch(/s1, which is no member any more/);
});

test.each([
  ['soon', 300, 100, 0, 'leader', {}],
  ['late', 301, 100, 1, 'leader', {}],
  ['late by a process that stood still', 301, 301, 0, 'leader', {}],
  ['late by one that leads no longer', 301, 100, 0, 'follower', {}],
  ['late, where it had refused', 301, 100, 0, 'leader', { success: false }],
  ['late, where somebody else had answered', 301, 100, 0, 'leader', { id: 's2' }],
  ['late, where the answer was of an earlier term', 301, 100, 0, 'leader', { term: 1 }],
  ['late, where it was removed meanwhile', 301, 100, 0, 'leader', { isRemoved: true }],
] as const)('a follower whose connection broke is tried again %s', (_, againMs, stepMs, count, role, more) => {
  const { complaints, oracle, machine, servers } = judging();
  const clock = machine as unknown as { nowMs: number };
  clock.nowMs = 0;
  let requestId = 0;
  const request = { kind: 'append', term: 2, prevLogIndex: 0, prevLogTerm: 0, leaderCommit: 0, entries: null };
  const send = (): number => {
    oracle.sent(machine, { peerId: 's1', requestId: ++requestId, request } as unknown as OutboundRequest);
    return requestId;
  };
  const end = (kind: 'response' | 'failed', id: number): void => {
    const response = { kind: 'append', id: 's1', term: 2, success: true, ...more };
    oracle.handled(machine, { kind, requestId: id, response } as unknown as ConductorEvent);
  };
  const turn = (): void => oracle.observed(machine, { role } as unknown as RaftPosition);
  end('response', send());
  for (const id of [send(), send()]) end('failed', id);
  if ('isRemoved' in more) servers.pop();
  for (; clock.nowMs < againMs; clock.nowMs = Math.min(againMs, clock.nowMs + stepMs)) turn();
  turn();
  end('failed', send());
  const late = 'heartbeat from s0 to s1: none for 301 ms after the first that failed';
  expect(complaints).toEqual(count > 0 ? [late] : []);
  clock.nowMs += 10_000;
  send();
  expect(complaints).toHaveLength(count);
});
