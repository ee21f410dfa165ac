import { describe, expect, it } from 'vitest';
import { describeResult } from './describe-result.ts';
import { recommendFees, type FeeInputs } from './formula.ts';
import { readInputs, startText } from './inputs.ts';

function sentencesFor(changes: Readonly<Record<string, string>>): string {
  const inputs = readInputs({ ...startText, ...changes }) as FeeInputs;
  return describeResult(inputs, recommendFees(inputs)).sentences.join(' ');
}

describe('the result in sentences', () => {
  it('says what a user pays and what remains', () => {
    expect(sentencesFor({})).toMatch(
      /A user pays a data fee of about \$0\.0\d+ .* ETH remain after costs, 5\.0\u00a0% of the data fees/,
    );
  });

  it('says so where a scalar does not fit into the contract', () => {
    expect(sentencesFor({ transactionsPerDay: '4', transactionType: 'Mode' })).toContain('up to 4294967295');
    expect(sentencesFor({})).not.toContain('4294967295');
  });

  it('says that scalars for calldata leave proposals out although they were asked for', () => {
    const calldata = { transactionsPerDay: '100' };
    expect(sentencesFor(calldata)).toMatch(/leave proposals out, .* ETH a day/);
    expect(sentencesFor({ ...calldata, proposalHours: '0' })).not.toContain('leave proposals out');
    expect(sentencesFor({})).not.toContain('leave proposals out');
  });

  it('says that costs are not covered where users do not pay for proposals', () => {
    expect(sentencesFor({ includesProposals: 'no', l1BaseFeeGwei: '20' })).toContain('are not covered by fees');
  });
});
