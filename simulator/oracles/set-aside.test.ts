import { expect, test } from 'vitest';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import { SetAside } from './set-aside.ts';

/** Two servers of which the first leads; `call` hands one a call, `starts` starts its process anew. */
function asideOf() {
  const aside = new SetAside();
  const machines = ['leader', 'follower'].map((role) => ({
    isStartedPaused: false,
    conductor: { position: () => ({ role, term: 2 }) },
    node: { isUnconducted: false },
  })) as unknown as [Machine, Machine];
  const call = (machine: Machine, method: string, ...values: unknown[]): void =>
    aside.handled(machine, { kind: 'rpc', method, values } as never);
  return { aside, machines, call, isLeftToOperators: () => aside.isLeftToOperators({ machines } as unknown as World) };
}

test('whoever is paused, stopped, overridden or told to end is set aside, until it is resumed or started', () => {
  const { aside, machines, call } = asideOf();
  const [leader, follower] = machines;
  for (const method of ['conductor_pause', 'conductor_stop']) {
    call(follower, method);
    expect(aside.has(follower), method).toBe(true);
    call(follower, 'conductor_resume');
    expect(aside.has(follower)).toBe(false);
  }
  aside.handled(follower, { kind: 'drain', reason: 'SIGTERM' });
  expect([aside.has(leader), aside.has(follower)]).toEqual([false, true]);
  aside.started(follower);
  expect(aside.has(follower)).toBe(false);
});

test('an override of the leader makes the chain the operator’s, that of a follower does not', () => {
  const { aside, machines, call, isLeftToOperators } = asideOf();
  const [leader, follower] = machines;
  call(follower, 'conductor_overrideLeader', true);
  expect([aside.has(follower), isLeftToOperators()]).toEqual([true, false]);
  call(leader, 'conductor_overrideLeader', true);
  expect(isLeftToOperators()).toBe(true);
  call(leader, 'conductor_overrideLeader', false);
  expect([aside.has(leader), isLeftToOperators()]).toEqual([false, false]);
});

test('so does a sequencer that runs without its conductor', () => {
  const { machines, isLeftToOperators } = asideOf();
  machines[1].node.isUnconducted = true;
  expect(isLeftToOperators()).toBe(true);
});
