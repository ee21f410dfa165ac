import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';

test.each([
  ['', '', 0],
  ['port', 'port', 0],
  ['port', 'prot', 1],
  ['port', 'ports', 1],
  ['port', 'ort', 1],
  ['port', 'part', 1],
  ['ca', 'abc', 3],
  ['', 'abc', 3],
])('of %j and %j it is %i, both ways', (a, b, edits) => {
  expect([editDistance(a, b), editDistance(b, a)]).toEqual([edits, edits]);
});

test('beyond a limit it need not be known', () => {
  expect(editDistance('a', 'abcdef', 3)).toBe(3);
  expect(editDistance('abc', 'abd', 3)).toBe(1);
});
