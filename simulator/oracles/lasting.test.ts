import { expect, test } from 'vitest';
import type { Machine } from '../machine.ts';
import { Lasting } from './lasting.ts';

/** A machine that is looked at with these pauses, and for how long `name` has been so in the end. */
function lasted(
  pausesMs: readonly number[],
  isSo: (turn: number) => boolean = () => true,
  lifeOf: (turn: number) => number = () => 1,
) {
  const lasting = new Lasting<'so'>();
  let ms = 0;
  let last: number | undefined;
  for (const [turn, pauseMs] of [0, ...pausesMs].entries()) {
    ms += pauseMs;
    const machine = machineAt(ms, lifeOf(turn));
    last = lasting.look(machine, () => (isSo(turn) ? ['so'] : []))?.get('so') ?? last;
  }
  return last;
}

const machines = new Map<number, Machine>();
/** One machine whose clock goes by itself. */
function machineAt(ms: number, life: number): Machine {
  const machine = machines.get(0) ?? ({} as Machine);
  machines.set(0, machine);
  return Object.assign(machine, { worldMs: ms, nowMs: ms, life });
}

test('what is so at every look has lasted since the first', () => {
  expect(lasted([100, 100, 100])).toBe(300);
  expect(lasted([30, 30, 50, 30])).toBe(110);
});

test('a break, and another process, begin anew', () => {
  expect(lasted([100, 100, 100], (turn) => turn !== 1)).toBe(100);
  expect(
    lasted(
      [100, 100, 100],
      () => true,
      (turn) => (turn < 2 ? 1 : 2),
    ),
  ).toBe(100);
});

test('of a pause between two looks a quarter of a second counts, and after more than one second it begins anew', () => {
  expect(lasted([900, 900])).toBe(500);
  expect(lasted([900, 1100])).toBe(0);
});
