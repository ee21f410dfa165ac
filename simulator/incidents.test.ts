/** Public incidents, played against conductors as they ship: no law is broken, and the chain stands for a bounded time. */
import { expect, it } from 'vitest';
import { doneForReal, incidents, runTextOf, type IncidentId } from './incidents.ts';
import { Timekeeper } from './regressions/timekeeper.ts';
import { execute } from './run.ts';
import { runFromText } from './run-value.ts';
import { storyOfRun } from './story.ts';

const ids = Object.keys(incidents) as IncidentId[];

it.each(ids)('%s: no law is broken, and the chain goes on', { timeout: 60_000 }, (id) => {
  const { run, gapMaxMs } = incidents[id];
  expect(runFromText(runTextOf(id))).toEqual(run);
  const judge = new Timekeeper();
  const report = execute(run, { judge });
  expect(report.violation, storyOfRun(run, report)).toBeNull();
  expect(judge.longestGapMs).toBeGreaterThan(0);
  expect(judge.longestGapMs).toBeLessThanOrEqual(gapMaxMs);
});

it('what is done to real processes is told as a half-sentence', () => {
  for (const done of Object.values(doneForReal)) expect(done).toMatch(/^[a-z].*[^.]$/);
});
