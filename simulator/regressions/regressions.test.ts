import { describe, expect, it } from 'vitest';
import { laws } from '../oracles/laws.ts';
import { execute } from '../run.ts';
import { runFromText, runToText } from '../run-value.ts';
import { storyOfRun } from '../story.ts';
import runs from './runs.json' with { type: 'json' };

describe('runs that once broke a law', () => {
  it.each(runs)('$run holds every law', { timeout: 60_000 }, ({ run: text, law, was, cause }) => {
    const run = runFromText(text);
    expect(runToText(run)).toBe(text);
    expect(Object.keys(laws)).toContain(law);
    for (const sentence of [was, cause]) expect(sentence).toMatch(/^[A-Z].*\.$/);
    const report = execute(run);
    expect(report.violation, storyOfRun(run, report)).toBeNull();
  });
});
