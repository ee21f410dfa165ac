import { expect, test } from 'vitest';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import { oneHandsOnFlashblocks } from './flashblock-laws.ts';

/** What is said where s0 and s1 take themselves for leaders and would hand on flashblocks; `change` makes it another moment. */
function complaintsAbout(change: (second: Record<string, unknown>) => void) {
  const complaints: string[] = [];
  const machines = [2, 3].map((term, index) => ({
    id: `s${index}`,
    isRunning: true,
    isFrozen: false,
    clock: { isRight: true },
    nowMs: 7,
    withheld: null as string | null,
    role: 'leader',
    get conductor() {
      return { position: () => ({ role: this.role, term }), flashblocksWithheld: () => this.withheld };
    },
  }));
  const oracle = oneHandsOnFlashblocks(
    (message) => void complaints.push(message),
    () => undefined,
  );
  const world = { machines, nowMs: 5000 };
  oracle.watch?.(world as unknown as World);
  change(machines[1]!);
  for (const machine of machines) oracle.observed?.(machine as unknown as Machine, {} as never);
  return complaints;
}

test('two that hand on flashblocks at the same time break it', () => {
  expect(complaintsAbout(() => undefined)).toContain(
    's0 of term 2 and s1 of term 3 hand on flashblocks at the same time',
  );
});

test.each<[string, Record<string, unknown>]>([
  ['withholds them', { withheld: 'lease-over' }],
  ['follows', { role: 'follower' }],
  ['is frozen, and is asked before anything is handed on', { isFrozen: true }],
  ['is gone', { isRunning: false }],
  ['has a clock that is wrong', { clock: { isRight: false } }],
])('one that %s does not count', (_, change) => {
  expect(complaintsAbout((second) => void Object.assign(second, change))).toEqual([]);
});

test('nor does it while a promise may have been made by a clock that was wrong', () => {
  const complaints: string[] = [];
  const conductor = { position: () => ({ role: 'leader', term: 2 }), flashblocksWithheld: () => null };
  const right = { isRight: true };
  const machines = ['s0', 's1'].map((id) => ({
    id,
    isRunning: true,
    isFrozen: false,
    clock: right,
    nowMs: 7,
    conductor,
  }));
  const third = { id: 's2', isRunning: true, isFrozen: false, clock: { isRight: false }, nowMs: 7, conductor: null };
  const world = { machines: [...machines, third], nowMs: 5000 };
  const oracle = oneHandsOnFlashblocks(
    (message) => void complaints.push(message),
    () => undefined,
  );
  oracle.watch?.(world as unknown as World);
  const look = (): void => oracle.observed?.(machines[0] as unknown as Machine, {} as never);
  look();
  third.clock.isRight = true;
  world.nowMs = 7900;
  look();
  expect(complaints).toEqual([]);
  world.nowMs = 8000;
  look();
  expect(complaints).toHaveLength(1);
});
