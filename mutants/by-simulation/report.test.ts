import { describe, expect, test } from 'vitest';
import type { LawName } from '../../simulator/oracles/laws.ts';
import type { HuntResult, Outcome } from './outcome.ts';
import { parseMutant } from './patch.ts';
import { lineOf, recordOf, Results, type MutantRecord } from './report.ts';

const method = { budgetSeconds: 60, seed: 1, date: '2026-01-01' };

function record(id: string, result: Outcome, fields = ''): MutantRecord {
  const text = `id: ${id}\nsubjects: rule 1\nwhy: It is wrong.\n${fields}\n@@ conductor/a.ts\n-a\n+b\n`;
  return recordOf(parseMutant(id, text), result, method);
}

function killed(laws: readonly LawName[]): HuntResult {
  const numbers = { runs: 3, seconds: 1.5, virtualSeconds: 200, round: 2, events: 9, shrunkEvents: 2 };
  const texts = { message: 'a | b', found: 'v1~~crash', shrunk: 'v1~~crash', story: 'once upon a time' };
  return { kind: 'killed', law: laws[0]!, laws, ...numbers, ...texts };
}

const survived: HuntResult = { kind: 'survived', runs: 8, seconds: 60, virtualSeconds: 900 };

describe('what came of the mutants', () => {
  test('is one line each', () => {
    expect(lineOf(record('one', killed(['logMatching'])))).toMatch(/one +killed by logMatching: run 3, 1.5 s.*to 2: a/);
    expect(lineOf(record('two', survived))).toMatch(/two +SURVIVED: 8 runs/);
    expect(lineOf(record('two', survived, 'equivalent: it is the same\n'))).toMatch(/two +equivalent/);
    expect(lineOf(record('three', { kind: 'broken', message: 'a bracket is missing' }))).toMatch(/BROKEN: a bracket/);
  });

  test('is counted by law; those that are always accompanied are named', () => {
    const results = new Results(null).with(
      [record('one', killed(['logMatching'])), record('two', killed(['logMatching', 'electionSafety']))],
      null,
    );
    const { laws } = JSON.parse(results.json()) as { laws: Record<string, unknown> };
    expect(laws['logMatching']).toEqual({ catches: 2, alone: 1 });
    expect(laws['electionSafety']).toEqual({ catches: 1, alone: 0 });
    expect(results.summary()).toMatch(/laws that never kill alone: electionSafety,/);
    expect(results.summary()).toMatch(/2 mutants: 2 killed, 0 survived/);
  });

  test('is kept beside what was there before, and forgotten with its mutant', () => {
    const before = new Results(null).with([record('one', survived), record('gone', survived)], survived).json();
    const after = new Results(before).with([record('one', killed(['logMatching']))], null);
    expect(after.isKilled('one')).toBe(true);
    expect(after.isKilled('gone')).toBe(false);
    expect(after.only(new Set(['one'])).summary()).toMatch(/1 mutants: 1 killed[^]*lives through 8 of the same runs/);
    expect(new Results(after.json()).json()).toBe(after.json());
  });

  test('is a table of mutants and the time to kill them', () => {
    const rows = [record('one', killed(['logMatching'])), record('two', survived, 'equivalent: it is the same\n')];
    const { date, mutants } = JSON.parse(new Results(null).with(rows, null).table()) as {
      date: string;
      mutants: unknown[];
    };
    expect(date).toBe('2026-01-01');
    expect(mutants).toEqual([
      expect.objectContaining({ id: 'one', outcome: 'killed', law: 'logMatching', seconds: 1.5, shrunkEvents: 2 }),
      expect.objectContaining({ id: 'two', outcome: 'equivalent', law: null, seconds: null }),
    ]);
  });

  test('keeps the story of policy mutants alone', () => {
    const rows = [record('one', killed(['logMatching'])), record('two', killed(['logMatching']), 'policy: yes\n')];
    const { mutants } = JSON.parse(new Results(null).with(rows, null).json()) as {
      mutants: readonly { result: { story: string } }[];
    };
    expect(mutants.map(({ result }) => result.story)).toEqual(['', 'once upon a time']);
  });

  test('is a table whose cells hold no bars', () => {
    const row = new Results(null).with([record('one', killed(['logMatching']), 'aim: storm crash\n')], null).markdown();
    expect(row.trim().split('\n').at(-1)).toBe(
      '| one | rule 1 | It is wrong. | logMatching | logMatching | 3 | 1.5 | 200 | 2 |',
    );
  });
});
