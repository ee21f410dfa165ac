import { describe, expect, it } from 'vitest';
import type { OutboundRequest } from '#conductor/core/ports';
import { EntryType } from '#conductor/core/raft/types';
import { defaultConfiguration } from '../configuration.ts';
import { eventKinds, kinds, type EventKind, type SimEvent } from '../faults.ts';
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import { EPOCH_MS } from '../machine-clock.ts';
import { RUN_VERSION, type Run } from '../run-value.ts';
import type { World } from '../world.ts';
import { boundedKinds, gapBounds } from './gap-bounds.ts';
import { APART_MS } from './one-at-a-time.ts';
import type { Law } from './oracle.ts';
import { Disk } from '../disk.ts';
import { availability, boundedResources, chainGoesOn } from './service-laws.ts';

function eventOf(kind: EventKind, afterMs: number, forMs = 0): SimEvent {
  return { kind, afterMs, at: 0, to: 0, forMs, amount: 0 };
}

function runOf(...events: readonly SimEvent[]): Run {
  return { version: RUN_VERSION, configuration: defaultConfiguration, events };
}

interface History {
  readonly run: Run;
  /** When blocks were published, and when it all ended, milliseconds. */
  readonly publishedAtMs: readonly number[];
  readonly endMs: number;
  readonly calmFromMs?: number;
  readonly connections?: number;
  /** By so much the clock of whoever built the blocks ran ahead, milliseconds. */
  readonly aheadMs?: number;
  readonly isForeign?: boolean;
  readonly hasActed?: boolean;
  /** When blocks were published that most clients refuse, one each time. */
  readonly spoiledAtMs?: readonly number[];
  /** Their builder gives them as long as it is asked. */
  readonly isSticky?: boolean;
}

/** What a law says of a history. */
function judged(law: Law, history: History) {
  const { run, publishedAtMs, endMs, calmFromMs = 0, connections = 0, aheadMs = 0, isForeign = false } = history;
  const complaints: string[] = [];
  const notes: string[] = [];
  const oracle = law(
    (message) => complaints.push(message),
    (name) => notes.push(name),
  );
  const { spoiledAtMs = [] } = history;
  const blocks = spoiledAtMs.map((atMs) => ({ atMs, block: {} as Block }));
  const isSpoiled = (block: Block): boolean => blocks.some((one) => one.block === block);
  const verdicts = { isSound: (block: Block) => !isSpoiled(block) };
  const spoiled = { isOfNext: (block: Block) => isSpoiled(block) && history.isSticky !== true };
  if (blocks.length > 0) oracle.watch?.({ verdicts, spoiled } as unknown as World);
  // Each again a while later: it counts from the first time.
  for (const { atMs, block } of blocks)
    for (const worldMs of [atMs, atMs + 1000]) oracle.published?.({ id: 's0', worldMs } as unknown as Machine, block);
  for (const worldMs of publishedAtMs)
    oracle.published?.(
      { id: 's0', worldMs } as unknown as Machine,
      { timestamp: (EPOCH_MS + worldMs + aheadMs) / 1000, isForeign } as never,
    );
  const node = { head: { number: 7 }, isActive: true };
  const machines = ['s0', 's1', 's2'].map((id) => ({ id, node, conductor: null }));
  const [network, queue, operator] = [{ size: connections }, { size: 0 }, { hasActed: history.hasActed === true }];
  const world = { nowMs: endMs, machines, network, queue, operator } as unknown as World;
  oracle.finish?.({ world, run, calmFromMs });
  return { complaints, notes };
}

describe('availability', () => {
  const crash = runOf(eventOf('crash', 1000, 2000));
  const boundMs = gapBounds.crash.ms!;

  it('a gap longer than the bound of the fault breaks it, one at the bound does not', () => {
    const history = { run: crash, endMs: 2000 + boundMs, calmFromMs: 3000 };
    expect(judged(availability, { ...history, publishedAtMs: [0, 1000, 1000 + boundMs] }).complaints).toEqual([]);
    expect(judged(availability, { ...history, publishedAtMs: [0, 999, 1000 + boundMs] }).complaints).toEqual([
      `nothing was published for ${boundMs + 1} ms from 999 on; allowed are ${boundMs} (crash)`,
    ]);
  });

  it('a chain that has stopped at the end breaks it, too', () => {
    const { complaints } = judged(availability, {
      run: crash,
      publishedAtMs: [0, 1000],
      endMs: 20_000,
      calmFromMs: 3000,
    });
    expect(complaints).toHaveLength(1);
  });

  it('a gap is excused by the faults in whose time it falls, not by those of other times', () => {
    const slow = gapBounds.powerCut.ms!;
    const nextMs = 2000 + APART_MS;
    const run = runOf(eventOf('powerCut', 1000, 2000), eventOf('crash', nextMs, 2000));
    const history = { run, calmFromMs: 1000 + nextMs + 2000, endMs: 1000 + nextMs + slow };
    const blocks = (from: number, to: number): number[] =>
      Array.from({ length: (to - from) / 500 }, (_, at) => from + at * 500);
    const after = (atMs: number): number[] => [...blocks(0, atMs), ...blocks(atMs + slow - 500, history.endMs)];
    expect(judged(availability, { ...history, publishedAtMs: after(1500) }).complaints).toEqual([]);
    expect(judged(availability, { ...history, publishedAtMs: after(1500 + nextMs) }).complaints).toEqual([
      expect.stringMatching(/allowed are 2500 \(crash\)$/),
    ]);
  });

  it('what waited for a later fault may cost that much then', () => {
    const waited = gapBounds.lostAnswer.ms!;
    const run = runOf(eventOf('lostAnswer', 1000), eventOf('crash', APART_MS, 2000));
    const atMs = 1000 + APART_MS;
    const history = { run, calmFromMs: atMs + 2000, endMs: atMs + waited + 1000 };
    const publishedAtMs = [...Array.from({ length: atMs / 1000 }, (_, at) => at * 1000 + 1000), atMs + waited];
    expect(judged(availability, { ...history, publishedAtMs }).complaints).toEqual([]);
    expect(
      judged(availability, { ...history, publishedAtMs: [...publishedAtMs.slice(0, -1), atMs + waited + 1] })
        .complaints,
    ).toHaveLength(1);
  });

  it('judges only one fault at a time, and only kinds with a bound', () => {
    const empty = { publishedAtMs: [], endMs: 0 };
    const notes = (run: Run): number => judged(availability, { ...empty, run }).notes.length;
    expect(notes(crash)).toBe(1);
    expect(notes(runOf(eventOf('crash', 0, 2000), eventOf('cut', 2000 + APART_MS, 1)))).toBe(1);
    expect(notes(runOf(eventOf('crash', 0, 2000), eventOf('cut', 1999 + APART_MS, 1)))).toBe(0);
    expect(notes(runOf(eventOf('allDown', 0, 2000)))).toBe(0);
    expect(notes({ ...crash, configuration: { ...defaultConfiguration, servers: 5 } })).toBe(1);
    expect(notes({ ...crash, configuration: { ...defaultConfiguration, blockSeconds: 2 } })).toBe(0);
    expect(notes({ ...crash, configuration: { ...defaultConfiguration, healthSeconds: 5 } })).toBe(0);
    expect(notes(runOf())).toBe(0);
  });

  it('every kind has a bound or a reason, in words; no bound is beyond ten seconds', () => {
    for (const kind of eventKinds) {
      const { ms, because } = gapBounds[kind];
      expect(because, kind).toMatch(/^[a-z].{20,}[^.]$/);
      if (ms === null) continue;
      // A block each second, and its jitter.
      expect(ms, kind).toBeGreaterThan(1000);
      expect(ms, kind).toBeLessThan(10_000);
    }
    const serious = boundedKinds.filter((kind) => kinds[kind].reach !== 'none');
    expect(serious.length).toBeGreaterThan(20);
  });
});

describe('the chain goes on', () => {
  it('three blocks after the calm are enough, two are a violation that says who is where', () => {
    const history = { run: runOf(), endMs: 9000, calmFromMs: 5000 };
    expect(judged(chainGoesOn, { ...history, publishedAtMs: [1, 5000, 6000, 7000] }).complaints).toEqual([]);
    const { complaints } = judged(chainGoesOn, { ...history, publishedAtMs: [1, 4999, 6000, 7000] });
    expect(complaints).toEqual([expect.stringMatching(/^only 2 blocks .* s0: down; node at 7, sequencing; s1: down/)]);
  });

  it('blocks of a fork of L1 that one server alone saw do not count', () => {
    const history = { run: runOf(), publishedAtMs: [5000, 6000, 7000], endMs: 9000, calmFromMs: 5000 };
    expect(judged(chainGoesOn, { ...history, isForeign: true }).complaints).toHaveLength(1);
  });

  it('when all faults have long been over no more than three block times pass, unless an operator acts', () => {
    const early = [5000, 6000, 7000, 12_000, 17_000];
    const history = { run: runOf(), calmFromMs: 5000, endMs: 22_000 };
    expect(judged(chainGoesOn, { ...history, publishedAtMs: [...early, 20_500] }).complaints).toEqual([]);
    const late = { ...history, publishedAtMs: [...early, 20_501] };
    expect(judged(chainGoesOn, late).complaints).toEqual([
      'nothing was published for 3501 ms from 17000 on, 12000 ms after all faults were over',
    ]);
    expect(judged(chainGoesOn, { ...late, hasActed: true }).complaints).toEqual([]);
    expect(judged(chainGoesOn, { ...late, spoiledAtMs: [4999] }).complaints).toHaveLength(1);
    expect(judged(chainGoesOn, { ...late, spoiledAtMs: [5002] }).complaints).toEqual([]);
    expect(judged(chainGoesOn, { ...late, spoiledAtMs: [5002], isSticky: true }).complaints).toHaveLength(1);
  });

  it('nor does the chain have to go on before its time has come, where a clock ran ahead', () => {
    const history = { run: runOf(), calmFromMs: 5000, endMs: 22_000, publishedAtMs: [5000, 6000, 7000] };
    expect(judged(chainGoesOn, history).complaints).toHaveLength(1);
    expect(judged(chainGoesOn, { ...history, aheadMs: 12_000 }).complaints).toEqual([]);
  });
});

describe('resources', () => {
  it('connections that pile up break it', () => {
    const history = { run: runOf(), publishedAtMs: [], endMs: 0 };
    expect(judged(boundedResources, { ...history, connections: 288 }).complaints).toEqual([]);
    expect(judged(boundedResources, { ...history, connections: 289 }).complaints).toHaveLength(1);
  });

  it('what a full cache has long dropped is read again before it is sent', () => {
    const memoryBytes = 100;
    const complaintsOf = (index: number, read: readonly number[], bounds = memoryBytes): string[] => {
      const complaints: string[] = [];
      const oracle = boundedResources(
        (message) => complaints.push(message),
        () => undefined,
      );
      oracle.watch?.({ configuration: { ...defaultConfiguration, memoryBytes: bounds } } as unknown as World);
      const disk = new Disk();
      const entries = [1, 2, 3, 4, 5].map((at) => {
        const entry = { index: at, term: 1, type: EntryType.command, data: new Uint8Array(80), extensions: null };
        return { entry: { ...entry, appendedAt: new Uint8Array(15) }, summary: null };
      });
      disk.write({ entries });
      for (const at of read) disk.read(at, at, 1);
      const message = { peerId: 's1', request: { kind: 'append', entries: [{ index }] } };
      oracle.sent?.({ id: 's0', disk } as unknown as Machine, message as unknown as OutboundRequest);
      return complaints;
    };
    expect(complaintsOf(2, [])).toEqual(['s0 sends entry 2 to s1 from memory, where 100 bytes of newer ones would be']);
    expect(complaintsOf(2, [3])).toHaveLength(1);
    expect(complaintsOf(2, [2])).toEqual([]);
    // Two that follow it may be there beside it.
    expect(complaintsOf(3, [])).toEqual([]);
    expect(complaintsOf(2, [], 0)).toEqual([]);
  });
});
