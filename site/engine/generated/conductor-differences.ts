/**
 * The compatibility tables: every deliberate difference from op-conductor, from the same rows from which
 * the tests take their exceptions.
 */
import type { Generator } from './generator.ts';
import { prose, table } from './mdx-text.ts';
import { anchorOfDifference, differenceSets, type DifferenceRow } from './row-badges.ts';

/** `of="answers"`, `"starts"` or `"behaviour"`. */
export const conductorDifferences: Generator = ({ of = '' }) => {
  const rows = differenceSets[of];
  if (rows === undefined)
    throw new Error(`conductor/differences: of must be one of ${Object.keys(differenceSets).join(', ')}`);
  return table(
    ['op-conductor v1.19.6', 'Conductor, and why'],
    rows.map((row, at) => cells(row, anchorOfDifference(of, at))),
  );
};

/** Two columns, so that they stand side by side on a phone, too. */
function cells({ about, area, opConductor, ours, why }: DifferenceRow, anchor: string): string[] {
  return [
    `<span id="${anchor}">**${cell(about ?? area ?? '')}:**</span> ${cell(opConductor)}`,
    `${cell(ours)}. *${cell(why)}*`,
  ];
}

/** References to the numbered rules of the design mean nothing to readers of the page. */
function cell(text: string): string {
  return prose(text.replace(/ \(rules? \d+(?:(?:, | and )\d+)*\)/g, ''));
}
