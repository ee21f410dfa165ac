import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { storm } from '../../simulator/arbitrary.ts';
import { aimed } from './aimed.ts';
import { loadMutants, patchesFolder } from './load.ts';
import { applyMutant, parseMutant, PatchError } from './patch.ts';
import { unseen, visibleFailures, visibleRules } from './subjects.ts';

/** At least so many deliberate bugs, and at most this part of them may be equivalent. */
const MUTANTS_MIN = 80;
const EQUIVALENT_PART_MAX = 0.05;

const root = join(import.meta.dirname, '..', '..');
const mutants = loadMutants(patchesFolder);

describe('the mutants', () => {
  test('every patch changes the source, each text of it being there exactly once', () => {
    const problems = mutants.flatMap((mutant) =>
      mutant.hunks.flatMap(({ file }) => {
        try {
          const source = readFileSync(join(root, file), 'utf8');
          return applyMutant(mutant, file, source) === source ? [`${mutant.id} changes nothing`] : [];
        } catch (error) {
          return [String(error)];
        }
      }),
    );
    expect(problems).toEqual([]);
  });

  test('every rule that a run can show has one', () => {
    const covered = new Set(mutants.flatMap(({ subjects }) => subjects));
    expect(visibleRules.filter((rule) => !covered.has(rule))).toEqual([]);
  });

  test('every known failure that a run can show is put back by one', () => {
    const covered = new Set(mutants.filter(({ isPolicy }) => isPolicy).flatMap(({ subjects }) => subjects));
    expect(visibleFailures.filter((failure) => !covered.has(failure))).toEqual([]);
  });

  test('what is called unseen has none, for then it is not', () => {
    const covered = new Set(mutants.flatMap(({ subjects }) => subjects));
    expect(Object.keys(unseen).filter((subject) => covered.has(subject))).toEqual([]);
  });

  test('there are enough, and few of them claim to be equivalent', () => {
    const equivalent = mutants.filter((mutant) => mutant.equivalent !== null);
    expect(mutants.length).toBeGreaterThanOrEqual(MUTANTS_MIN);
    expect(equivalent.length).toBeLessThanOrEqual(EQUIVALENT_PART_MAX * mutants.length);
  });

  test('subjects are rules, known failures or sections of the thesis, and each why is a sentence', () => {
    const known = new Set([...visibleRules, ...visibleFailures]);
    const isSubject = (subject: string): boolean => known.has(subject) || /^thesis \d+(\.\d+)*$/.test(subject);
    const odd = mutants.filter(({ subjects, why }) => !subjects.every(isSubject) || !/^[A-Z].*\.$/.test(why));
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test.each(['mutants/by-simulation/results.json', 'content/data/mutants.json'])(
    'each has one row in %s, and nothing else has',
    (path) => {
      const kept = JSON.parse(readFileSync(join(root, path), 'utf8')) as { mutants: readonly { id: string }[] };
      expect(kept.mutants.map(({ id }) => id).toSorted()).toEqual(mutants.map(({ id }) => id).toSorted());
    },
  );

  test('aims name kinds of runs and of events that there are, and settings that runs can have', () => {
    const aims = mutants.flatMap(({ aim }) => (aim === null ? [] : [aim]));
    expect(() => aims.forEach(({ kinds, settings }) => aimed(storm, kinds, settings))).not.toThrow();
  });
});

const text = (change: string): string =>
  `id: one\nsubjects: rule 1, two-lost\nwhy: It is wrong.\n\n@@ conductor/a.ts\n${change}`;

describe('a patch', () => {
  test('replaces part of a line, whole lines, and keeps what is around them', () => {
    const mutant = parseMutant('x', text('-b = 1\n+b = 2\n@@ conductor/a.ts\n-  c();\n   d();\n+  e();\n'));
    expect(applyMutant(mutant, 'conductor/a.ts', 'const b = 1;\n  c();\n  d();\n')).toBe(
      'const b = 2;\n  d();\n  e();\n',
    );
    expect(applyMutant(mutant, 'conductor/other.ts', 'const b = 1;')).toBe('const b = 1;');
    expect(mutant).toMatchObject({ id: 'one', subjects: ['rule 1', 'two-lost'], isPolicy: false, equivalent: null });
  });

  test.each([
    ['is not there', 'x = 2'],
    ['is there twice', 'x = 1; x = 1'],
  ])('does not fit where its text %s', (_, source) => {
    expect(() => applyMutant(parseMutant('x', text('-x = 1\n+x = 3\n')), 'conductor/a.ts', source)).toThrow(PatchError);
  });

  test.each([
    ['no change', 'id: one\nsubjects: rule 1\nwhy: Wrong.\n'],
    ['an unknown field', `colour: red\n${text('-a\n+b\n')}`],
    ['a field twice', `id: two\n${text('-a\n+b\n')}`],
    ['no id', text('-a\n+b\n').replace('id: one\n', '')],
    ['no why', text('-a\n+b\n').replace('why: It is wrong.\n', '')],
    ['a change that changes nothing', text('-a\n+a\n')],
    ['nothing to replace', text('+a\n')],
    ['a line without a mark', text('-a\nb\n')],
    ['a file outside the core', text('-a\n+b\n').replace('conductor/a.ts', 'conductor/../package.ts')],
    ['an aim that is none', `aim: everything\n${text('-a\n+b\n')}`],
    ['a policy that is neither yes nor no', `policy: perhaps\n${text('-a\n+b\n')}`],
  ])('is refused for %s', (_, broken) => {
    expect(() => parseMutant('x', broken)).toThrow(PatchError);
  });
});

test('an id that is there twice is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  try {
    for (const name of ['a', 'b']) writeFileSync(join(folder, `${name}.mutant`), text('-a\n+b\n'));
    expect(() => loadMutants(folder)).toThrow(/the id one/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('aimed runs have only the kinds that were named, as many events, and are refused kinds that there are not', () => {
  fc.assert(
    fc.property(fc.noBias(aimed(storm, ['crash', 'reset'])), ({ events }) => {
      for (const { kind, forMs } of events) {
        expect(['crash', 'reset']).toContain(kind);
        expect(forMs > 0).toBe(kind === 'crash');
      }
    }),
    { numRuns: 20, seed: 1 },
  );
  expect(() => aimed(storm, ['earthquake'])).toThrow(RangeError);
});

test('aimed runs have the settings that were given, and are refused those that no run can have', () => {
  const { aim } = parseMutant('x', `aim: scramble servers=5 trailingLogs=0 crash, reset\n${text('-a\n+b\n')}`);
  expect(aim).toEqual({ runs: 'scramble', settings: { servers: 5, trailingLogs: 0 }, kinds: ['crash', 'reset'] });
  const [run] = fc.sample(aimed(storm, aim!.kinds, aim!.settings), { numRuns: 1, seed: 1 });
  expect(run!.configuration).toMatchObject(aim!.settings);
  for (const settings of [{ servers: 6 }, { moons: 1 }])
    expect(() => aimed(storm, ['crash'], settings)).toThrow(RangeError);
});
