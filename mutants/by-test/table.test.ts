import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mutate, titlePattern, type Mutant } from './mutant.ts';
import { survivors } from './run.ts';
import { subjects } from './subjects.ts';
import { mutants } from './table.ts';

const root = join(import.meta.dirname, '..', '..');
const texts = new Map<string, string>();

function textOf(path: string): string {
  const text = texts.get(path) ?? readFileSync(join(root, path), 'utf8');
  texts.set(path, text);
  return text;
}

/** What does not fit in a row, as sentences. */
function complaints(mutant: Mutant): string[] {
  const found: string[] = [];
  if (!(mutant.id in subjects)) found.push(`${mutant.id} is no subject of the table`);
  if (!/^([A-Z“]|conductor_).*[.]$/.test(mutant.law)) found.push(`"${mutant.law}" is no sentence`);
  if (mutant.find === mutant.replace) found.push(`"${mutant.law}" changes nothing`);
  try {
    mutate(textOf(mutant.file), mutant);
  } catch (error) {
    found.push(String(error));
  }
  if (titlePattern(mutant.testName).replaceAll('.*', '').length < 3) found.push(`"${mutant.testName}" names no test`);
  const title = mutant.testName.replaceAll("'", String.raw`\'`);
  const isNamed = mutant.tests.some((path) => textOf(path).includes(mutant.testName) || textOf(path).includes(title));
  if (!isNamed) found.push(`${mutant.tests.join(', ')}: there is no test "${mutant.testName}"`);
  return found;
}

describe('the proof table', () => {
  test('every law is where its row says, and so is its test', () => {
    expect(mutants.flatMap(complaints)).toEqual([]);
  });

  test('every rule, known failure and promise has a law', () => {
    const covered = new Set(mutants.map((mutant) => mutant.id));
    expect(Object.keys(subjects).filter((id) => !covered.has(id))).toEqual([]);
  });

  test('all 27 rules are subjects', () => {
    const rules = Array.from({ length: 27 }, (_, at) => `rule ${at + 1}`);
    expect(rules.filter((rule) => !(rule in subjects))).toEqual([]);
  });

  test('no row occurs twice', () => {
    const keys = mutants.map((mutant) => [mutant.id, mutant.law, mutant.file, mutant.replace].join('|'));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });
});

test('a title with placeholders matches the titles made from it and nothing else', () => {
  const pattern = new RegExp(`^${titlePattern('a node %s blocks behind (rule 4)?')}$`);
  expect(pattern.test('a node 5n blocks behind (rule 4)?')).toBe(true);
  expect(pattern.test('a node 5n blocks behind rule 4')).toBe(false);
});

test(
  'the runner tells a mutant that is noticed from one that is not, and from one that breaks nothing',
  {
    timeout: 60_000,
  },
  async () => {
    const file = 'conductor/core/raft/quorum.ts';
    const base = {
      id: 'rule 1',
      file,
      tests: ['conductor/core/raft/quorum.test.ts'],
      testName: 'nonvoters never count',
    };
    const find = textOf(file).match(/Suffrage\.voter/)?.[0] ?? '';
    const rows: Mutant[] = [
      { ...base, law: 'Noticed.', find, replace: 'Suffrage.nonvoter' },
      { ...base, law: 'Not noticed.', find, replace: '(Suffrage.voter as number)' },
      { ...base, law: 'Not there.', find, replace: 'Suffrage.nonvoter', testName: 'no such test' },
      { ...base, law: 'Cannot be loaded.', find, replace: 'Suffrage.(' },
    ];
    const sentences = await survivors(rows);
    expect(sentences.map((one) => one.replace(/^rule 1: (.*?)\. \(.*?\) (.*?): .*$/, '$1 → $2'))).toEqual([
      'Not noticed → the test does not notice',
      'Not there → there is no such test',
      'Cannot be loaded → the mutant cannot be loaded',
    ]);
  },
);
