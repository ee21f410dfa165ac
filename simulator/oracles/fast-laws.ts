/**
 * The laws of fast elections: the end of a leader's process is noticed, and nobody waits for a timeout (rule 13); one that falls
 * silent is waited for as long as its heartbeats have shown that it takes (rule 34).
 */
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

const ofSilence: readonly EventKind[] = ['powerCut', 'isolate'];
/** A heartbeat comes within a tenth of a second and its repetition within 220 ms: so long is waited where none was ever late. */
const LEARNED_MS = 320;
/** Twice what a clock, a write or a busy turn made the latest one late. */
const LATE_MS = 40;
/** The voters of the largest cluster take turns, and draw their moment in them. */
const RANKS_MS = 85;
/** A split vote is waited for, and the next round comes within a fifth of the timeout. */
const SPLIT_MS = 100 + 60;
/** What a leader has not called written yet is waited for by the flag; it says so with its next heartbeats. */
const WRITTEN_MS = 250;

/**
 * A leader that falls silent when nothing else has ever been wrong, and everything is written, is followed by another one within
 * the timeout that the others have learned.
 */
export const silentLeaderIsReplaced: Law = (broken, note) => {
  const sentAtMs = new Map<string, number[]>();
  const judge = ofSettledLeaders(({ event: { kind, at, forMs }, atMs, leader, isFirst }, history, world) => {
    if (!isFirst || !ofSilence.includes(kind) || world.machine(at).id !== leader.id) return;
    const isWritten = !(sentAtMs.get(leader.id) ?? []).some((ms) => ms > atMs - WRITTEN_MS && ms <= atMs);
    const tripsMs = (TRIPS * world.configuration.delayMaxUs) / 1000;
    const withinMs = LEARNED_MS + LATE_MS + RANKS_MS + SPLIT_MS + WRITES_MS + tripsMs;
    if (!isWritten || forMs < withinMs) return;
    note('a leader falls silent where nothing was wrong before');
    const next = history.find((reign) => reign.atMs > atMs);
    const tookMs = (next?.atMs ?? Infinity) - atMs;
    if (tookMs > withinMs)
      broken(
        `${leader.id} fell silent (${kind}), and nobody else led within ${withinMs} ms, but after ${Math.round(tookMs)}`,
      );
  });
  return {
    ...judge,
    sent: ({ id, worldMs }, { request }) => {
      if (request.kind !== 'append' || (request.entries?.length ?? 0) === 0) return;
      const known = sentAtMs.get(id);
      if (known === undefined) sentAtMs.set(id, [worldMs]);
      else known.push(worldMs);
    },
  };
};
