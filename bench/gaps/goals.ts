/**
 * What is measured by the gaps benchmark and what is demanded of our conductors there. Times follow
 * from the settings: slots of one second, op-conductor's heartbeat timeout, short health intervals.
 */
import { harms, type Harm } from '../../tests/cluster/service-harms.ts';
import type { ServiceSettings } from '../../tests/cluster/service-node.ts';

export const SLOT_MS = 1000;
const SHORT_SLOT_MS = 250;
export const HEARTBEAT_TIMEOUT_MS = 1000;
/** At most one missed slot: the next block comes before the one after it would be missed too. */
const ONE_MISSED_MS = 2.5 * SLOT_MS;
export const SETTINGS: ServiceSettings = { healthIntervalSeconds: 1, unsafeIntervalSeconds: 3 };

/** 'gap': between two published heights. 'start': from the harm to another sequencer's answered start. */
export type Measure = 'gap' | 'start';

export interface Goal {
  readonly harm: Harm;
  readonly measure: Measure;
  /** At most this many milliseconds … */
  readonly limitMs: number;
  /** … in this share of rounds. */
  readonly share: number;
  /** Longest time between two published heights in any round, whatever is measured; milliseconds. */
  readonly gapMaxMs?: number;
  /** How long the leader has led before, and how long the harm lasts at least: a silence that the flags' times bear is none. */
  readonly standing?: { readonly beforeMs: number; readonly lastsMs: number };
  readonly rounds: { readonly full: number; readonly quick: number };
  /** From one block to the next; SLOT_MS unless it is given. */
  readonly slotMs?: number;
  /** Also measured with op-conductors, alone and beside ours. */
  readonly isCompared: boolean;
}

const few = { full: 20, quick: 3 };
const { healthIntervalSeconds, unsafeIntervalSeconds } = SETTINGS;
const always = { measure: 'gap', share: 1, rounds: few } as const;
const handedOver = { measure: 'gap', limitMs: 1.5 * SLOT_MS, share: 0.95, rounds: few } as const;
/** A leader that is silent costs one block, not two (rule 34), once it has led for longer than learning takes. */
const silent = {
  ...always,
  limitMs: 1.5 * SLOT_MS,
  standing: { beforeMs: 4 * HEARTBEAT_TIMEOUT_MS, lastsMs: 2 * HEARTBEAT_TIMEOUT_MS },
} as const;

/** The same of a chain that asks more: the title tells its rows apart. */
function inShortSlots(harm: Harm): { readonly harm: Harm; readonly slotMs: number } {
  return { harm: { ...harm, title: `blocks of ${SHORT_SLOT_MS} ms: ${harm.title}` }, slotMs: SHORT_SLOT_MS };
}

export const goals: readonly Goal[] = [
  {
    harm: harms.conductorKilled,
    measure: 'start',
    limitMs: 150,
    share: 0.99,
    gapMaxMs: ONE_MISSED_MS,
    rounds: { full: 100, quick: 6 },
    isCompared: true,
  },
  { harm: harms.bothKilled, ...always, limitMs: ONE_MISSED_MS, isCompared: true },
  { harm: harms.sequencerKilled, ...always, limitMs: healthIntervalSeconds * 1000 + SLOT_MS, isCompared: true },
  { harm: harms.headStalled, ...always, limitMs: unsafeIntervalSeconds * 1000 + 2 * SLOT_MS, isCompared: true },
  { harm: harms.transferred, ...handedOver, isCompared: true },
  { harm: harms.drained, ...handedOver, isCompared: true },
  { harm: harms.rolled, ...handedOver, isCompared: true },
  { harm: harms.conductorStopped, ...silent, isCompared: true },
  { harm: harms.powerCut, ...silent, isCompared: false },
  { harm: harms.cutOff, ...silent, isCompared: true },
  { harm: harms.notHeard, ...silent, isCompared: false },
  { harm: harms.notHearing, ...silent, isCompared: false },
  { ...inShortSlots(harms.bothKilled), ...always, limitMs: 300, isCompared: true },
  { ...inShortSlots(harms.conductorStopped), ...silent, limitMs: 700, isCompared: true },
  { ...inShortSlots(harms.cutOff), ...silent, limitMs: 700, isCompared: true },
];
