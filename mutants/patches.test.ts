import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scopes } from '../simulator/exhaustive/scope.ts';
import { storm } from '../simulator/arbitrary.ts';
import { loadMutants, patchesFolder } from './load.ts';
import { applyMutant, catcherText, parseMutant, PatchError } from './mutant.ts';
import { aimed } from './simulation/aimed.ts';
import { subjects as known, unseen, visibleFailures, visibleRules } from './subjects.ts';
import { testedMutants } from './vitest/run.ts';
import { titlePattern } from './vitest/title.ts';

/** At least so many deliberate bugs for the simulator, and at most this part of them may be equivalent. */
const MUTANTS_MIN = 80;
const EQUIVALENT_PART_MAX = 0.05;

const root = join(import.meta.dirname, '..');
const mutants = loadMutants(patchesFolder);
const simulated = mutants.filter(({ caughtBy }) => caughtBy.some(({ by }) => by === 'simulation'));
const texts = new Map<string, string>();

function textOf(path: string): string {
  const text = texts.get(path) ?? readFileSync(join(root, path), 'utf8');
  texts.set(path, text);
  return text;
}

describe('the mutants', () => {
  test('every patch changes the source, each text of it being there exactly once, into what can be read', () => {
    const transpiler = new Bun.Transpiler({ loader: 'ts' });
    const problems = mutants.flatMap((mutant) =>
      mutant.hunks.flatMap(({ file }) => {
        try {
          const text = applyMutant(mutant, file, textOf(file));
          transpiler.transformSync(text);
          return text === textOf(file) ? [`${mutant.id} changes nothing`] : [];
        } catch (error) {
          return [`${mutant.id}: ${String(error)}`];
        }
      }),
    );
    expect(problems).toEqual([]);
  });

  test('every rule, known failure and promise has one', () => {
    const covered = new Set(mutants.flatMap(({ subjects }) => subjects));
    expect(Object.keys(known).filter((subject) => !covered.has(subject))).toEqual([]);
  });

  test('every rule that a run can show has one that the simulator catches', () => {
    const covered = new Set(simulated.flatMap(({ subjects }) => subjects));
    expect(visibleRules.filter((rule) => !covered.has(rule))).toEqual([]);
  });

  test('every known failure that a run can show is put back by one', () => {
    const covered = new Set(simulated.filter(({ isPolicy }) => isPolicy).flatMap(({ subjects }) => subjects));
    expect(visibleFailures.filter((failure) => !covered.has(failure))).toEqual([]);
  });

  test('what is called unseen the simulator catches none of, for then it is not', () => {
    const covered = new Set(simulated.flatMap(({ subjects }) => subjects));
    expect(Object.keys(unseen).filter((subject) => covered.has(subject))).toEqual([]);
  });

  test('there are enough for the simulator, and few of them claim to be equivalent', () => {
    const equivalent = mutants.filter((mutant) => mutant.equivalent !== null);
    expect(simulated.length).toBeGreaterThanOrEqual(MUTANTS_MIN);
    expect(equivalent.length).toBeLessThanOrEqual(EQUIVALENT_PART_MAX * simulated.length);
  });

  test('subjects are known or sections of the thesis, and each why is a sentence', () => {
    const isSubject = (subject: string): boolean => subject in known || /^thesis \d+(\.\d+)*$/.test(subject);
    const isSentence = (text: string): boolean => /^([A-Z“]|conductor_).*\.$/.test(text);
    const odd = mutants.filter(({ subjects, why }) => !subjects.every(isSubject) || !isSentence(why));
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test('each is in the file of its name, in the folder of the room that it changes', () => {
    const roomOf = (file: string): string => /^conductor\/(?:core\/)?([a-z-]+)\//.exec(file)?.[1] ?? 'core';
    const places = mutants.map(({ path }) => relative(patchesFolder, path));
    expect(places).toEqual(mutants.map(({ id, hunks }) => join(roomOf(hunks[0]!.file), `${id}.mutant`)));
  });

  test('every test that has to catch one is there', () => {
    const missing = testedMutants(mutants).filter(({ test: { file, title } }) => {
      const isLong = titlePattern(title).replaceAll('.*', '').length >= 3;
      const quoted = title.replaceAll("'", String.raw`\'`);
      return !isLong || !(textOf(file).includes(title) || textOf(file).includes(quoted));
    });
    expect(missing.map(({ mutant, test }) => `${mutant.id}: ${catcherText(test)}`)).toEqual([]);
  });

  test('every scope that the search has to catch one in is there', () => {
    const searched = mutants.flatMap(({ caughtBy }) =>
      caughtBy.flatMap((one) => (one.by === 'search' ? [one.scope] : [])),
    );
    expect(searched.filter((scope) => !Object.hasOwn(scopes, scope))).toEqual([]);
  });

  test.each(['mutants/results.json', 'content/data/mutants.json'])(
    'each of the simulator has a row in %s, and nothing else has that is no mutant',
    (path) => {
      const kept = JSON.parse(textOf(path)) as { mutants: readonly { id: string; by?: string }[] };
      const ofSimulator = kept.mutants.filter(({ by }) => by === undefined || by === 'simulation');
      expect(ofSimulator.map(({ id }) => id).toSorted()).toEqual(simulated.map(({ id }) => id).toSorted());
      const ids = new Set(mutants.map(({ id }) => id));
      expect(kept.mutants.filter(({ id }) => !ids.has(id))).toEqual([]);
    },
  );

  test('aims name kinds of runs and of events that there are, and settings that runs can have', () => {
    const aims = mutants.flatMap(({ aim }) => (aim === null ? [] : [aim]));
    expect(() => aims.forEach(({ kinds, settings }) => aimed(storm, kinds, settings))).not.toThrow();
  });
});

const text = (change: string): string =>
  `id: one\nsubjects: rule 1, two-lost\nwhy: It is wrong.\ncaught by: simulation\n\n@@ conductor/a.ts\n${change}`;

describe('a patch', () => {
  test('replaces part of a line, whole lines, and keeps what is around them', () => {
    const mutant = parseMutant('x', text('-b = 1\n+b = 2\n@@ conductor/a.ts\n-  c();\n   d();\n+  e();\n'));
    expect(applyMutant(mutant, 'conductor/a.ts', 'const b = 1;\n  c();\n  d();\n')).toBe(
      'const b = 2;\n  d();\n  e();\n',
    );
    expect(applyMutant(mutant, 'conductor/other.ts', 'const b = 1;')).toBe('const b = 1;');
    expect(mutant).toMatchObject({ caughtBy: [{ by: 'simulation' }] });
    expect(mutant).toMatchObject({ id: 'one', subjects: ['rule 1', 'two-lost'], isPolicy: false, equivalent: null });
  });

  test.each([
    ['is not there', 'x = 2'],
    ['is there twice', 'x = 1; x = 1'],
  ])('does not fit where its text %s', (_, source) => {
    expect(() => applyMutant(parseMutant('x', text('-x = 1\n+x = 3\n')), 'conductor/a.ts', source)).toThrow(PatchError);
  });

  test.each([
    ['no change', 'id: one\nsubjects: rule 1\nwhy: Wrong.\ncaught by: simulation\n'],
    ['nobody who catches it', text('-a\n+b\n').replace('caught by: simulation\n', '')],
    ['a catcher that is none', text('-a\n+b\n').replace('by: simulation', 'by: chance')],
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

test('a mutant may be caught by several, each of them alone', () => {
  const texts = ['a/b.test.ts: a title: with a colon', 'search crash: one vote per term', 'simulation'];
  const several = texts.map((one) => `caught by: ${one}\n`).join('');
  const { caughtBy } = parseMutant('x', text('-a\n+b\n').replace('caught by: simulation\n', several));
  expect(caughtBy).toEqual([
    { by: 'test', file: 'a/b.test.ts', title: 'a title: with a colon' },
    { by: 'search', scope: 'crash', law: 'one vote per term' },
    { by: 'simulation' },
  ]);
  expect(caughtBy.map(catcherText)).toEqual(texts);
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
  for (const settings of [{ servers: 8 }, { moons: 1 }])
    expect(() => aimed(storm, ['crash'], settings)).toThrow(RangeError);
});
