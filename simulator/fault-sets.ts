/**
 * Named sets of kinds of events. `usual` is what every random run is made of; `disagreement` is what happens between
 * the log, op-nodes, execution clients and L1, in runs of their own (disagreement.ts); `hardship` what asks more of a
 * cluster, in others (hardship.ts).
 */
import { builderFaults } from './builder-faults.ts';
import { clientFaults } from './client-faults.ts';
import { eventKinds, type EventKind } from './faults.ts';
import { hardshipFaults } from './hardship-faults.ts';
import { l1Faults } from './l1-faults.ts';
import { strayFaults } from './stray-faults.ts';

export type DisagreementKind =
  | keyof typeof builderFaults
  | keyof typeof clientFaults
  | keyof typeof l1Faults
  | keyof typeof strayFaults;

export const disagreementKinds = Object.keys({
  ...builderFaults,
  ...clientFaults,
  ...l1Faults,
  ...strayFaults,
}) as readonly DisagreementKind[];

export type HardshipKind = keyof typeof hardshipFaults;

export const hardshipKinds = Object.keys(hardshipFaults) as readonly HardshipKind[];

const kindsOfTheirOwn: readonly EventKind[] = [...disagreementKinds, ...hardshipKinds];

export const usualKinds: readonly EventKind[] = eventKinds.filter((kind) => !kindsOfTheirOwn.includes(kind));

/**
 * Kinds that break a law today, alone, and what they wait for: the others hold every law, which faults.test.ts shows.
 * A row goes when its part of the core is there.
 */
export const waitingFor: Readonly<Partial<Record<DisagreementKind | HardshipKind, string>>> = {};
