import { expect, test } from 'vitest';
import { whyAside } from './keeping.ts';

const whole = { isQuick: false, effort: 1, leftOut: [], keepsAnyway: false };

test('a whole run is kept, whatever was kept before', () => {
  expect([null, 0, 0.5, 1].map((kept) => whyAside(whole, kept))).toEqual([null, null, null, null]);
});

test('as much effort as the kept one is enough, less is not', () => {
  expect(whyAside({ ...whole, effort: 0.3 }, 0.3)).toBeNull();
  expect(whyAside({ ...whole, effort: 0.3 }, null)).toBeNull();
  expect(whyAside({ ...whole, effort: 0.3 }, 0.31)).toMatch(/effort of 0\.30 is below the 0\.31/);
});

test('quick runs and those that left something out are put aside, also where nothing is kept', () => {
  expect(whyAside({ ...whole, isQuick: true, effort: 0 }, null)).toMatch(/quick/);
  expect(whyAside({ ...whole, leftOut: ['ours was left out'] }, null)).toBe('ours was left out');
});

test('--keep keeps each of them', () => {
  const lesser = { isQuick: true, effort: 0, leftOut: ['ours was left out'], keepsAnyway: true };
  expect(whyAside(lesser, 1)).toBeNull();
});
