import { expect, test } from 'vitest';
import type { Outcome } from '#conductor/core/rpc/message';
import { proxiesWaitingMax } from '#conductor/core/rpc/proxy';
import type { Machine } from '../machine.ts';
import { noNodeTroubles } from '../node-troubles.ts';
import type { Call } from '../observer.ts';
import type { World } from '../world.ts';
import type { Oracle } from './oracle.ts';
import { proxiedByLeaders, proxiedIsServed } from './proxy-laws.ts';

const served: Outcome = { kind: 'result', json: 'null' };
const full: Outcome = { kind: 'error', code: -32000, message: '96 proxied calls already wait for the backend' };
const silent: Outcome = { kind: 'error', code: -32000, message: 'no answer' };

/** A leader of which nothing is wrong; the test sets what is. */
function judging() {
  const complaints: string[] = [];
  const time = { nowMs: 0 };
  const position = { role: 'leader', isSure: true, term: 2 };
  const node = {
    isUp: true,
    faults: noNodeTroubles(),
    l1: { forkedFrom: null, seen: Infinity },
    client: { isHonest: true, isSyncing: false, needsRestart: false, faults: {} },
  };
  const machine = {
    id: 's0',
    index: 0,
    node,
    conductor: { position: () => ({ ...position }) },
    get worldMs() {
      return time.nowMs;
    },
  } as unknown as Machine;
  const oracle = proxiedIsServed(
    (message) => void complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  oracle.watch({ spoiled: { isSpoiling: () => false } } as unknown as World);
  const call = (method: Call['method'] = 'optimism_syncStatus') => {
    const made: Call = { method, values: [], sinceMs: time.nowMs };
    oracle.called(machine, made);
    return (outcome: Outcome): readonly string[] => {
      oracle.answered(machine, made, outcome);
      return complaints;
    };
  };
  return { complaints, time, position, node, machine, oracle, call };
}

test('who is turned away has as many others before it as may wait, for the same backend', () => {
  const { call, node, complaints } = judging();
  node.isUp = false;
  const before = Array.from({ length: proxiesWaitingMax }, () => call());
  expect(call()(full)).toEqual([]);
  expect(call('eth_getBlockByNumber')(full)).toEqual([
    's0 turns eth_getBlockByNumber away beside 0 others: 96 proxied calls already wait for the backend',
  ]);
  before[0]!(silent);
  call()(full);
  expect(complaints).toHaveLength(2);
});

test('those of a process that is gone do not wait any more', () => {
  const { call, node, oracle, machine } = judging();
  node.isUp = false;
  for (let count = 0; count < proxiesWaitingMax; count++) call();
  oracle.ended(machine);
  expect(call()(full)).toHaveLength(1);
});

test('a leader that is well has an answer', () => {
  const { call } = judging();
  expect(call()(served)).toEqual([]);
  expect(call()(silent)).toEqual([
    's0 leads, its node and its client are well, and it answers optimism_syncStatus: no answer',
  ]);
});

test.each<[string, (judged: ReturnType<typeof judging>) => void]>([
  ['follows', ({ position }) => (position.role = 'follower')],
  ['is in doubt', ({ position }) => (position.isSure = false)],
  ['leads another term', ({ position }) => (position.term = 3)],
  ['has a node that is down', ({ node }) => (node.isUp = false)],
  ['has a slow node', ({ node }) => (node.faults.slowMs = 100)],
  ['was long at it', ({ time }) => (time.nowMs += 300)],
])('one that %s when it answers may have none', (_, change) => {
  const judged = judging();
  const answer = judged.call();
  change(judged);
  expect(answer(silent)).toEqual([]);
});

test('other calls are not judged', () => {
  expect(judging().call('conductor_pause')(silent)).toEqual([]);
});

/** s0 leads term 2, and s1 perhaps term 3 from 1 s on; at `askedAtMs` s0 is asked, and its role is `role` then. */
function passedOnBy(role: string, { method = 'optimism_syncStatus', askedAtMs = 4000, isFollowed = false } = {}) {
  const complaints: string[] = [];
  const oracle = proxiedByLeaders(
    (message) => void complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  const [s0, s1] = [
    { id: 's0', worldMs: 0, conductor: { position: () => ({ role, term: 2 }) } },
    { id: 's1', worldMs: 1000 },
  ] as unknown as [Machine, Machine];
  const call = (name: string): Call => ({ method: name as Call['method'], values: [], sinceMs: askedAtMs });
  oracle.observed(s0, { role, term: 2 } as never);
  if (isFollowed) oracle.observed(s1, { role: 'leader', term: 3 } as never);
  return {
    override: () => oracle.called(s0, call('conductor_overrideLeader')),
    observed: (next: string) => oracle.observed(s0, { role: next, term: 2 } as never),
    answers: (outcome: Outcome = served) => {
      oracle.answered(s0, call(method), outcome);
      return complaints;
    },
  };
}

test('what a follower passes on breaks it, what it refuses does not', () => {
  expect(passedOnBy('leader').answers()).toEqual([]);
  expect(passedOnBy('follower').answers(silent)).toEqual([]);
  expect(passedOnBy('follower').answers()).toEqual(['s0 does not lead, and passes optimism_syncStatus on']);
});

test('whoever is overridden passes on what it is asked for, and everybody the limits of blocks', () => {
  expect(passedOnBy('follower', { method: 'miner_setMaxDASize' }).answers()).toEqual([]);
  expect(passedOnBy('follower', { method: 'conductor_pause' }).answers()).toEqual([]);
  const { override, answers } = passedOnBy('follower');
  override();
  expect(answers()).toEqual([]);
});

test('a leader that is deposed in the turn in which it answers may have decided before', () => {
  const { observed, answers } = passedOnBy('follower');
  observed('leader');
  expect(answers()).toEqual([]);
});

test('one whom another has followed passes nothing on when a lease has passed', () => {
  expect(passedOnBy('leader', { isFollowed: true, askedAtMs: 3500 }).answers()).toEqual([]);
  expect(passedOnBy('leader', { isFollowed: true, askedAtMs: 3501 }).answers()).toEqual([
    's0 passes optimism_syncStatus on in term 2, and s1 has led term 3 since 1000',
  ]);
});
