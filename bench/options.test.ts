import { expect, test } from 'vitest';
import { amountAt, CommandLineError, effortWithin, parseCommandLine } from './options.ts';

test('names, sides and lengths are read, and anything else is refused', () => {
  expect(parseCommandLine([])).toEqual({
    names: [],
    options: { isQuick: false, effort: 1, sides: ['go', 'bun'], keepsAnyway: false, rounds: null, matching: null },
    minutes: null,
    wantsHelp: false,
  });
  expect(parseCommandLine(['rpc', 'goals', '--minutes=20', '--only=bun'])).toEqual({
    names: ['rpc', 'goals'],
    options: { isQuick: false, effort: 1, sides: ['bun'], keepsAnyway: false, rounds: null, matching: null },
    minutes: 20,
    wantsHelp: false,
  });
  expect(parseCommandLine(['--help']).wantsHelp).toBe(true);
  expect(parseCommandLine(['--quick']).options).toMatchObject({ isQuick: true, effort: 0 });
  expect(parseCommandLine(['--keep']).options.keepsAnyway).toBe(true);
  expect(parseCommandLine(['--rounds=3', '--rows=killed']).options).toMatchObject({ rounds: 3, matching: 'killed' });
  for (const wrong of ['--only=rust', '--minutes=0', '--minutes=soon', '--rounds=0', '--fast']) {
    expect(() => parseCommandLine([wrong]), wrong).toThrow(CommandLineError);
  }
});

test('effort is what fits between the quick and the whole form, and never beyond them', () => {
  const needed = { full: 50, quick: 10 };
  expect([5, 10, 30, 50, 500].map((minutes) => effortWithin(minutes, needed))).toEqual([0, 0, 0.5, 1, 1]);
  expect(effortWithin(1, { full: 2, quick: 2 })).toBe(1);
  expect([0, 0.5, 1].map((effort) => amountAt({ effort }, { full: 120, quick: 20 }))).toEqual([20, 70, 120]);
});
