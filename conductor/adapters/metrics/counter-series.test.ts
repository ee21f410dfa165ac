import { expect, test } from 'vitest';
import { CounterSeries } from './counter-series.ts';
import { labelSetsMax, type Labels } from './label-sets.ts';

function flushed(series: CounterSeries): [Labels, number][] {
  const all: [Labels, number][] = [];
  series.flush((labels, by) => all.push([labels, by]));
  return all;
}

test('what was added is handed over once, equal labels together whichever object they come in', () => {
  const series = new CounterSeries();
  const same = { method: 'a' };
  series.add(same, 2);
  series.add(same, 3);
  series.add({ method: 'a' }, 4);
  series.add({ method: 'b' }, 0);
  expect(flushed(series)).toEqual([
    [{ method: 'a' }, 9],
    [{ method: 'b' }, 0],
  ]);
  series.add(same, 1);
  expect(flushed(series)).toContainEqual([{ method: 'a' }, 1]);
});

test('beyond the bound all further label sets are one, which loses nothing', () => {
  const series = new CounterSeries();
  for (let each = 0; each < labelSetsMax + 50; each += 1) series.add({ method: `m${each}` }, 1);
  const all = flushed(series);
  expect(all).toHaveLength(labelSetsMax + 1);
  expect(all.at(-1)).toEqual([{ method: 'other' }, 50]);
});

test('a counter never falls', () => {
  expect(() => new CounterSeries().add({}, -1)).toThrow('a count is added to');
  expect(() => new CounterSeries().add({}, Number.NaN)).toThrow('a count is added to');
});
