import { describe, expect, it } from 'vitest';
import { laws } from '../oracles/laws.ts';
import { execute } from '../run.ts';
import { runFromText, runToText } from '../run-value.ts';
import { storyOfRun } from '../story.ts';
import runs from './runs.json' with { type: 'json' };
import { Timekeeper } from './timekeeper.ts';
import waiting from './waiting.json' with { type: 'json' };

/** The run of a row, which has one string and names a law; its sentences are sentences. */
function runOf(text: string, law: string, sentences: readonly string[]) {
  const run = runFromText(text);
  expect(runToText(run)).toBe(text);
  expect(Object.keys(laws)).toContain(law);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  return run;
}

describe('runs that once broke a law', () => {
  it.each(runs)('$run holds every law', { timeout: 60_000 }, ({ run: text, law, was, cause, ...bound }) => {
    const run = runOf(text, law, [was, cause]);
    const judge = new Timekeeper();
    const report = execute(run, { judge });
    expect(report.violation, storyOfRun(run, report)).toBeNull();
    if ('gapMs' in bound && bound.gapMs !== undefined) expect(judge.longestGapMs).toBeLessThanOrEqual(bound.gapMs);
  });
});

describe('runs that break a law until what they wait for is there', () => {
  it('each is one string, and names its law', () => {
    const rows: readonly Record<'run' | 'law' | 'shows' | 'waitsFor', string>[] = waiting;
    for (const { run, law, shows, waitsFor } of rows) {
      runOf(run, law, [shows]);
      expect(waitsFor).toMatch(/\brule/);
    }
  });
});
