/**
 * What can happen to a world: every kind of event by name. Targets are relative (a number modulo the machines),
 * so that an event means something in every run it is put into.
 */
import { builderFaults } from './builder-faults.ts';
import { clientFaults } from './client-faults.ts';
import { diskFaults } from './disk-faults.ts';
import type { EventNumbers, Kind } from './fault.ts';
import { handOverFaults } from './hand-over-faults.ts';
import { hardshipFaults } from './hardship-faults.ts';
import { l1Faults } from './l1-faults.ts';
import { leaderFaults } from './leader-faults.ts';
import { networkFaults } from './network-faults.ts';
import { nodeFaults } from './node-faults.ts';
import { operations } from './operators.ts';
import { processFaults } from './process-faults.ts';
import { strayFaults } from './stray-faults.ts';

export const kinds = {
  ...processFaults,
  ...networkFaults,
  ...leaderFaults,
  ...handOverFaults,
  ...diskFaults,
  ...nodeFaults,
  ...operations,
  ...builderFaults,
  ...clientFaults,
  ...l1Faults,
  ...strayFaults,
  ...hardshipFaults,
} as const satisfies Readonly<Record<string, Kind>>;

export type EventKind = keyof typeof kinds;

/** One event of a run. */
export interface SimEvent extends EventNumbers {
  readonly kind: EventKind;
}

export const eventKinds = Object.keys(kinds) as readonly EventKind[];

/** The event as a sentence. */
export function storyOf(event: SimEvent, servers: number): string {
  const { story, lasts } = kinds[event.kind];
  const at = event.at % servers;
  const to = (event.at + 1 + (event.to % Math.max(1, servers - 1))) % servers;
  const text = story.replaceAll('{at}', `s${at}`).replaceAll('{to}', `s${to}`).replaceAll('{n}', String(event.amount));
  return lasts ? `${text}, for ${event.forMs} ms` : text;
}
