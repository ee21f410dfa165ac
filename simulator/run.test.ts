import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overridden, single, storm } from './arbitrary.ts';
import { defaultConfiguration } from './configuration.ts';
import { Judge } from './judge.ts';
import { execute } from './run.ts';
import { RUN_VERSION, runFromText, runToText, type Run } from './run-value.ts';

const quiet: Run = { version: RUN_VERSION, configuration: defaultConfiguration, events: [] };

describe('a run', () => {
  it('is a function of its string: the same hash twice, and from the string', { timeout: 120_000 }, () => {
    const runs = fc.sample(fc.oneof(storm, single, overridden), { seed: 17, numRuns: 12 });
    const hashes = runs.map((run) => execute(run).hash);
    expect(new Set(hashes).size).toBe(runs.length);
    expect(runs.map((run) => execute(runFromText(runToText(run))).hash)).toEqual(hashes);
  });

  it('its hash tells runs apart by their seed, and by an event that changes nothing', () => {
    const other = { ...quiet, configuration: { ...defaultConfiguration, seed: 2 } };
    const harmless = { kind: 'lateBlock', afterMs: 10, at: 1, to: 0, forMs: 0, amount: 0 } as const;
    const hashes = [quiet, other, { ...quiet, events: [harmless] }].map((run) => execute(run).hash);
    expect(new Set(hashes).size).toBe(3);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{16}$/);
  });

  it('publishes a block per second when nothing happens, and forms within seconds', () => {
    const { violation, published, virtualMs } = execute(quiet);
    expect(violation).toBeNull();
    expect(published).toBeGreaterThanOrEqual(Math.floor(virtualMs / 1000) - 1);
    expect(virtualMs).toBeLessThan(35_000);
  });

  it.each([
    { servers: 5, blockSeconds: 2 },
    { delayMinUs: 20_000, delayMaxUs: 60_000 },
    { snapshotThreshold: 1, trailingLogs: 0, entriesPerRequest: 1 },
    { healthSeconds: 5, unsafeSeconds: 30, toleratedPartials: 5 },
    { servers: 4 },
  ])('holds every law with %o', (settings) => {
    const { violation } = execute({ ...quiet, configuration: { ...defaultConfiguration, ...settings } });
    expect(violation).toBeNull();
  });

  it('ends at the first law that is broken, however much is left of it', () => {
    const judge = new Judge();
    const events = Array.from({ length: 100 }, () => {
      return { kind: 'transfer', afterMs: 10_000, at: 0, to: 0, forMs: 0, amount: 0 } as const;
    });
    judge.broken('logMatching', 'as the test wants it');
    const report = execute({ ...quiet, events }, { judge });
    expect(report.violation?.law).toBe('logMatching');
    expect(report.virtualMs).toBeLessThan(20_000);
  });

  it('a world that cannot be formed is told as a violation, not thrown', () => {
    // Nothing that is said arrives before it is too late.
    const configuration = { ...defaultConfiguration, delayMinUs: 900_000, delayMaxUs: 1_000_000 };
    const { violation } = execute({ ...quiet, configuration }, { judge: new Judge(['chainGoesOn']) });
    expect(violation?.law).toBe('chainGoesOn');
    expect(violation?.message).toMatch(/not within \d+ ms/);
  });
});
