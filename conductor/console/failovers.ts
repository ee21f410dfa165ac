/**
 * Makes failovers of events: each change of leadership as phases that follow each other from the last block before it
 * to the first after it, so that they always sum to the gap. Pure; the servers' wall clocks are taken as they are.
 */
import { seenByAsking } from './asked-changes.ts';
import { blocksAroundLook, lostByAsking, rangeOf } from './asked-failover.ts';
import { phasesOf, type Moment, type Told } from './failover-phases.ts';
import { firstSign, toldMeanwhile } from './failover-signs.ts';
import type { StoredBlock, StoredEvent } from './history.ts';
import type { Failover } from './protocol.ts';
import { missedBetween } from './strip.ts';

/** Why a conductor stands for election whom the leader before told to. */
const handedOver = 'leadership was handed over';

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

function failoverOf(around: Around): Failover | null {
  const { elected, before, own, blockMs } = around;
  const { server } = elected;
  const source = sourceOf(elected);
  const found: Found | null = source === 'asked' ? blocksAroundLook(around) : toldBlocks(around);
  if (found === null) return null;
  const { last, first } = found;
  const firstBlock = first === null ? null : { atMs: first.atMs, note: `block ${first.number}` };
  // A block that others learnt of late was there before the first sign.
  const lastMs = Math.min(last.atMs, found.sign?.atMs ?? Infinity);
  const gapMs = first === null ? null : first.atMs - lastMs;
  const missed = first === null ? null : missedBetween({ ...last, atMs: lastMs }, first, blockMs);
  // Who led before and leads again, and nothing was missed: of one that was only asked, it may have been the question.
  if (source !== 'told' && before.server === server && missed === 0) return null;
  const term = typeof elected.data['term'] === 'number' ? elected.data['term'] : null;
  return {
    id: `${server}-${term ?? elected.atMs}`,
    atMs: elected.atMs,
    from: before.server,
    to: server,
    term,
    kind: kindOf(own, before, elected, first),
    source,
    phases: phasesOf(lastMs, first?.atMs ?? Infinity, momentsOf(around, found, firstBlock)),
    lastBlock: last.number,
    firstBlock: first?.number ?? null,
    gapMs,
    gapRangeMs: first === null ? null : rangeOf({ ...last, atMs: lastMs }, first),
    missedSlots: missed,
    told: toldMeanwhile(own, lastMs, first?.atMs ?? elected.atMs),
  };
}

/** Who tells of a change of leadership. */
function sourceOf({ data }: StoredEvent): Failover['source'] {
  if (data['reason'] === seenByAsking) return 'asked';
  return typeof data['by'] === 'string' ? 'followed' : 'told';
}

/** What the new leader told of its start, each undefined where it did not. */
function startOf({ elected, own }: Around): {
  readonly confirmed: StoredEvent | undefined;
  readonly ordered: StoredEvent | undefined;
  readonly started: StoredEvent | undefined;
} {
  const after = own.filter(({ server, atMs }) => server === elected.server && atMs >= elected.atMs);
  return {
    confirmed: after.find(({ kind, data }) => kind === 'confirmed' && data['confirmed'] === true),
    ordered: after.find(({ kind, data }) => kind === 'order' && data['order'] === 'start'),
    started: after.find(({ kind, data }) => kind === 'orderDone' && data['order'] === 'start' && data['done'] === true),
  };
}

interface Found {
  readonly last: StoredBlock;
  /** Null while there is none. */
  readonly first: StoredBlock | null;
  /** What was seen first of the change; undefined where nobody tells. */
  readonly sign?: Moment;
}

function toldBlocks(around: Around): Found | null {
  const { elected, before, own, blocks, untilMs } = around;
  const { ordered, started } = startOf(around);
  const found = firstAfter(blocks, started?.atMs ?? ordered?.atMs ?? elected.atMs, untilMs);
  // What the old leader left is known to be committed once a new one leads: alone, it is not yet the new one's block.
  const isLeft = sourceOf(elected) === 'told' && ordered === undefined && isNewest(blocks, found, untilMs);
  const first = isLeft ? null : found;
  const last = lastBefore(blocks, ordered?.atMs ?? elected.atMs, first);
  if (last === null) return null;
  const goneOnMs = blocks.findLast(({ number }) => number < last.number)?.atMs ?? -Infinity;
  return { last, first, sign: firstSign({ own, elected, before, goneOnMs, lastMs: last.atMs }) };
}

function momentsOf(around: Around, found: Found, firstBlock: Moment | null): Told {
  const { server, atMs, data } = around.elected;
  if (found.sign === undefined) {
    const seen = { atMs, note: `${server} says that it leads` };
    return [
      ['silence', 'Last block until a new leader was seen', seen],
      ['block', 'First block', firstBlock],
    ];
  }
  const leads = { atMs, note: `${server} leads in term ${String(data['term'])}` };
  const begin: Told = [
    ['silence', 'Last block to first sign', found.sign],
    ['election', 'Election', leads],
  ];
  if (sourceOf(around.elected) === 'followed') return [...begin, ['block', 'Start and first block', firstBlock]];
  const { confirmed, ordered, started } = startOf(around);
  return [
    ...begin,
    ['read', 'Committed head read', momentOf(confirmed, 'confirmed by a quorum')],
    ['catch-up', 'Catch-up of the node', momentOf(ordered, payloadsText(ordered))],
    ['start', 'Start of the sequencer', momentOf(started, `started by ${server}`)],
    ['block', 'First block', firstBlock],
  ];
}

/** A leader that tells nothing is known to be lost where its conductor did not answer; else it may have handed over. */
function kindOf(
  own: readonly StoredEvent[],
  before: StoredEvent,
  elected: StoredEvent,
  first: StoredBlock | null,
): Failover['kind'] {
  if (sourceOf(before) !== 'told') return kindByOthers(own, before, elected, first);
  const isHandedOver = own.some(
    ({ server, kind, data, atMs }) =>
      atMs <= elected.atMs &&
      server === before.server &&
      (kind === 'shutdown' ||
        (kind === 'order' && data['order'] === 'transfer') ||
        (kind === 'admin' && String(data['method']).startsWith('conductor_transferLeader'))),
  );
  return isHandedOver ? 'handed' : 'lost';
}

/** As the one who stood for election says, else by whether the leader before was silent. */
function kindByOthers(
  own: readonly StoredEvent[],
  before: StoredEvent,
  elected: StoredEvent,
  first: StoredBlock | null,
): Failover['kind'] {
  const stood = own.findLast(
    ({ server, kind, data, atMs }) =>
      server === elected.server && kind === 'role' && data['role'] === 'candidate' && atMs <= elected.atMs,
  );
  if (stood !== undefined) return stood.data['reason'] === handedOver ? 'handed' : 'lost';
  return lostByAsking(own, before, first) ? 'lost' : 'unknown';
}

function isNewest(blocks: readonly StoredBlock[], block: StoredBlock | null, untilMs: number): boolean {
  return block !== null && !blocks.some(({ number, atMs }) => number > block.number && atMs < untilMs);
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
