/** Every incident is told on a page, with a link that plays its run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { incidents, runTextOf, type IncidentId } from '#simulator/incidents';
import { incidentGenerators } from './incidents.ts';

const folder = join(import.meta.dirname, '../../../content/pages/conductor/incidents');
const ids = Object.keys(incidents) as IncidentId[];
const make = (name: string, attributes = {}): string => incidentGenerators[`incidents/${name}`]?.(attributes) ?? '';

it('each has one place on the pages', () => {
  const text = ['outages.mdx', 'defects.mdx'].map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const told = Array.from(text.matchAll(/<Generated from="incidents\/result" of="([^"]+)" \/>/g), ([, id]) => id);
  expect(told.toSorted()).toEqual(ids.toSorted());
});

it('each has a row and a link to its run', () => {
  const overview = make('overview');
  for (const id of ids) {
    expect(overview).toContain(`\`${id}\``);
    expect(overview).toContain(`#run=${runTextOf(id)})`);
    expect(make('result', { of: id })).toContain(`#run=${runTextOf(id)})`);
  }
});

it('one that does not exist is named', () => {
  expect(() => make('result', { of: 'base-1999' })).toThrow(/one of base-2025-08-05/);
});
