import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { single, storm } from './arbitrary.ts';
import { configurationLimits, defaultConfiguration, type Configuration } from './configuration.ts';
import { RUN_VERSION, runFromText, RunTextError, runToText, type Run } from './run-value.ts';

const settings: fc.Arbitrary<Configuration> = fc
  .record(
    Object.fromEntries(
      Object.entries(configurationLimits).map(([name, [min, max]]) => [name, fc.integer({ min, max })]),
    ) as { [name in keyof Configuration]: fc.Arbitrary<number> },
  )
  .map((one) => ({
    ...one,
    delayMaxUs: Math.max(one.delayMinUs, one.delayMaxUs),
    nonvoters: one.nonvoters % one.servers,
  }));

describe('a run as a string', () => {
  it('gives the same run back', () => {
    const runs: fc.Arbitrary<Run> = fc
      .record({ run: fc.oneof(storm, single), configuration: settings })
      .map(({ run, configuration }) => ({ ...run, configuration }));
    fc.assert(
      fc.property(runs, (run) => {
        const text = runToText(run);
        expect(text).toMatch(/^[A-Za-z0-9._~-]+$/);
        expect(encodeURIComponent(text)).toBe(text);
        expect(runFromText(text)).toEqual(run);
      }),
    );
  });

  it('says what differs from the default, and nothing else', () => {
    const run: Run = {
      version: RUN_VERSION,
      configuration: { ...defaultConfiguration, seed: 7 },
      events: [{ kind: 'crash', afterMs: 526, at: 0, to: 0, forMs: 1, amount: 0 }],
    };
    expect(runToText(run)).toBe('v1~seed-7~crash-em-0-0-1');
    expect(runFromText(' v1~seed-7~crash-em-0-0-1\n')).toEqual(run);
    expect(runFromText('v1')).toEqual({ ...run, configuration: defaultConfiguration, events: [] });
  });

  it.each([
    ['', 'it begins with ""'],
    ['v2~seed-1', 'no run of version 1'],
    ['v1~seed', '"seed" is no setting'],
    ['v1~seed-x', '"seed-x" is no setting'],
    ['v1~7', '"7" is no setting'],
    ['v1~constructor-1', 'no setting'],
    ['v1~servers-1000000000', 'servers is 1 to 7, not 1000000000'],
    ['v1~servers-3.servers-5', 'servers is set twice'],
    ['v1~seed-0', 'seed is 1 to 4294967295'],
    ['v1~delayMinUs-9.delayMaxUs-8', 'delayMinUs is above delayMaxUs'],
    ['v1~~explode-1', '"explode-1" is no event'],
    ['v1~~toString-1', 'no event'],
    ['v1~~crash--1', 'no event'],
    ['v1~~crash-1-2-3-4-5-6', 'no event'],
    ['v1~~crash-zzzzzz', 'afterMs is at most 600000'],
    ['v1~~crash-1-1-1-zzzzz', 'forMs is at most 600000'],
    ['v1~~clog-1-1-1-1-zz', 'amount is at most 1000, not 1295'],
    [`v1~${'~reset'.repeat(1001)}`, 'at most 1000 events'],
    [`v1~${'~reset-9zzz'.repeat(200)}`, 'lasts at most 86400000 virtual milliseconds'],
    ['v1~'.padEnd(200_000, 'x'), 'at most 100000 characters'],
  ])('%.40s is refused with a reason', (text, reason) => {
    expect(() => runFromText(text)).toThrow(RunTextError);
    expect(() => runFromText(text)).toThrow(reason);
  });

  it('refuses any garbage with RunTextError and nothing else', () => {
    const pieces = fc.constantFrom('v1', '~', '-', '.', 'seed', 'crash', '0', 'zz', '__proto__', ' ', '\u0000', 'é');
    const garbage = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 30 }).map((parts) => `v1~${parts.join('')}`),
    );
    fc.assert(
      fc.property(garbage, (text) => {
        try {
          const run = runFromText(text);
          expect(runFromText(runToText(run))).toEqual(run);
        } catch (error) {
          expect(error).toBeInstanceOf(RunTextError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
