/** The law against bouncing: leadership goes where it can be used, and stays there (rules 18 and 19). */
import type { SimEvent } from '../faults.ts';
import type { Run } from '../run-value.ts';
import { gapBounds } from './gap-bounds.ts';
import { offered } from './offered.ts';
import { isOneAtATime } from './one-at-a-time.ts';
import type { Law } from './oracle.ts';

/** Who ceases to lead is followed by one other, who can lead. */
const CHANGES_MAX = 1;
/** An operator hands leadership to a server that cannot use it: it is handed on. */
const CHANGES_OF_TARGET_MAX = 2;

/** Of kinds that strike one machine, or all of them once; where the rollup goes back every head is too old for a while. */
function changesMaxOf({ kind }: SimEvent, { configuration: { servers }, events }: Run): number {
  if (kind === 'rollback') return Infinity;
  if (kind === 'unprovisionedHeir') return CHANGES_OF_TARGET_MAX;
  const { changesMax } = gapBounds[kind];
  // What keeps every sequencer from building or starting looks to each like trouble of its own: each has its turn (rule 31).
  if (kind === 'l1Stands') return servers - 1;
  // The same, each with the one block that a start is worth; only then is it known that this is so for all. After an L1 that
  // answered nobody the first of these may come on the heels of others: it is no sign yet that blocks come alone.
  if (kind === 'safeLag') return servers + (events.some((event) => event.kind === 'slowL1') ? 1 : 0);
  if (changesMax !== undefined) return changesMax;
  return kind === 'allDown' || gapBounds[kind].ms !== null ? CHANGES_MAX : Infinity;
}

/** From when its last block was offered, by its own clock, until a leader may say that the head stands: so many block times, and so much longer (rule 31). */
const STANDS_AFTER_BLOCKS = 2;
const STANDS_AFTER_MS = 250;
const STANDS = 'the head stands while';
/** A payload that waits for longer is overdue, and what is offered beside it is no sign of a sequencer at work (record 0153), milliseconds. */
const OVERDUE_MS = 5000;

/** From when a client is down until others have heard it: a health check, and a word. */
const UNHEARD_MS = 1500;

/** One fault at a time costs at most one change of leadership: it never bounces between servers, nor goes for a block that is late. */
export const leadershipSettles: Law = (broken) => {
  const reigns: { readonly id: string; readonly term: number; readonly atMs: number }[] = [];
  const lastOffers = new Map<string, { readonly hash: string; readonly atMs: number }>();
  /** When the first block was offered since the last one that was acknowledged, by server. */
  const waitsSinceMs = new Map<string, number>();
  let standsAfterMs = STANDS_AFTER_MS;
  return {
    goesByPosition: true,
    watch: ({ configuration }) => {
      standsAfterMs += STANDS_AFTER_BLOCKS * configuration.blockSeconds * 1000;
    },
    started: ({ id }) => {
      lastOffers.delete(id);
      waitsSinceMs.delete(id);
    },
    called: ({ id, nowMs }, call) => {
      const hash = offered(call);
      if (hash === null) return;
      const sinceMs = waitsSinceMs.get(id) ?? nowMs;
      waitsSinceMs.set(id, sinceMs);
      // The same block offered again is no new one.
      if (nowMs - sinceMs < OVERDUE_MS && hash !== lastOffers.get(id)?.hash) lastOffers.set(id, { hash, atMs: nowMs });
    },
    answered: ({ id }, call, { kind }) => {
      const hash = offered(call);
      if (hash !== null && kind === 'result') waitsSinceMs.delete(id);
      // What is refused beside an overdue payload is no block.
      if (kind === 'error' && hash === lastOffers.get(id)?.hash) lastOffers.delete(id);
    },
    said: ({ id, nowMs }, _, message) => {
      const sinceMs = nowMs - (lastOffers.get(id)?.atMs ?? -Infinity);
      if (message.startsWith(STANDS) && sinceMs < standsAfterMs)
        broken(`${id} says that the head stands ${Math.round(sinceMs)} ms after its last block`);
    },
    observed: ({ id, worldMs }, { role, term }) => {
      if (role === 'leader' && term > (reigns.at(-1)?.term ?? 0)) reigns.push({ id, term, atMs: worldMs });
    },
    finish: ({ run, world, calmFromMs }) => {
      const { events } = run;
      // Whose client an operator restarts cannot lead on; nor one that comes to lead before others have heard of it.
      const led = ({ id, atMs }: { readonly id: string; readonly atMs: number }): boolean =>
        reigns.findLast((reign) => reign.atMs <= atMs)?.id === id ||
        reigns.some((reign) => reign.id === id && reign.atMs > atMs && reign.atMs <= atMs + UNHEARD_MS);
      const restarts = (world.operator?.restarts ?? []).filter(led);
      if (!isOneAtATime(run)) return;
      let untilMs = Infinity;
      let atMs = calmFromMs - (events.at(-1)?.forMs ?? 0);
      for (const event of events.toReversed()) {
        const { kind, afterMs } = event;
        const isOfIt = (momentMs: number): boolean => momentMs > atMs && momentMs <= untilMs;
        const count = reigns.filter((reign) => isOfIt(reign.atMs)).length;
        const max = changesMaxOf(event, run) + restarts.filter((one) => isOfIt(one.atMs)).length;
        if (count > max)
          broken(`leadership changed ${count} times after one fault (${kind}), at most ${max} are needed`);
        untilMs = atMs;
        atMs -= afterMs;
      }
    },
  };
};
