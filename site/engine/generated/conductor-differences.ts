/**
 * The compatibility tables: every deliberate difference from op-conductor, from the same rows from which
 * the tests take their exceptions.
 */
import { behaviourDifferences } from '#conductor/core/behaviour-differences';
import { startDifferences } from '#conductor/cli/startup-differences';
import { answerDifferences } from '#conductor/core/rpc/compatibility';
import type { Generator } from './generator.ts';
import { prose, table } from './mdx-text.ts';

interface Row {
  readonly about?: string;
  readonly area?: string;
  readonly opConductor: string;
  readonly ours: string;
  readonly why: string;
}

const sets: Readonly<Record<string, readonly Row[]>> = {
  answers: answerDifferences,
  starts: startDifferences,
  behaviour: behaviourDifferences,
};

/** `of="answers"`, `"starts"` or `"behaviour"`. */
export const conductorDifferences: Generator = ({ of = '' }) => {
  const rows = sets[of];
  if (rows === undefined) throw new Error(`conductor/differences: of must be one of ${Object.keys(sets).join(', ')}`);
  return table(['op-conductor v1.19.6', 'Conductor, and why'], rows.map(cells));
};

/** Two columns, so that they stand side by side on a phone, too. */
function cells({ about, area, opConductor, ours, why }: Row): string[] {
  return [`**${cell(about ?? area ?? '')}:** ${cell(opConductor)}`, `${cell(ours)}. *${cell(why)}*`];
}

/** References to the numbered rules of the design mean nothing to readers of the page. */
function cell(text: string): string {
  return prose(text.replace(/ \(rules? \d+(?:(?:, | and )\d+)*\)/g, ''));
}
