/** What the doctor says: one sentence about one thing, how good that is, and what to do when it is not. */
import { conductorPage } from '#conductor/cli/documentation';
import type { FlagName } from '#conductor/cli/flags';

export const areas = [
  'settings',
  'store',
  'clock',
  'names',
  'tls',
  'op-node',
  'execution client',
  'health',
  'conductor',
  'nodes and log',
  'exposure',
  'traces',
] as const;
export type Area = (typeof areas)[number];

/** 'unseen': it could not be looked at, which is neither good nor bad. */
export type Verdict = 'good' | 'warning' | 'bad' | 'unseen';

export interface Finding {
  readonly area: Area;
  readonly verdict: Verdict;
  /** What was found, with its numbers. */
  readonly says: string;
  /** What to do about it; '' when there is nothing to do. */
  readonly advice: string;
  /** Where the documentation says more; '' for nowhere. */
  readonly link: string;
}

/** Makes the findings of one area. */
export function findingsOf(area: Area) {
  const make =
    (verdict: Verdict) =>
    (says: string, advice = '', link = ''): Finding => ({ area, verdict, says, advice, link });
  return { good: make('good'), warning: make('warning'), bad: make('bad'), unseen: make('unseen') };
}

/** The reference of a flag. */
export function flagLink(name: FlagName): string {
  return `${conductorPage}#--${name.replaceAll('.', '')}`;
}

/** Headings of the Conductor page that are linked to; a test looks whether they are there. */
export const sections = {
  setup: 'spin-up-op-conductor',
  guarantees: 'assumptions',
  admin: 'who-may-call-admin-methods',
  tls: 'tls-between-conductors',
  replacing: 'replacing-op-conductor',
  health: 'sequencer-health-monitoring',
} as const;

export function sectionLink(name: keyof typeof sections): string {
  return `${conductorPage}#${sections[name]}`;
}

/** "1 peer", "2 peers". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
