/** The calculator's results in sentences: for the page, and for the table that needs no script. */
import type { DataPath, FeeInputs, FeeRecommendation } from './formula.ts';

export const pathNames: Readonly<Record<DataPath, string>> = {
  blobs: 'blobs',
  calldata: 'L1 calldata',
  'alt-da': 'Alt-DA commitments',
};

/** `setGasConfigEcotone` takes 32 bits. */
const SCALAR_MAX = 2 ** 32 - 1;

/** `assumptions` says for which prices and filling the numbers hold. */
export function describeResult(
  inputs: FeeInputs,
  result: FeeRecommendation,
): { readonly sentences: readonly string[]; readonly assumptions: string } {
  const sentences = [
    `A user pays a data fee of about $${significant(result.feePerTransactionUsd)} for a transaction.`,
    marginSentence(result),
  ];
  if (result.dataPath === 'calldata' && inputs.includesProposals && result.proposalCostEthPerDay > 0) {
    sentences.push(
      `In the published model, scalars for calldata leave proposals out, so ${significant(result.proposalCostEthPerDay)} ETH a day for proposals come out of the margin, or you pay them yourself.`,
    );
  }
  const tooLarge = tooLargeSentence(result);
  if (tooLarge !== null) sentences.push(tooLarge);
  const comparison = comparisonSentence(result);
  if (comparison !== null) sentences.push(comparison);
  const filling =
    result.dataPath === 'alt-da'
      ? ''
      : ` Blobs are ${Math.round(result.blobFullness * 100)} % full, with ${result.blobsPerL1Transaction} per L1 transaction.`;
  return {
    sentences,
    assumptions:
      `These numbers assume an L1 base fee of ${inputs.l1BaseFeeGwei} gwei, a blob base fee of ` +
      `${inputs.blobBaseFeeGwei} gwei and ${inputs.ethUsd} USD for one ETH.${filling} This is an estimate: monitor what your chain really spends.`,
  };
}

function marginSentence({ marginEthPerDay, revenueEthPerDay, proposalCostEthPerDay }: FeeRecommendation): string {
  if (marginEthPerDay < 0) {
    return (
      `Each day ${significant(-marginEthPerDay)} ETH of costs are not covered by fees ` +
      `(proposals cost ${significant(proposalCostEthPerDay)} ETH).`
    );
  }
  const percent = revenueEthPerDay === 0 ? 0 : (100 * marginEthPerDay) / revenueEthPerDay;
  return `Each day ${significant(marginEthPerDay)} ETH remain after costs, ${percent.toFixed(1)} % of the data fees.`;
}

function tooLargeSentence({ blobBaseFeeScalar, baseFeeScalar }: FeeRecommendation): string | null {
  if (Math.max(blobBaseFeeScalar, baseFeeScalar) <= SCALAR_MAX) return null;
  return `SystemConfig takes scalars up to ${SCALAR_MAX}: with so few transactions no fee covers these costs. Try a longer channel.`;
}

function comparisonSentence({ dataPath, feeUsdOf }: FeeRecommendation): string | null {
  if (dataPath === 'alt-da' || feeUsdOf.blobs === feeUsdOf.calldata) return null;
  const other = dataPath === 'blobs' ? 'calldata' : 'blobs';
  const saved = 100 * (1 - feeUsdOf[dataPath] / feeUsdOf[other]);
  return `That is ${saved.toFixed(1)} % less than with ${pathNames[other]}.`;
}

/** Three significant digits, without an exponent where one can be avoided. */
function significant(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
