import { expect, test } from 'vitest';
import type { NodeRequest } from '#conductor/core/node/calls';
import type { OutboundRequest } from '#conductor/core/ports';
import type { Machine } from '../machine.ts';
import type { Oracle } from './oracle.ts';
import { ratesAreBounded } from './rate-laws.ts';

const machine = { id: 's0', worldMs: 0 } as Machine & { worldMs: number };

function judging(): { readonly complaints: string[]; readonly oracle: Required<Oracle> } {
  const complaints: string[] = [];
  return {
    complaints,
    oracle: ratesAreBounded(
      (message) => void complaints.push(message),
      () => undefined,
    ) as Required<Oracle>,
  };
}

const append = (prevLogIndex: number): OutboundRequest =>
  ({
    peerId: 's1',
    request: { kind: 'append', term: 1, prevLogIndex, prevLogTerm: 1, leaderCommit: 1, entries: [{}] },
  }) as unknown as OutboundRequest;

test('what brings new entries may come as fast as they do; the same again may not', () => {
  const { complaints, oracle } = judging();
  for (let index = 1; index < 1000; index++) oracle.sent(machine, append(index));
  expect(complaints).toEqual([]);
  for (let times = 0; times < 101; times++) oracle.sent(machine, append(1000));
  expect(complaints).toEqual([]);
  oracle.sent(machine, append(1000));
  expect(complaints[0]).toMatch(/again from s0 to s1: more than 100 times/);
});

test('a node is asked the same so many times in a second, and again in the next', () => {
  const { complaints, oracle } = judging();
  const ask = (): void => oracle.asked(machine, { target: 'node', method: 'optimism_syncStatus' } as NodeRequest);
  for (let second = 0; second < 3; second++) {
    machine.worldMs = second * 1000;
    for (let times = 0; times < 250; times++) ask();
  }
  expect(complaints).toEqual([]);
  ask();
  expect(complaints[0]).toMatch(/optimism_syncStatus of node by s0/);
});
