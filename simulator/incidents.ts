/**
 * Public incidents of sequencer high availability as runs: what made each happen, in the fewest events, against
 * conductors as they ship. The page content/pages/conductor/incidents has the sources, and plays them; the same is done
 * to real processes by `npm run bench -- incidents`.
 */
import { defaultConfiguration, type Configuration } from './configuration.ts';
import type { SimEvent } from './faults.ts';
import { RUN_VERSION, runToText, type Run } from './run-value.ts';

/** A date for an outage, a number for an issue or a pull request of the repository in which op-conductor is. */
export type IncidentId = keyof typeof table;

export interface Incident {
  readonly title: string;
  readonly run: Run;
  /** The chain may stand for so long; milliseconds. */
  readonly gapMaxMs: number;
}

/** Longer than anybody would wait for a block. */
const LONG_MS = 15_000;
/** The chain has been going for so long when it begins. */
const CALM_MS = 6000;

/** An event as a table has it; it lasts for long, and the first one happens to a chain that has been going for a while. */
export type Given = Pick<SimEvent, 'kind'> & Partial<SimEvent>;

/** The run of events that a table has, with the settings that are not as usual. */
export function runOfEvents(events: readonly Given[], settings: Partial<Configuration> = {}): Run {
  const whole = events.map((event, place): SimEvent => ({
    ...{ afterMs: place === 0 ? CALM_MS : 0, at: 0, to: 0, forMs: LONG_MS, amount: 0 },
    ...event,
  }));
  return { version: RUN_VERSION, configuration: { ...defaultConfiguration, ...settings }, events: whole };
}

function incident(
  title: string,
  gapMaxMs: number,
  events: readonly Given[],
  settings: Partial<Configuration> = {},
): Incident {
  return { title, gapMaxMs, run: runOfEvents(events, settings) };
}

/** Of what is over at once. */
const atOnce = { forMs: 0 } as const;
const engine = { engine: 1 } as const;

const table = {
  'base-2025-08-05': incident(
    'The lead goes to a sequencer that is still being provisioned, whose conductor is paused',
    3500,
    [
      { kind: 'unprovisioned', at: 1 },
      { kind: 'pause', at: 1 },
      { kind: 'stall', at: 0, afterMs: 1000 },
    ],
  ),
  'base-2026-06-25': incident(
    'Every sequencer seals blocks with an invalid state transition',
    5000,
    [{ kind: 'badBuilders', forMs: 12_000 }],
    engine,
  ),
  'base-2026-06-26': incident(
    'Sequencers that were reset cannot catch up',
    3500,
    [{ kind: 'clientsCrash', ...atOnce, amount: 5 }],
    engine,
  ),
  'op-mainnet-2024-02-15': incident('The leader cannot import a block that it has published', 3500, [
    { kind: 'disputedSeal', amount: 0, forMs: 10_000 },
  ]),
  'base-sepolia-2024-10-14': incident('No execution client imports blocks in time', 2000, [
    ...[0, 1, 2].map((at) => ({ kind: 'clientSlow', at, amount: 900, forMs: 8000 }) as const),
  ]),
  'optimism-11769': incident('A stopped sequencer builds one more block', 1500, [
    { kind: 'lateBlock', at: 0, ...atOnce },
    { kind: 'transferTo', at: 1, ...atOnce },
  ]),
  'optimism-13438': incident('Stopping the old leader’s sequencer fails', 1500, [
    { kind: 'failStop', at: 0, amount: 1, ...atOnce },
    { kind: 'transferTo', at: 1, ...atOnce },
  ]),
  'optimism-18697': incident('Two of three are unhealthy, and hand the lead to each other', 2000, [
    { kind: 'nodeDown', at: 1 },
    { kind: 'nodeDown', at: 0, afterMs: 1000 },
  ]),
  'optimism-18845': incident('Two of three build nothing, the leader among them', 3500, [
    { kind: 'stall', at: 1 },
    { kind: 'stall', at: 0 },
  ]),
  'optimism-20006': incident(
    'L1 takes back the blocks that the newest blocks came from',
    3500,
    [{ kind: 'l1Reorg', amount: 2, ...atOnce }],
    { ...engine, layerOne: 1 },
  ),
  'optimism-22094': incident('The leader dies with two committed blocks that reached nobody', 2000, [
    { kind: 'lostAndKilled' },
  ]),
} as const satisfies Readonly<Record<string, Incident>>;

export const incidents: Readonly<Record<IncidentId, Incident>> = table;

/** The run of an incident as it stands in a link. */
export function runTextOf(id: IncidentId): string {
  return runToText(incidents[id].run);
}

/** What is done to real processes for an incident, as a half-sentence; those that are only simulated are not here. */
export const doneForReal: Partial<Readonly<Record<IncidentId, string>>> = {
  'base-2025-08-05': 'the leader falls behind; next in line is a paused conductor whose sequencer cannot build',
  'base-2026-06-25': 'the same job gives the same invalid block every time',
  'base-2026-06-26': 'all execution clients were killed and are started again',
  'op-mainnet-2024-02-15': 'the leader cannot import what it has published',
  'optimism-13438': 'stopping the sequencer of the old leader fails once',
  'optimism-18697': 'the op-nodes of two of three are gone, which are next to each other in line',
  'optimism-18845': 'two of three build nothing, the leader among them',
  'optimism-20006': 'the newest blocks lose their origin',
  'optimism-22094': 'the leader dies with three committed blocks that reached nobody',
};
