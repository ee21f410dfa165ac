/** The fee calculator's results at its starting values: what readers without JavaScript see. */
import { describeResult, pathNames } from '../../islands/fee-calculator/describe-result.ts';
import { recommendFees, transactionTypes, type FeeInputs } from '../../islands/fee-calculator/formula.ts';
import { readInputs, startText } from '../../islands/fee-calculator/inputs.ts';
import type { Generator } from './generator.ts';
import { table } from './mdx-text.ts';

export const feeCalculatorExamples: Generator = () => {
  const rows = transactionTypes.flatMap(({ name }) =>
    (['ethereum', 'alt-da'] as const).map((dataAvailability) => {
      const inputs = inputsFor(name, dataAvailability);
      const result = recommendFees(inputs);
      return [
        name,
        pathNames[result.dataPath],
        String(result.blobBaseFeeScalar),
        String(result.baseFeeScalar),
        `$${result.feePerTransactionUsd.toPrecision(3)}`,
      ];
    }),
  );
  const start = inputsFor(transactionTypes[0]?.name ?? '', 'ethereum');
  const header = [
    'Transactions like those of',
    'Data as',
    '`l1BlobBaseFeeScalar`',
    '`l1BaseFeeScalar`',
    'Data fee each',
  ];
  const volume = `The table is for ${start.transactionsPerDay} transactions a day and a margin of ${start.marginPercent} %.`;
  return `${table(header, rows)}\n\n${volume} ${describeResult(start, recommendFees(start)).assumptions}`;
};

function inputsFor(transactionType: string, dataAvailability: string): FeeInputs {
  const inputs = readInputs({ ...startText, transactionType, dataAvailability });
  if (inputs === null) throw new Error('the starting values of the fee calculator are out of their ranges');
  return inputs;
}
