/** The law of fast elections: the end of a leader's process is noticed, and nobody waits for a timeout (rule 13). */
import type { EventKind } from '../faults.ts';
import { ofSettledLeaders } from './settled-leader-laws.ts';
import type { Law } from './oracle.ts';

/** Connections end, a redial is refused, a pre-vote and a vote are granted: so many one-way delays, and one to spare. */
const TRIPS = 8;
/** The later one of two voters has its turn. */
const TURN_MS = 25;
/** Votes and the first entry are written. */
const WRITES_MS = 10;
/** A round may be lost, to a split vote or a killed server that is back in the middle of it: so long until the next, and its votes. */
const LOST_ROUND_MS = 75;
const LOST_ROUND_TRIPS = 4;

const ofProcesses: readonly EventKind[] = ['crash', 'machineDown'];

/** A leader whose process is killed is followed by another as soon as the news can travel and votes be counted. */
export const killedLeaderIsReplaced: Law = (broken) =>
  ofSettledLeaders(({ event: { kind, at }, atMs, leader }, history, world) => {
    if (!ofProcesses.includes(kind) || world.machine(at).id !== leader.id) return;
    const delayMs = world.configuration.delayMaxUs / 1000;
    const withinMs = TRIPS * delayMs + TURN_MS + WRITES_MS + LOST_ROUND_MS + LOST_ROUND_TRIPS * delayMs;
    const next = history.find((reign) => reign.atMs > atMs);
    const tookMs = (next?.atMs ?? Infinity) - atMs;
    if (tookMs > withinMs)
      broken(
        `${leader.id} was killed (${kind}), and nobody else led within ${withinMs} ms, but after ${Math.round(tookMs)}`,
      );
  });
