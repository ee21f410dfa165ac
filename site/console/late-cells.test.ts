import { expect, test } from 'vitest';
import { lateColumns, lateSummary, withBlock } from './late-cells.ts';

const chain = { blockMs: 1000, zeroMs: 100_000 };

test('a block is as late as its commit is after its own timestamp', () => {
  const blocks = [
    [1, 101_020],
    [2, 102_000],
    [3, 106_500],
  ] as const;
  expect(lateColumns({ blocks, run: null }, chain, null)).toEqual({
    atMs: [101_020, 102_000, 106_500],
    leastMs: [20, 0, 3500],
    meanMs: [20, 0, 3500],
    mostMs: [20, 0, 3500],
  });
  expect(lateColumns({ blocks, run: null }, { ...chain, zeroMs: null }, null).atMs).toEqual([]);
});

test('while the chain stands the next block is late already, and in rhythm it is not', () => {
  const blocks = [[1, 101_020]] as const;
  expect(lateColumns({ blocks, run: null }, chain, 105_000).meanMs).toEqual([20, 3000]);
  expect(lateColumns({ blocks, run: null }, chain, 102_500).meanMs).toEqual([20]);
});

test('where no block came the line is broken', () => {
  const run = {
    fromMs: 0,
    toMs: 50,
    pauses: [],
    cellMs: 10,
    late: [
      [0, 1, 2, 3],
      [10, 1, 2, 3],
      [40, 4, 5, 6],
    ],
  } as const;
  const { atMs, meanMs } = lateColumns({ blocks: [], run }, chain, null);
  expect(atMs).toEqual([5, 15, 20, 45]);
  expect(meanMs).toEqual([2, 2, null, 5]);
});

test('a new block goes into the last cell, or begins one where it belongs', () => {
  const run = { fromMs: 0, toMs: 50, pauses: [], cellMs: 10, late: [[0, 1, 4, 6]] } as const;
  expect(withBlock(run, 8, 20)).toEqual([[0, 1, 8, 20]]);
  expect(withBlock(run, 37, 20)).toEqual([
    [0, 1, 4, 6],
    [30, 20, 20, 20],
  ]);
});

test('the shown part comes to its mean and its highest', () => {
  const columns = lateColumns(
    {
      blocks: [
        [1, 101_010],
        [2, 102_030],
        [3, 109_000],
      ],
      run: null,
    },
    chain,
    null,
  );
  expect(lateSummary(columns, 101_000, 103_000)).toEqual({ meanMs: 20, mostMs: 30, atMs: 102_030 });
  expect(lateSummary(columns, 104_000, 105_000)).toBeNull();
});
