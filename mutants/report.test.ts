import { describe, expect, test } from 'vitest';
import type { LawName } from '../simulator/oracles/laws.ts';
import { parseMutant, type Mutant } from './mutant.ts';
import { lineOf, recordOf, Results, type MutantRecord } from './report.ts';
import type { HuntResult, Outcome } from './simulation/outcome.ts';

const method = { budgetSeconds: 60, seed: 1, date: '2026-01-01' };

function mutant(id: string, fields = ''): Mutant {
  const head = `id: ${id}\nsubjects: rule 1\nwhy: It is wrong.\ncaught by: simulation\n`;
  return parseMutant(id, `${head}${fields}\n@@ conductor/a.ts\n-a\n+b\n`);
}

function record(id: string, result: Outcome, fields = ''): MutantRecord {
  return recordOf(mutant(id, fields), { by: 'simulation' }, result, method);
}

const byTest = { by: 'test', file: 'conductor/a.test.ts', title: 'is right' } as const;

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
    const noticed = recordOf(mutant('four'), byTest, { kind: 'noticed' }, method);
    expect(lineOf(noticed)).toMatch(/four +caught by conductor\/a\.test\.ts: is right/);
    const missed = { ...noticed, result: { kind: 'unnoticed', message: 'there is no such test' } as const };
    expect(lineOf(missed)).toMatch(/four +SURVIVED conductor\/a\.test\.ts: is right: there is no such test/);
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
    expect(results.summary()).toMatch(/2 mutants of the simulator: 2 caught, 0 survived/);
  });

  test('is kept beside what was there before, and forgotten with its mutant', () => {
    const before = new Results(null).with([record('one', survived), record('gone', survived)], survived).json();
    const after = new Results(before).with([record('one', killed(['logMatching']))], null);
    expect(after.isCaught('one', 'simulation')).toBe(true);
    expect(after.isCaught('one', 'conductor/a.test.ts: is right')).toBe(false);
    expect(after.isCaught('gone', 'simulation')).toBe(false);
    expect(after.only([mutant('one')]).summary()).toMatch(
      /1 mutants of the simulator: 1 caught[^]*lives through 8 of the same runs/,
    );
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

  test('of tests is kept beside that of runs, by mutant and test, but is not in the table of the simulator', () => {
    const tested = recordOf(mutant('one'), byTest, { kind: 'noticed' }, method);
    const results = new Results(null).with([record('one', killed(['logMatching'])), tested], null);
    expect(results.isCaught('one', 'conductor/a.test.ts: is right')).toBe(true);
    expect(results.summary()).toMatch(/1 mutants of the simulator: 1 caught[^]*1 mutants of a test: 1 caught/);
    expect(results.markdown()).toContain('| one | rule 1 | It is wrong. | conductor/a.test.ts: is right |  |');
    expect(JSON.parse(results.table())).toMatchObject({ mutants: [{ id: 'one', law: 'logMatching' }] });
    expect(results.only([mutant('one')]).isCaught('one', 'conductor/a.test.ts: is right')).toBe(false);
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
