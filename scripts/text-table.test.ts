import { expect, test } from 'vitest';
import { textRow, textTable } from './text-table.ts';

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

test('a row by itself has the widths that it is given, and loses nothing of a wider cell', () => {
  expect(textRow(['日本', '1.5', ''], [5, 4], (column) => column === 1)).toBe('日本    1.5');
  expect(textRow(['longest', '10'], [5, 4], (column) => column === 1)).toBe('longest    10');
});
