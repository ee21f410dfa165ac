/** What a reader can do to a server, or to all: each verb with the events of the simulator that it stands for, and how it ends. */
import type { SimEvent } from '#simulator/faults';

export interface Verb {
  readonly label: string;
  /** The verb that takes it back; null for what is over at once. */
  readonly endLabel: string | null;
  /** What a state is called while it lasts. */
  readonly state: string | null;
  /** Said when it is over; {at} is the server. */
  readonly endSentence: string | null;
  readonly event: SimEvent['kind'];
  /** Can be done to a server whose conductor is killed. */
  readonly fitsKilled?: boolean;
  /** It happens between the server and each of the others. */
  readonly isPerLink?: boolean;
  readonly amount?: number;
}

/** Half of the packets: the simulator's largest loss. */
const LOSS = 1000;

export const verbs = {
  kill: {
    label: 'Kill',
    endLabel: 'Restart',
    state: 'killed',
    endSentence: 'the conductor of {at} is started again',
    fitsKilled: true,
    event: 'crash',
  },
  freeze: {
    label: 'Freeze',
    endLabel: 'Thaw',
    state: 'frozen',
    endSentence: 'the conductor of {at} thaws',
    event: 'freeze',
  },
  cut: {
    label: 'Cut off',
    endLabel: 'Heal',
    state: 'cut off',
    endSentence: '{at} is reached again',
    event: 'isolate',
  },
  drop: {
    label: 'Drop packets',
    endLabel: 'Deliver',
    state: 'losing packets',
    endSentence: 'what {at} sends arrives again',
    event: 'lossy',
    isPerLink: true,
    amount: LOSS,
  },
  killSequencer: {
    label: 'Kill sequencer',
    endLabel: 'Restart sequencer',
    state: 'without sequencer',
    endSentence: 'the sequencer of {at} is started again',
    fitsKilled: true,
    event: 'nodeDown',
  },
  pause: {
    label: 'Pause conductor',
    endLabel: 'Resume conductor',
    state: 'paused',
    endSentence: 'an operator resumes {at}',
    event: 'pause',
  },
  transfer: {
    label: 'Hand it the lead',
    endLabel: null,
    state: null,
    endSentence: null,
    event: 'transferTo',
  },
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof verbs;

export const verbNames = Object.keys(verbs) as readonly VerbName[];

/** Keys that act on the chosen server. */
export const verbKeys: Readonly<Record<string, VerbName>> = {
  k: 'kill',
  f: 'freeze',
  c: 'cut',
  d: 'drop',
  s: 'killSequencer',
  u: 'pause',
  l: 'transfer',
};

/** How long something lasts that nobody ends: the longest that a run can say. */
export const OPEN_MS = 600_000;

/** The events of a verb, all at the same moment. */
export function eventsOf(verb: VerbName, at: number, servers: number, afterMs: number): readonly SimEvent[] {
  const { event: kind, endLabel, isPerLink = false, amount = 0 }: Verb = verbs[verb];
  const forMs = endLabel === null ? 0 : OPEN_MS;
  const others = isPerLink ? servers - 1 : 1;
  return Array.from({ length: others }, (_, to) => ({ kind, afterMs: to === 0 ? afterMs : 0, at, to, forMs, amount }));
}

/** What happens to the whole cluster; it is over by itself. */
export interface ClusterVerb {
  readonly label: string;
  /** Key that does it. */
  readonly key: string;
  readonly sentence: string;
  /** Said when it is over; null for what is over at once. */
  readonly endSentence: string | null;
  readonly event: SimEvent['kind'];
  readonly forMs: number;
  readonly amount: number;
}

export const clusterVerbs = {
  sealInvalid: {
    label: 'Seal an invalid block',
    key: 'i',
    sentence: 'the next block that is sealed is one that no execution client accepts',
    endSentence: null,
    event: 'badSeal',
    forMs: 0,
    amount: 0,
  },
  // Each client is back within two seconds, without its newest three blocks.
  cutPower: {
    label: 'Cut power to all clients',
    key: 'o',
    sentence: 'all execution clients lose power, and with it their newest blocks',
    endSentence: 'all execution clients are back',
    event: 'clientsCrash',
    forMs: 4000,
    amount: 1,
  },
} as const satisfies Readonly<Record<string, ClusterVerb>>;

export type ClusterVerbName = keyof typeof clusterVerbs;

export const clusterVerbNames = Object.keys(clusterVerbs) as readonly ClusterVerbName[];

/** The verb that makes such an event, whoever made it; null for all others. */
export function clusterVerbOf({ kind, amount }: SimEvent): ClusterVerb | null {
  const name = clusterVerbNames.find((one) => clusterVerbs[one].event === kind && clusterVerbs[one].amount === amount);
  return name === undefined ? null : clusterVerbs[name];
}

/** The verb that makes such an event; null for what only links bring. */
export function verbOf({ kind }: SimEvent): VerbName | null {
  return verbNames.find((name) => verbs[name].event === kind) ?? null;
}
