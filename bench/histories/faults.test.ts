/** Plans come from their seed, stay within the time of a history, and have every kind. */
import { expect, it } from 'vitest';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { diskVictim, faultKinds, planFaults } from './faults.ts';

const WINDOW_MS = 4500;
const plans = Array.from({ length: 300 }, (_, seed) => planFaults(new Seeded(seed), 5, WINDOW_MS));

it('the same seed gives the same plan', () => {
  expect(planFaults(new Seeded(7), 3, WINDOW_MS)).toEqual(planFaults(new Seeded(7), 3, WINDOW_MS));
  expect(planFaults(new Seeded(7), 3, WINDOW_MS)).not.toEqual(planFaults(new Seeded(8), 3, WINDOW_MS));
});

it('nothing lasts beyond the window, and whoever is named exists', () => {
  for (const { atMs, forMs, victim } of plans.flat()) {
    expect(atMs + forMs).toBeLessThanOrEqual(WINDOW_MS);
    expect(forMs).toBeGreaterThan(0);
    if (victim !== null) expect(victim).toBeLessThan(5);
  }
});

it('every kind comes up, at the leader and at others', () => {
  expect(new Set(plans.flat().map(({ kind }) => kind))).toEqual(new Set(faultKinds));
  expect(plans.flat().some(({ kind, victim }) => kind === 'freeze' && victim !== null)).toBe(true);
});

it('a disk is filled of one known server, which gets a small one', () => {
  const filling = plans.filter((plan) => plan.some(({ kind }) => kind === 'disk'));
  expect(filling.length).toBeGreaterThan(0);
  for (const plan of filling) expect(diskVictim(plan)).not.toBeNull();
  expect(plans.filter((plan) => !filling.includes(plan)).map(diskVictim)).toEqual(
    plans.filter((plan) => !filling.includes(plan)).map(() => null),
  );
});
