/** What was told around a change of leadership: what was seen first of it and by whom, and what else says why it came. */
import { wordsOf } from './event-words.ts';
import type { Moment } from './failover-phases.ts';
import type { StoredEvent } from './history.ts';
import type { Happening } from './protocol.ts';

/** A sign that precedes a change of leadership is looked for so long before it, milliseconds. */
const signMsMax = 120_000;
/** What was told so long before the last block may be why no other followed, milliseconds. */
const whyMsMax = 5000;
const toldMax = 12;

export interface Around {
  /** Events between the election before and the next one, ascending. */
  readonly own: readonly StoredEvent[];
  readonly elected: StoredEvent;
  readonly before: StoredEvent;
  /** The last block but one: what was told before it was no sign of this, for blocks went on. */
  readonly goneOnMs: number;
  /** The last block. */
  readonly lastMs: number;
}

/** What was seen first, and by whom: of the leader's own orders, of a lost leader, of a candidate. */
export function firstSign({ own, elected, before, goneOnMs, lastMs }: Around): Moment {
  const sinceMs = Math.max(before.atMs, elected.atMs - signMsMax, goneOnMs);
  for (const event of own) {
    if (event.atMs > elected.atMs) break;
    const text = event.atMs < sinceMs ? null : signText(event, before.server, lastMs);
    if (text !== null) return { atMs: event.atMs, note: `${event.server}: ${text}` };
  }
  return { atMs: elected.atMs, note: `${elected.server}: elected` };
}

function signText(event: StoredEvent, leader: string, lastMs: number): string | null {
  const { kind, server, data, atMs } = event;
  if (kind === 'leader' && data['leader'] === null) return 'the leader is gone';
  if (kind === 'role' && data['role'] === 'candidate') return String(data['reason']);
  if (kind === 'silent' && server === leader) return 'does not answer any more';
  if (server !== leader) return null;
  // An unhealthy node may still build the next block.
  if (kind === 'health' && data['healthy'] === false && atMs >= lastMs) return wordsOf(event);
  if (kind === 'shutdown') return `ends (${String(data['reason'])})`;
  if (kind === 'order' && data['order'] === 'stop') return 'stops its sequencer';
  if (kind === 'order' && data['order'] === 'transfer') return 'hands leadership over';
  return null;
}

const tellingKinds: ReadonlySet<string> = new Set([
  'alarm',
  'shutdown',
  'admin',
  'silent',
  'seen',
  'act',
  'membership',
]);

/** What may be why: verdicts, alarms, what people and tools did, what failed; from shortly before the last block on. */
export function toldMeanwhile(own: readonly StoredEvent[], lastMs: number, untilMs: number): Happening[] {
  return own
    .filter(({ atMs }) => atMs >= lastMs - whyMsMax && atMs <= untilMs)
    .filter(
      ({ kind, data }) =>
        tellingKinds.has(kind) ||
        (kind === 'health' && data['healthy'] === false) ||
        (kind === 'orderDone' && data['done'] === false),
    )
    .slice(0, toldMax)
    .map((event) => ({ atMs: event.atMs, server: event.server, kind: event.kind, text: wordsOf(event) }));
}
