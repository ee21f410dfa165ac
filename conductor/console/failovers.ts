/**
 * Makes failovers of events: each change of leadership as phases that follow each other from the last block before it
 * to the first after it, so that they always sum to the gap. Pure; the servers' wall clocks are taken as they are.
 */
import type { StoredBlock, StoredEvent } from './history.ts';
import type { Failover, FailoverPhase } from './protocol.ts';

/** A sign that precedes a change of leadership is looked for so long before it, milliseconds. */
const signMsMax = 120_000;

/** The reason of an election that nobody told, but that was found by asking. */
export const seenByAsking = 'seen by asking';

interface Moment {
  readonly atMs: number;
  readonly note: string;
}

/** Newest last. `events` and `blocks` ascending; `blockMs` is the time from one block to the next. */
export function failoversOf(
  events: readonly StoredEvent[],
  blocks: readonly StoredBlock[],
  blockMs: number,
): Failover[] {
  const elections = events.filter(({ kind, data }) => kind === 'role' && data['role'] === 'leader');
  return elections.flatMap((elected, at) => {
    const before = elections[at - 1];
    // The first election of a cluster takes over from nobody.
    if (before === undefined) return [];
    const untilMs = elections[at + 1]?.atMs ?? Infinity;
    const own = events.filter(({ atMs }) => atMs > before.atMs && atMs < untilMs);
    return failoverOf({ elected, before, own, blocks, blockMs, untilMs }) ?? [];
  });
}

interface Around {
  readonly elected: StoredEvent;
  readonly before: StoredEvent;
  /** Events after the election before it and before the one after it. */
  readonly own: readonly StoredEvent[];
  readonly blocks: readonly StoredBlock[];
  readonly blockMs: number;
  readonly untilMs: number;
}

function failoverOf({ elected, before, own, blocks, blockMs, untilMs }: Around): Failover | null {
  const { server } = elected;
  const after = own.filter((event) => event.server === server && event.atMs >= elected.atMs);
  const find = (kind: string, holds: (data: StoredEvent['data']) => boolean): StoredEvent | undefined =>
    after.find((event) => event.kind === kind && holds(event.data));
  const ordered = find('order', ({ order }) => order === 'start');
  const started = find('orderDone', ({ order, done }) => order === 'start' && done === true);
  const first = firstAfter(blocks, started?.atMs ?? ordered?.atMs ?? elected.atMs, untilMs);
  const last = lastBefore(blocks, ordered?.atMs ?? elected.atMs, first);
  if (last === null) return null;
  // Blocks went on after what was told before the last but one: that was no sign of this.
  const sinceMs = blocks.findLast(({ number }) => number < last.number)?.atMs ?? -Infinity;
  const sign = firstSign(own, elected, before, sinceMs);
  const isAsked = elected.data['reason'] === seenByAsking;
  const firstBlock = first === null ? null : { atMs: first.atMs, note: `block ${first.number}` };
  const told: readonly (readonly [FailoverPhase['key'], string, Moment | null])[] = [
    ['silence', 'Last block to first sign', sign],
    ['election', 'Election', { atMs: elected.atMs, note: `${server} leads in term ${String(elected.data['term'])}` }],
    [
      'read',
      'Committed head read',
      momentOf(
        find('confirmed', ({ confirmed }) => confirmed === true),
        'confirmed by a quorum',
      ),
    ],
    ['catch-up', 'Catch-up of the node', momentOf(ordered, payloadsText(ordered))],
    ['start', 'Start of the sequencer', momentOf(started, `started by ${server}`)],
    ['block', 'First block', firstBlock],
  ];
  const moments: typeof told = isAsked
    ? [
        [
          'silence',
          'Last block until a new leader was seen',
          { atMs: elected.atMs, note: `${server} says that it leads` },
        ],
        ['block', 'First block', firstBlock],
      ]
    : told;
  // A block that others learnt of late was there before the first sign.
  const lastMs = Math.min(last.atMs, sign.atMs);
  const phases = phasesOf(lastMs, first?.atMs ?? Infinity, moments);
  const gapMs = first === null ? null : first.atMs - lastMs;
  return {
    id: `${server}-${String(elected.data['term'])}`,
    atMs: elected.atMs,
    from: before.server,
    to: server,
    term: Number(elected.data['term']),
    kind: isHandedOver(own, before, elected) ? 'handed' : 'lost',
    source: isAsked ? 'asked' : 'told',
    phases,
    lastBlock: last.number,
    firstBlock: first?.number ?? null,
    gapMs,
    missedSlots: gapMs === null ? null : Math.max(0, Math.round(gapMs / blockMs) - 1),
  };
}

/** Phases in a row without holes, none beyond the end: one whose end nobody told has no length. */
function phasesOf(
  lastMs: number,
  endMs: number,
  moments: readonly (readonly [FailoverPhase['key'], string, Moment | null])[],
): FailoverPhase[] {
  let fromMs = lastMs;
  const known = moments.findLastIndex(([, , moment]) => moment !== null);
  return moments.slice(0, known + 1).map(([key, label, moment]) => {
    const toMs = Math.min(endMs, Math.max(fromMs, moment?.atMs ?? fromMs));
    const phase = { key, label, fromMs, toMs, note: moment?.note ?? 'not told' };
    fromMs = toMs;
    return phase;
  });
}

/** What was seen first since blocks went on, and by whom: of the leader's own orders, of a lost leader, of a candidate. */
function firstSign(own: readonly StoredEvent[], elected: StoredEvent, before: StoredEvent, goneOnMs: number): Moment {
  const sinceMs = Math.max(before.atMs, elected.atMs - signMsMax, goneOnMs);
  for (const event of own) {
    if (event.atMs > elected.atMs) break;
    const text = event.atMs < sinceMs ? null : signText(event, before.server);
    if (text !== null) return { atMs: event.atMs, note: `${event.server}: ${text}` };
  }
  return { atMs: elected.atMs, note: `${elected.server}: elected` };
}

function signText({ kind, server, data }: StoredEvent, leader: string): string | null {
  if (kind === 'leader' && data['leader'] === null) return 'the leader is gone';
  if (kind === 'role' && data['role'] === 'candidate') return String(data['reason']);
  if (kind === 'silent' && server === leader) return 'does not answer any more';
  if (server !== leader) return null;
  if (kind === 'shutdown') return `ends (${String(data['reason'])})`;
  if (kind === 'order' && data['order'] === 'stop') return 'stops its sequencer';
  if (kind === 'order' && data['order'] === 'transfer') return 'hands leadership over';
  return null;
}

function isHandedOver(own: readonly StoredEvent[], before: StoredEvent, elected: StoredEvent): boolean {
  return own.some(
    ({ server, kind, data, atMs }) =>
      atMs <= elected.atMs &&
      server === before.server &&
      (kind === 'shutdown' ||
        (kind === 'order' && data['order'] === 'transfer') ||
        (kind === 'admin' && String(data['method']).startsWith('conductor_transferLeader'))),
  );
}

function firstAfter(blocks: readonly StoredBlock[], atMs: number, untilMs: number): StoredBlock | null {
  return blocks.find((block) => block.atMs >= atMs && block.atMs < untilMs) ?? null;
}

function lastBefore(blocks: readonly StoredBlock[], atMs: number, first: StoredBlock | null): StoredBlock | null {
  return blocks.findLast((block) => block.atMs <= atMs && (first === null || block.number < first.number)) ?? null;
}

function momentOf(event: StoredEvent | undefined, note: string): Moment | null {
  return event === undefined ? null : { atMs: event.atMs, note };
}

function payloadsText(ordered: StoredEvent | undefined): string {
  const payloads = Number(ordered?.data['payloads'] ?? 0);
  return payloads === 0
    ? 'the node stood at the head'
    : `${payloads} ${payloads === 1 ? 'block' : 'blocks'} given to the node`;
}
