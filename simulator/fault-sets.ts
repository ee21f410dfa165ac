/**
 * Named sets of kinds of events. `usual` is what every random run is made of; `disagreement` is what happens between
 * the log, op-nodes, execution clients and L1, in runs of their own (disagreement.ts).
 */
import { builderFaults } from './builder-faults.ts';
import { clientFaults } from './client-faults.ts';
import { eventKinds, type EventKind } from './faults.ts';
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

export const usualKinds: readonly EventKind[] = eventKinds.filter(
  (kind) => !(disagreementKinds as readonly EventKind[]).includes(kind),
);
