import { expect, test } from 'vitest';
import { textTable } from './text-table.ts';

test('columns are as wide as their widest cell on a terminal, and begin or end there', () => {
  const rows = [
    ['name', 'ms', 'note'],
    ['日本', '1.5'],
    ['x', '10', 'slow'],
  ];
  expect(textTable(rows, (column) => column === 1)).toEqual(['name   ms  note', '日本  1.5', 'x      10  slow']);
});

test('without rows there is nothing', () => {
  expect(textTable([], () => false)).toEqual([]);
});
