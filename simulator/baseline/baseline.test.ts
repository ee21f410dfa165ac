import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { execute } from '../run.ts';
import { runFromText, runToText } from '../run-value.ts';
import { Judge } from '../judge.ts';
import { differences, differenceText, namesOf } from './differences.ts';
import { measure } from './measure.ts';
import { CostMeter, type Costs } from './meter.ts';
import { readRecorded, recordedText } from './recorded.ts';

const recorded = readRecorded(readFileSync(join(import.meta.dirname, 'recorded.txt'), 'utf8'));
/** They stand in the order of what each adds to those before it; `npm run test:full` goes through all. */
const COUNT = process.env['CONDUCTOR_TEST_FULL'] === '1' ? recorded.length : 75;
/** How many differences a failure shows. */
const SHOWN_MAX = 5;

it(
  `${COUNT} fixed runs cost what is recorded: npm run sim -- baseline --write records them anew`,
  { timeout: 600_000 },
  () => {
    for (const { run, costs: was } of recorded.slice(0, COUNT)) {
      const { report, costs } = measure(runFromText(run));
      expect(report.violation, run).toBeNull();
      const found = differences(was, costs, namesOf(recorded)).slice(0, SHOWN_MAX).map(differenceText);
      expect(found, run).toEqual([]);
    }
  },
);

test('each recorded run is one string, and is there once', () => {
  for (const { run } of recorded) expect(runToText(runFromText(run))).toBe(run);
  expect(new Set(recorded.map(({ run }) => run)).size).toBe(recorded.length);
});

test('what is recorded is read as it was written, and a damaged line is told', () => {
  expect(readRecorded(recordedText(recorded))).toEqual(recorded);
  expect(() => readRecorded('v1~seed-1\n  blocks many\n')).toThrow('"blocks many" is no cost');
});

describe('costs', () => {
  const costsOf = (text: string, settleMs: number): Costs => {
    const meter = new CostMeter();
    execute(runFromText(text), { judge: new Judge(undefined, [meter.oracle]), settleMs });
    return meter.costs;
  };

  test('of a leader that dies: another leadership, and the gap that users see', () => {
    const calm = costsOf('v1~seed-7', 10_000);
    const died = costsOf('v1~seed-7~crash-1s0-0-0-4mo', 4000);
    expect([calm.get('leaderships'), died.get('leaderships')]).toEqual([1, 2]);
    expect(calm.get('late ms') ?? 0).toBe(0);
    expect(died.get('longest gap ms')).toBeGreaterThanOrEqual(1000);
    expect(calm.get('commits')).toBe(calm.get('blocks'));
    expect(died.get('asked node admin_startSequencer')).toBe(1);
  });

  test.each<[string, number, number, boolean]>([
    ['late ms', 1000, 1150, false],
    ['late ms', 1000, 1151, true],
    ['late ms', 1000, 0, false],
    ['sent append', 100, 112, false],
    ['sent append', 100, 113, true],
    ['sent append', 100, 87, true],
    ['hand-overs', 2, 2, false],
    ['hand-overs', 2, 3, true],
    ['hand-overs', 2, 1, true],
    ['commits left in doubt', 0, 1, true],
    ['line sequencer started', 3, 4, true],
    ['gauge leader', 100, 103, false],
    ['gauge leader', 100, 104, true],
    ['histogram failover_seconds', 0, 3, true],
    ['histogram failover_seconds ms', 1000, 1151, true],
  ])('%s, recorded as %d and now %d: differs %s', (name, was, is, differs) => {
    const found = differences(new Map([[name, was]]), new Map([[name, is]]), new Set([name]));
    expect(found).toEqual(differs ? [{ name, was, is }] : []);
    if (differs) expect(differenceText(found[0]!)).toBe(`${name}: ${is}, recorded are ${was}`);
  });

  test('a metric or line that no run had when they were recorded is no difference; a new question or event is', () => {
    const now = new Map([
      ['counter pauses_total', 3],
      ['line a new one', 1],
      ['asked node optimism_version', 40],
      ['alarms', 1],
    ]);
    expect(differences(new Map(), now, new Set()).map(({ name }) => name)).toEqual([
      'asked node optimism_version',
      'alarms',
    ]);
    expect(differences(new Map(), now, new Set(now.keys()))).toHaveLength(4);
  });

  test('of what is logged, shown and measured, by name; numbers in a message are no part of it', () => {
    const died = costsOf('v1~seed-7~crash-1s0-0-0-4mo', 4000);
    expect(died.get('line sequencer started')).toBe(1);
    expect(died.get('line starting sequencer')).toBe(1);
    expect(died.get('histogram failover_seconds')).toBe(1);
    expect(died.get('gauge leader')).toBeGreaterThanOrEqual(5);
    expect([...died.keys()].filter((name) => name.startsWith('line ') && /\d/.test(name))).toEqual([]);
  });
});
