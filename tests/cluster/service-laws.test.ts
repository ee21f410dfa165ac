import { expect, test } from 'vitest';
import type { Publication } from './publications.ts';
import { heightsWithTwoHashes, lostPayloads, overlappingPublishers, publishingGap } from './service-laws.ts';

function published(node: string, number: number, atMs: number, hash = `0x${number}`): Publication {
  return { node, number, atMs, hash };
}

test('a height with two hashes is told, one heard twice is not', () => {
  const once = published('a', 1, 10);
  expect(heightsWithTwoHashes([once, once, published('b', 2, 20)])).toEqual([]);
  expect(heightsWithTwoHashes([once, published('b', 1, 11, '0xff')])).toEqual([
    'height 1 was published as 0x1 and as 0xff',
  ]);
});

test('an acknowledged payload that one node lacks is lost', () => {
  const one = { number: 1, hash: '0x1' };
  const full = { node: 'a', blocks: [one] };
  expect(lostPayloads([one], [full, { node: 'b', blocks: [one] }])).toEqual([]);
  expect(lostPayloads([one], [full, { node: 'b', blocks: [] }])).toEqual([
    'b does not have block 1, 0x1, which was acknowledged',
  ]);
});

test('a superseded sequencer may publish new heights only after another start', () => {
  const takenOver = [published('a', 1, 10), published('b', 2, 20)];
  const starts = [
    { node: 'a', atMs: 5 },
    { node: 'b', atMs: 15 },
  ];
  expect(overlappingPublishers(takenOver, starts)).toEqual([]);
  const again = [...takenOver, published('a', 3, 30)];
  expect(overlappingPublishers(again, starts)).toEqual(['a published block 3 though b had taken over']);
  expect(overlappingPublishers(again, [...starts, { node: 'a', atMs: 25 }])).toEqual([]);
});

test('a late publication of a block that others built on is not a second publisher', () => {
  const late = [published('a', 1, 10), published('b', 3, 20), published('a', 2, 30), published('b', 4, 40)];
  expect(overlappingPublishers(late, [{ node: 'b', atMs: 15 }])).toEqual([]);
});

test('the gap is the longest wait for a new height that ended after the moment given', () => {
  const blocks = [published('a', 1, 0), published('a', 2, 5_000), published('b', 3, 6_000), published('b', 4, 8_500)];
  expect(publishingGap(blocks, 5_500)).toBe(2_500);
  expect(publishingGap(blocks, 0)).toBe(5_000);
  expect(publishingGap([published('a', 1, 50)], 0)).toBe(0);
});
