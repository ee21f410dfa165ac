/**
 * The badges of a flag, method or metric: since when it is there, whether op-conductor has it, and the row of the
 * compatibility tables that names it.
 */
import { behaviourDifferences } from '#conductor/core/behaviour-differences';
import { startDifferences } from '#conductor/cli/startup-differences';
import { answerDifferences } from '#conductor/core/rpc/compatibility';

/** The release with which everything began that does not say otherwise. */
const FIRST_RELEASE = '0.1.0';
const ROUTE = '/conductor/differences';

export interface DifferenceRow {
  readonly about?: string;
  readonly area?: string;
  readonly opConductor: string;
  readonly ours: string;
  readonly why: string;
}

/** The compatibility tables, by the name that pages give. */
export const differenceSets: Readonly<Record<string, readonly DifferenceRow[]>> = {
  answers: answerDifferences,
  starts: startDifferences,
  behaviour: behaviourDifferences,
};

export function anchorOfDifference(set: string, at: number): string {
  return `difference-${set}-${at + 1}`;
}

export interface Badged {
  /** As readers write it: `--raft.bootstrap`, `conductor_pause`. */
  readonly name: string;
  readonly isOwn: boolean;
  readonly since?: string;
}

/** MDX. */
export function badgesOf({ name, isOwn, since = FIRST_RELEASE }: Badged): string {
  const href = isOwn ? null : differenceOf(name);
  const attributes = [...(isOwn ? [`since="${since}"`, 'own'] : []), ...(href === null ? [] : [`href="${href}"`])];
  return attributes.length === 0 ? '' : `<Badges ${attributes.join(' ')} />`;
}

/** Where the tables tell it; null where they do not name it. */
export function differenceOf(name: string): string | null {
  const escaped = name.replaceAll(/[.]/g, '\\.');
  const pattern = new RegExp(`(?<![\\w.-])${escaped}(?![\\w-]|\\.\\w)`);
  for (const [set, rows] of Object.entries(differenceSets)) {
    const at = rows.findIndex(({ about = '', opConductor, ours }) => pattern.test(`${about} ${opConductor} ${ours}`));
    if (at >= 0) return `${ROUTE}#${anchorOfDifference(set, at)}`;
  }
  return null;
}
