import { expect, test } from 'vitest';
import { judge } from './judge.ts';

test('a ratio is taken round by round, and its spread is that of the rounds', () => {
  const judged = judge('ratio', { atMost: 0.5 }, { ours: [2, 3, 9], theirs: [10, 10, 10] });
  expect(judged).toMatchObject({ verdict: 'holds', value: 0.3, low: 0.2, high: 0.9, ours: 3, theirs: 10 });
});

test('a round that only one side finished is in no ratio', () => {
  expect(judge('ratio', { atLeast: 2 }, { ours: [30, 1], theirs: [10] })).toMatchObject({ value: 3, high: 3 });
});

test('samples that are not taken in pairs are compared by their medians', () => {
  const judged = judge('ratio-of-medians', { atMost: 0.1 }, { ours: [1, 2, 3, 4, 5], theirs: [29] });
  expect(judged).toMatchObject({ verdict: 'falls short', value: 3 / 29 });
});

test('a bound holds at its edge, and on the right side only', () => {
  const of = (bound: Parameters<typeof judge>[1]): string => judge('ours', bound, { ours: [150] }).verdict;
  expect([of({ atMost: 150 }), of({ atMost: 149 }), of({ atLeast: 150 }), of({ atLeast: 151 })]).toEqual([
    'holds',
    'falls short',
    'holds',
    'falls short',
  ]);
});

test('what went wrong while measuring is never a goal held', () => {
  const judged = judge('ours', { atLeast: 1 }, { ours: [5], fault: 'refused: 413' });
  expect(judged).toMatchObject({ verdict: 'falls short', remark: 'refused: 413' });
  expect(judge('ours', { atLeast: 1 }, { ours: [], fault: 'refused: 413' }).verdict).toBe('falls short');
});

test('nothing is judged that was not measured, on either side', () => {
  expect(judge('ours', { atMost: 1 }, null)).toMatchObject({ verdict: 'unknown', remark: 'not measured' });
  const alone = judge('ratio', { atMost: 1 }, { ours: [1], theirs: [] });
  expect(alone).toMatchObject({ verdict: 'unknown', remark: 'op-conductor was not measured', ours: 1 });
});

test('the worst of ours is the largest', () => {
  expect(judge('our-worst', { atMost: 2 }, { ours: [1, 3, 1] })).toMatchObject({ verdict: 'falls short', value: 3 });
});

test('without a bound the figure is told, not judged', () => {
  expect(judge('ours', {}, { ours: [7] })).toMatchObject({ verdict: 'told', value: 7 });
});
