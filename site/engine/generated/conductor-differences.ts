/**
 * The compatibility tables: every deliberate difference from op-conductor, from the same rows from which
 * the tests take their exceptions.
 */
import { behaviourDifferences } from '#conductor/behaviour-differences';
import { startDifferences } from '#conductor/cli/startup-differences';
import { answerDifferences } from '#conductor/rpc/compatibility';
import type { Generator } from './generator.ts';
import { prose, table } from './mdx-text.ts';

interface Row {
  readonly about?: string;
  readonly area?: string;
  readonly theirs: string;
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
  return table(
    ['About', 'op-conductor v1.19.6', 'Conductor', 'Why'],
    rows.map(({ about, area, theirs, ours, why }) => [about ?? area ?? '', theirs, ours, why].map(cell)),
  );
};

/** References to the numbered rules of the design mean nothing to readers of the page. */
function cell(text: string): string {
  return prose(text.replace(/ \(rules? \d+(?:(?:, | and )\d+)*\)/g, ''));
}
