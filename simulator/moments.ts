/**
 * What pages tell, as runs that their readers can watch: scenarios of the page of failures, by what fails, and alerts of
 * the runbooks, by name. s0 leads when the first event happens. The pages link to the runs; a test compares, and carries
 * each of them out.
 */
import { incidents, runOfEvents, type Given } from './incidents.ts';
import type { Run } from './run-value.ts';

export interface Moment {
  readonly run: Run;
  /** The chain may stand for so long; milliseconds. */
  readonly gapMaxMs: number;
}

function moment(gapMaxMs: number, events: readonly Given[], settings: Parameters<typeof runOfEvents>[1] = {}): Moment {
  return { gapMaxMs, run: runOfEvents(events, settings) };
}

const atOnce = { forMs: 0 } as const;
const engine = { engine: 1 } as const;
/** What lasts for fifteen seconds, and the moments after it. */
const STANDS_MS = 18_000;

const scenarios = {
  'The leader’s conductor dies': moment(1500, [{ kind: 'crash' }]),
  'The leader’s op-node dies': moment(3500, [{ kind: 'nodeDown' }]),
  'The leader’s server no longer answers: power, kernel, network card': moment(4000, [{ kind: 'powerCut' }]),
  'The leader is cut off from both others': moment(4000, [{ kind: 'isolate' }]),
  'A follower is cut off': moment(1500, [{ kind: 'isolate', at: 1 }]),
  'The leader’s sequencer stalls: its head does not advance, perhaps because its execution client has failed': moment(
    4500,
    [{ kind: 'stall' }],
  ),
  'All three sequencers are unhealthy': moment(STANDS_MS, [
    { kind: 'stall', at: 1 },
    { kind: 'stall', at: 2 },
    { kind: 'stall' },
  ]),
  'The new leader is many blocks behind': moment(2500, [
    { kind: 'rewind', at: 1, amount: 5, ...atOnce },
    { kind: 'transferTo', at: 1, ...atOnce },
  ]),
  'The last blocks were committed but never gossiped': incidents['optimism-22094'],
  'Stopping a sequencer fails': incidents['optimism-13438'],
  'The leader’s disk is full or broken': moment(3000, [{ kind: 'fullDisk' }]),
  'A server comes back with an empty disk': moment(1500, [{ kind: 'lostDisk', at: 1 }]),
  'The leader’s conductor is told to end (SIGTERM)': moment(1500, [{ kind: 'upgrade', ...atOnce }]),
  'The leader seals an invalid block': moment(2000, [{ kind: 'badSeal', ...atOnce }], engine),
  'The leader’s builder makes the same invalid block again and again': moment(3500, [{ kind: 'badBuilder' }], engine),
  'Execution clients were killed and lost their newest blocks': incidents['base-2026-06-26'],
  'One node is against the newest block, or its client falls behind': moment(
    1500,
    [{ kind: 'disputedSeal', amount: 1 }],
    engine,
  ),
  'The chain has to be rolled back, because its L1 origin was removed by a reorganisation': incidents['optimism-20006'],
  'L1 answers no server': moment(20_000, [{ kind: 'slowL1' }]),
  'The beacon node is slow, and derivation waits for it': moment(8000, [{ kind: 'slowBeacon' }]),
  'The batcher is down, and the safe head is as far behind as op-node allows': moment(STANDS_MS, [{ kind: 'safeLag' }]),
  'The engine API of the leader hangs, and everything else answers': moment(3500, [{ kind: 'engineHangs' }], engine),
  'Two servers of three are down': moment(STANDS_MS, [
    { kind: 'machineDown', at: 1 },
    { kind: 'machineDown', at: 2 },
  ]),
} as const satisfies Readonly<Record<string, Moment>>;

const slowFollowers: readonly Given[] = [1, 2].map((at) => ({ kind: 'slowDisk', at, amount: 300 }));

const alerts = {
  ConductorNoBlock: scenarios['All three sequencers are unhealthy'],
  ConductorSequencerUnhealthy: moment(1500, [{ kind: 'nodeDown', at: 1 }]),
  ConductorSequencerStartFails: moment(5000, [
    { kind: 'unprovisioned', at: 1 },
    { kind: 'transferTo', at: 1, afterMs: 1000, ...atOnce },
  ]),
  ConductorSequencerStopFails: scenarios['Stopping a sequencer fails'],
  ConductorTwoSequencers: scenarios['Stopping a sequencer fails'],
  ConductorLeaderUnhealthy: scenarios['All three sequencers are unhealthy'],
  ConductorOtherBranch: moment(1500, [{ kind: 'astray', at: 1 }]),
  ConductorPayloadsRefused: scenarios['The leader’s builder makes the same invalid block again and again'],
  ConductorUnvalidated: moment(2500, [{ kind: 'clientSlow', amount: 900 }], engine),
  ConductorNoHealthyPeer: scenarios['All three sequencers are unhealthy'],
  ConductorBadSeals: incidents['base-2026-06-25'],
  ConductorNodeAgainst: scenarios['One node is against the newest block, or its client falls behind'],
  ConductorClientBehind: moment(1500, [{ kind: 'executionDown', at: 1 }], engine),
  ConductorChainMovedBack: incidents['optimism-20006'],
  ConductorCommitsSlow: moment(2500, slowFollowers),
  ConductorNoLeader: scenarios['Two servers of three are down'],
  ConductorQuorumAtRisk: moment(1500, [{ kind: 'machineDown', at: 1 }]),
  ConductorFollowerLagging: scenarios['A follower is cut off'],
  ConductorLeadershipFlapping: moment(2500, [
    { kind: 'transfer', ...atOnce },
    ...[1, 2, 3].map(() => ({ kind: 'transfer', afterMs: 2500, ...atOnce }) as const),
  ]),
  ConductorRecovering: scenarios['A server comes back with an empty disk'],
  ConductorPaused: moment(1500, [{ kind: 'pause', at: 1 }]),
  ConductorOverridden: moment(STANDS_MS, [{ kind: 'override' }]),
  ConductorOverrideConflict: moment(1500, [{ kind: 'override', at: 1 }]),
  ConductorWrongServer: moment(1500, [{ kind: 'wrongAddress', at: 0, to: 0, amount: 1 }]),
  ConductorDown: moment(1500, [{ kind: 'crash', at: 1 }]),
  ConductorRestarting: moment(
    1500,
    [0, 1, 2].map((nth) => ({ kind: 'crash', at: 1, afterMs: nth * 3000, forMs: 1000 }) as const),
  ),
  ConductorAllDown: moment(STANDS_MS * 2, [{ kind: 'allDown' }]),
  ConductorDiskAlmostFull: scenarios['The leader’s disk is full or broken'],
  ConductorDiskFillsUp: scenarios['The leader’s disk is full or broken'],
  ConductorLoopLag: moment(4000, [{ kind: 'freeze', forMs: 3000 }]),
  ConductorSlowDisk: moment(2500, [{ kind: 'slowDisk', amount: 400 }]),
} as const satisfies Readonly<Record<string, Moment>>;

/** By the first column of the table on the page of failures. */
export const momentsOfScenarios: Readonly<Record<string, Moment>> = scenarios;
/** By the heading in the runbooks. */
export const momentsOfAlerts: Readonly<Record<string, Moment>> = alerts;

const NO_CALLERS = 'nobody calls the simulated servers but op-node and the conductors';
const NO_MACHINE = 'the simulated machines have no memory, volume or certificate of their own';
const FORGED =
  'it takes a server that speaks raft and is none of the cluster, which the simulator forges in random runs alone';

/** What the pages tell and has no run, with the reason. */
export const withoutMoment: Readonly<Record<string, string>> = {
  'The leader loses its peers': 'the simulated op-nodes always have the same number of peers',
  'Only the leader’s execution client accepts a block, and then its server is lost permanently':
    'the chain stands until somebody acts, and the simulator ends a run that does',
  ConductorCallersRefused: NO_CALLERS,
  ConductorCertificateExpired: NO_MACHINE,
  ConductorCertificateExpires: NO_MACHINE,
  ConductorConnectionsRefused: 'the simulated network has no TLS to refuse',
  ConductorInvalidCommitted:
    'it takes a verdict that comes too late and is INVALID at once, which no single fault brings about',
  ConductorMissing: 'nobody scrapes the simulated servers',
  ConductorMembershipDiffers: 'it takes a change of members that one server does not learn of for minutes',
  ConductorMemory: NO_MACHINE,
  ConductorNodeOff: 'it takes an op-node that is up and takes nothing for minutes',
  ConductorOutcomesUnknown: 'it takes many lost leaders within ten minutes, longer than anybody watches',
  ConductorPortClosed: NO_MACHINE,
  ConductorOverrideBehind: 'simulated op-nodes take what they are given before their operator goes on',
  ConductorOverrideIdle: 'the simulated operator starts the sequencer as soon as leadership is overridden',
  ConductorOwnName: FORGED,
  ConductorRollbackRefused: 'the chain stands until somebody acts, and the simulator ends a run that does',
  ConductorSecondLeader: FORGED,
  ConductorStranger: FORGED,
  ConductorTargetsGone: 'nobody scrapes the simulated servers',
  ConductorTermJump: FORGED,
  ConductorTransfersFail: 'it takes hand-overs that fail again and again, and the simulated operators stop asking',
  ConductorTwoLeaders: 'it takes two clusters of one name; in one cluster no law of the simulator lets it happen',
  ConductorUncommitted: 'the simulated operator restarts an overridden op-node before its conductor is in charge again',
  ConductorVersionsDiffer: 'all simulated servers run the same program',
};
