import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lawGroups, lawNotes } from './law-notes.ts';
import { simulationGenerators } from './simulation.ts';

const data = join(import.meta.dirname, '../../../content/data');
const read = (name: string): Record<string, unknown[]> =>
  JSON.parse(readFileSync(join(data, name), 'utf8')) as Record<string, unknown[]>;
const make = (name: string, attributes = {}): string => simulationGenerators[`simulation/${name}`]?.(attributes) ?? '';
/** The cells of the rows whose first one ends in a name set as code: sentence, name, the others. */
const rowsOf = (text: string): string[][] =>
  Array.from(text.matchAll(/^\| (.*?) `([\w-]+)` \|(.*)\|$/gm), ([, says = '', name = '', others = '']) => [
    says,
    name,
    ...others.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  ]);

test('every law stands in one group, with the runs and events that the data has, or in words that there are none', () => {
  const rows = lawGroups.flatMap((group) => rowsOf(make('laws', { group })));
  expect(rows.map(([, law]) => law).toSorted()).toEqual(Object.keys(lawNotes).toSorted());
  const measured = read('simulation.json')['laws'] as { law: string; runs: number; events: number }[];
  for (const [, law = '', runs, events] of rows) {
    const known = measured.find((row) => row.law === law);
    const numbers = [runs, events].map((cell) => Number(cell?.replaceAll('\u00A0', '')));
    if (known === undefined || known.runs === 0) expect([runs, events], law).toEqual(['none yet', 'none yet']);
    else if (known.events === 0) expect(events, law).toBe('each run as a whole');
    else expect(numbers, law).toEqual([known.runs, known.events]);
  }
});

test('a group that does not exist is named', () => {
  expect(() => make('laws', { group: 'others' })).toThrow(/one of log, chain, leadership, service/);
});

test('every fault of the data is told as a sentence, without what stories fill in', () => {
  const rows = rowsOf(make('faults'));
  expect(rows).toHaveLength(Object.keys(read('simulation.json')['faults'] ?? {}).length);
  for (const [what, fault] of rows) expect(what, fault).toMatch(/^[A-Z][^{}]*\.$/);
});

test('every bug has a row, and the sentence counts those that were noticed', () => {
  const mutants = read('mutants.json')['mutants'] as { outcome: string }[];
  expect(rowsOf(make('mutants'))).toHaveLength(mutants.length);
  const killed = mutants.filter(({ outcome }) => outcome === 'killed').length;
  expect(make('mutant-summary')).toContain(`Of ${mutants.length} bugs the simulator noticed **${killed}**`);
});
