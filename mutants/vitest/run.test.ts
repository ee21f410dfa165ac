import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseMutant } from '../mutant.ts';
import { complaints, testedMutants } from './run.ts';
import { titlePattern } from './title.ts';

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
    const find = /Suffrage\.voter/.exec(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'))?.[0] ?? '';
    const mutants = [
      ['Suffrage.nonvoter', 'nonvoters never count'],
      ['(Suffrage.voter as number)', 'nonvoters never count'],
      ['Suffrage.nonvoter', 'no such test'],
      ['Suffrage.(', 'nonvoters never count'],
    ].map(([replace, title], at) => {
      const head = `id: mutant-${at}\nsubjects: rule 1\nwhy: It is wrong.\n`;
      const caught = `caught by: conductor/core/raft/quorum.test.ts: ${title}\n`;
      return parseMutant(`${at}`, `${head}${caught}\n@@ ${file}\n-${find}\n+${replace}\n`);
    });
    expect(await complaints(testedMutants(mutants))).toEqual([
      null,
      'the test does not notice',
      'there is no such test',
      'the mutant cannot be loaded',
    ]);
  },
);
