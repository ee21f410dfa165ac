import { expect, test } from 'vitest';
import type { ConductorEvent } from '#conductor/core/events';
import type { NodeRequest } from '#conductor/core/node/calls';
import type { OutboundRequest } from '#conductor/core/ports';
import type { Machine } from '../machine.ts';
import type { Oracle } from './oracle.ts';
import { ratesAreBounded } from './rate-laws.ts';

function judging() {
  const complaints: string[] = [];
  const oracle = ratesAreBounded(
    (message) => void complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  const servers: { id: string }[] = [{ id: 's1' }];
  const conductor = { status: () => ({ role: 'leader', configuration: { configuration: { servers } } }) };
  const machine = { id: 's0', worldMs: 0, conductor } as unknown as Machine & { worldMs: number };
  let requestId = 0;
  /** An append, and what comes of it. */
  const append = (ending: 'response' | 'failed'): void => {
    const request = { kind: 'append', term: 1, prevLogIndex: 1, prevLogTerm: 1, leaderCommit: 1, entries: [{}] };
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

test('a node is asked the same so many times in a second, and again in the next', () => {
  const { complaints, oracle, machine } = judging();
  const ask = (): void => oracle.asked(machine, { target: 'node', method: 'optimism_syncStatus' } as NodeRequest);
  for (let second = 0; second < 3; second++) {
    machine.worldMs = second * 1000;
    for (let times = 0; times < 250; times++) ask();
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
