import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { recommendFees, transactionTypes, type FeeInputs } from './formula.ts';
import { readInputs, startText } from './inputs.ts';

const start = readInputs(startText) as FeeInputs;

const anyInputs: fc.Arbitrary<FeeInputs> = fc.record({
  transactionsPerDay: fc.integer({ min: 100, max: 20_000_000 }),
  transactionType: fc.constantFrom(...transactionTypes),
  dataAvailability: fc.constantFrom('ethereum' as const, 'alt-da' as const),
  hasFaultProofs: fc.boolean(),
  marginPercent: fc.double({ min: 0, max: 90, noNaN: true }),
  blobsPerTransactionMax: fc.integer({ min: 1, max: 6 }),
  channelHours: fc.double({ min: 0.1, max: 24, noNaN: true }),
  proposalHours: fc.double({ min: 0.5, max: 100, noNaN: true }),
  includesProposals: fc.boolean(),
  l1BaseFeeGwei: fc.double({ min: 0.1, max: 500, noNaN: true }),
  blobBaseFeeGwei: fc.double({ min: 0.001, max: 100, noNaN: true }),
  ethUsd: fc.double({ min: 100, max: 10_000, noNaN: true }),
});

describe('recommendFees', () => {
  it('gives what is worked out by hand from the published formulas for the starting inputs', () => {
    // One blob holds (131072 − 406 − 1028) × 1.313 bytes; channels of 5 h are all full; 5 blobs each.
    const size = 500_000 * 474.6;
    const blobs = size / (129_638 * 1.313);
    const result = recommendFees(start);
    expect(result.dataPath).toBe('blobs');
    expect(result.blobFullness).toBeCloseTo(1, 12);
    expect(result.blobsPerL1Transaction).toBe(5);
    expect(result.blobBaseFeeScalar).toBe(Math.round(((blobs * 131_072) / size / 0.95) * 1e6));
    expect(result.baseFeeScalar).toBe(Math.round((((blobs / 5) * 21_000 + 24 * 420_926) / (16 * size) / 0.95) * 1e6));
  });

  it('uses the estimated size, not the calldata ratio, for how many blobs fit a transaction', () => {
    // 60 000 transactions: a channel of an hour fills 6.97 blobs by size, and 0.3 by the ratio.
    expect(recommendFees({ ...start, transactionsPerDay: 60_000, channelHours: 1 }).blobsPerL1Transaction).toBe(
      Math.min(5, Math.round(((60_000 / 24) * 474.6) / (129_638 * 1.313))),
    );
  });

  it('heeds the most blobs a transaction may carry', () => {
    expect(recommendFees({ ...start, blobsPerTransactionMax: 2 }).blobsPerL1Transaction).toBe(2);
    expect(recommendFees({ ...start, blobsPerTransactionMax: 2 }).baseFeeScalar).toBeGreaterThan(
      recommendFees(start).baseFeeScalar,
    );
  });

  it('leaves the target margin where blobs are full and proposals are covered', () => {
    const { marginEthPerDay, revenueEthPerDay } = recommendFees({ ...start, l1BaseFeeGwei: 20, blobBaseFeeGwei: 1 });
    expect(marginEthPerDay / revenueEthPerDay).toBeCloseTo(0.05, 3);
  });

  it('charges no blobs on Alt-DA', () => {
    const result = recommendFees({ ...start, dataAvailability: 'alt-da' });
    expect(result.dataPath).toBe('alt-da');
    expect(result.blobBaseFeeScalar).toBe(0);
  });

  it('recommends calldata where blobs cost a user more', () => {
    const result = recommendFees({ ...start, transactionsPerDay: 1000 });
    expect(result.feeUsdOf.blobs > result.feeUsdOf.calldata).toBe(result.dataPath === 'calldata');
    expect(result.feePerTransactionUsd).toBe(result.feeUsdOf[result.dataPath]);
  });

  it('pays for no proposals when there are none', () => {
    expect(recommendFees({ ...start, proposalHours: 0 }).proposalCostEthPerDay).toBe(0);
  });

  it('never recommends the dearer of blobs and calldata, and every number is finite', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const result = recommendFees(inputs);
        const { blobs, calldata } = result.feeUsdOf;
        if (inputs.dataAvailability === 'ethereum') expect(result.feePerTransactionUsd).toBe(Math.min(blobs, calldata));
        for (const value of Object.values(result))
          if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite);
        expect(result.blobFullness).toBeGreaterThan(0);
        expect(result.blobFullness).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});
