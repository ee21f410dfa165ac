/** The laws of a leader that is well when one thing happens: it keeps the lead, hands it over, or is replaced, in time (rule 17). */
import { badSealsOf } from '../builder-faults.ts';
import type { Configuration } from '../configuration.ts';
import { isChecked } from '../erring-methods.ts';
import { kinds, type EventKind, type SimEvent } from '../faults.ts';
import type { World } from '../world.ts';
import type { Law } from './oracle.ts';
import { isOneAtATime } from './one-at-a-time.ts';
import { standsMs } from '../stall-faults.ts';

/** A leader that came so lately may not have settled. */
const SETTLED_MS = 3000;
/** Who comes back may disturb for so long. */
const AFTERMATH_MS = 4000;

interface Reign {
  readonly atMs: number;
  readonly id: string;
  readonly term: number;
}

interface Struck {
  readonly event: SimEvent;
  readonly atMs: number;
  /** Who had led for a while when it happened. */
  readonly leader: Reign;
  /** Nothing happened before it. */
  readonly isFirst: boolean;
}

/** Calls back at the end of a run with one fault after the other, for each that met a leader that was settled. */
export function ofSettledLeaders(
  judge: (struck: Struck, history: readonly Reign[], world: World) => void,
): ReturnType<Law> {
  const history: Reign[] = [];
  return {
    goesByPosition: true,
    observed: ({ id, worldMs }, { role, term }) => {
      if (role === 'leader' && term > (history.at(-1)?.term ?? 0)) history.push({ atMs: worldMs, id, term });
    },
    finish: ({ run, world, calmFromMs }) => {
      if (!isOneAtATime(run)) return;
      // The last one to begin is the last to end.
      let nextMs = calmFromMs - (run.events.at(-1)?.forMs ?? 0);
      for (const event of run.events.toReversed()) {
        const atMs = nextMs;
        nextMs -= event.afterMs;
        const leader = history.findLast((reign) => reign.atMs <= atMs);
        if (leader !== undefined && leader.atMs <= atMs - SETTLED_MS) {
          const isFirst = event === run.events[0];
          judge({ event, atMs, leader, isFirst }, history, world);
        }
      }
    },
  };
}

/** A heartbeat interval and this are less than the shortest election timeout that is ever learned. */
const BORNE_MS = 200;
/** A leader whose next block is late by no more than this is not asked why, milliseconds: two block times and 250 ms are (rule 31). */
const LATE_MS = 900;
/** Blocks of its builder that a leader's own client may refuse one after the other, and it leads on (rule 29). */
const REFUSED_SEALS = 1;

/** Whether a leader to which this happens is waited for: while it writes as long as the flag says (rule 34), and where it costs a block at most. */
function isBorne({ kind, forMs, amount }: SimEvent, { engine, blockSeconds }: Configuration): boolean {
  if (kind === 'stall') return forMs <= LATE_MS * blockSeconds;
  if (kind === 'badSeal') return badSealsOf(amount) <= REFUSED_SEALS && engine === 1;
  return kind === 'stallingDisk' || (kind === 'standing' && standsMs(amount) <= BORNE_MS);
}

/** A leader stays the leader, in its term, while the one thing that is wrong is wrong with another machine, or is a short stall. */
export const leadershipIsKept: Law = (broken, note) =>
  ofSettledLeaders(({ event, atMs, leader }, history, world) => {
    const { kind, at, forMs } = event;
    const { strikes } = kinds[kind];
    const isOther = strikes === 'machine' && world.machine(at).id !== leader.id;
    if (!isOther && !isBorne(event, world.configuration) && strikes !== 'pair' && strikes !== 'nobody') return;
    note('leadership is kept through a fault of another');
    const next = history.find((reign) => reign.atMs > atMs && reign.atMs <= atMs + forMs + AFTERMATH_MS);
    if (next !== undefined)
      broken(
        `${leader.id} led term ${leader.term}, and was replaced by ${next.id} in term ${next.term} though ${isOther ? 'only another machine had trouble' : 'it could have been waited for'} (${kind})`,
      );
  });

/** A hand-over takes a commit in flight and a few messages one way, and no heartbeat is waited for: milliseconds beside those. */
const HAND_OVER_MAX_MS = 25;
const HAND_OVER_MESSAGES = 8;

/** Whom a node is connected to, and what rollup-boost says, is asked for with each health check; the answer and its verdict take a moment. */
const checkedMaxMs = ({ healthSeconds }: Configuration): number => 1000 + 1000 * healthSeconds;
const ofChecks: readonly EventKind[] = ['partialBoost', 'lonely', 'boostDown'];

/** Whether the next check finds it where it lasts for so long. */
function isFoundByCheck({ kind, amount, forMs }: SimEvent, configuration: Configuration): boolean {
  if (forMs <= checkedMaxMs(configuration)) return false;
  if (kind === 'lonelyClient') return configuration.clientPeers > 0;
  return ofChecks.includes(kind) || (kind === 'nodeErrors' && isChecked(amount));
}

/**
 * A leader that is told to end, or to hand over, is followed by another one at once; by that which was named. So is one
 * whose rollup-boost calls itself partially healthy or down, whose node or client has no peers, or whose node answers the
 * questions of a check with errors, which the next check says.
 */
export const leadershipIsHandedOver: Law = (broken) =>
  ofSettledLeaders(({ event, atMs, leader }, history, world) => {
    const { kind, at } = event;
    const { id } = world.machine(at);
    const isFound = id === leader.id && isFoundByCheck(event, world.configuration);
    const isTold =
      kind === 'upgrade' || kind === 'toldToStop'
        ? id === leader.id
        : kind === 'transfer' || (kind === 'transferTo' && id !== leader.id);
    if (!isTold && !isFound) return;
    const messagesMs = (HAND_OVER_MESSAGES * world.configuration.delayMaxUs) / 1000;
    const withinMs = HAND_OVER_MAX_MS + messagesMs + (isFound ? checkedMaxMs(world.configuration) : 0);
    const next = history.find((reign) => reign.atMs > atMs);
    if (next === undefined || next.atMs > atMs + withinMs || next.id === leader.id)
      broken(`${leader.id} was to hand leadership over (${kind}), and nobody else led within ${withinMs} ms`);
    else if (kind === 'transferTo' && next.id !== id) broken(`leadership was to go to ${id} and went to ${next.id}`);
  });

/** From an election to the next block, at most this beside a block time: its sequencer is brought up meanwhile. */
const TAKEOVER_MAX_MS = 700;
const ofKilledLeaders: readonly EventKind[] = ['crash', 'machineDown', 'lostAndKilled'];
/** These wait for the next block that a node commits, whoever leads by then, and delay that. */
const ofNextBlocks: readonly EventKind[] = ['lostAnswer', 'brokenConnection'];

/** Who follows a killed leader brings its sequencer to the committed head and has it go on at once (rules 19 and 20). */
export const takeoverIsQuick: Law = (broken) => {
  const publishedAtMs: number[] = [];
  const judge = ofSettledLeaders(({ event: { kind, at }, atMs, leader }, history, world) => {
    const isKilled = kind === 'lostAndKilled' || world.machine(at).id === leader.id;
    const next = history.find((reign) => reign.atMs > atMs);
    if (!isKilled || !ofKilledLeaders.includes(kind) || next === undefined || next.id === leader.id) return;
    const withinMs = TAKEOVER_MAX_MS + 1000 * world.configuration.blockSeconds;
    const untilMs = next.atMs + withinMs;
    if (!publishedAtMs.some((publishedMs) => publishedMs >= next.atMs && publishedMs <= untilMs))
      broken(`${next.id} follows the killed ${leader.id}, and nothing is published within ${withinMs} ms`);
  });
  return {
    ...judge,
    published: ({ worldMs }) => void publishedAtMs.push(worldMs),
    finish: (ending) => {
      if (!ending.run.events.some(({ kind }) => ofNextBlocks.includes(kind))) judge.finish?.(ending);
    },
  };
};
