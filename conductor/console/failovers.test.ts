import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seenByAsking } from './asked-changes.ts';
import { failoversOf } from './failovers.ts';
import type { StoredEvent } from './history.ts';

const event = (server: string, atMs: number, kind: string, data: StoredEvent['data'] = {}): StoredEvent => ({
  cluster: 'c',
  server,
  atMs,
  kind,
  data,
});
const elected = (server: string, atMs: number, term: number): StoredEvent =>
  event(server, atMs, 'role', { role: 'leader', term, reason: 'elected' });

/** A leader that was killed, as its survivors published it; times as on a development cluster. */
const killed: readonly StoredEvent[] = [
  elected('a', 100, 2),
  event('b', 5577, 'leader', { leader: null, term: 2 }),
  event('b', 5577, 'role', { role: 'candidate', term: 3, reason: 'the leader is gone' }),
  elected('b', 5582, 3),
  event('b', 5590, 'confirmed', { confirmed: true, message: '' }),
  event('b', 5593, 'order', { order: 'start', target: '', payloads: 2 }),
  event('b', 5597, 'orderDone', { order: 'start', done: true, message: '', ms: 4 }),
];
const blocks = [1000, 2000, 3000, 4000, 5000, 5964, 6958].map((atMs, at) => ({ number: at + 1, atMs }));

test('a lost leader: phases from the last block to the first, each with what ended it', () => {
  const [failover] = failoversOf(killed, blocks, 1000);
  expect(failover).toMatchObject({ from: 'a', to: 'b', term: 3, kind: 'lost', lastBlock: 5, firstBlock: 6 });
  expect(failover!.phases.map(({ key, fromMs, toMs }) => [key, toMs - fromMs])).toEqual([
    ['silence', 577],
    ['election', 5],
    ['read', 8],
    ['catch-up', 3],
    ['start', 4],
    ['block', 367],
  ]);
  expect(failover!.phases.map(({ note }) => note)).toEqual([
    'b: the leader is gone',
    'b leads in term 3',
    'confirmed by a quorum',
    '2 blocks given to the node',
    'started by b',
    'block 6',
  ]);
  expect([failover!.gapMs, failover!.missedSlots]).toEqual([964, 0]);
});

test('leadership that was handed over begins with the first order of who had it', () => {
  const handed = [
    elected('a', 100, 2),
    event('a', 5100, 'order', { order: 'stop', target: '', payloads: 0 }),
    event('a', 5110, 'order', { order: 'transfer', target: 'b', payloads: 0 }),
    ...killed.slice(3),
  ];
  const [failover] = failoversOf(handed, blocks, 1000);
  expect(failover).toMatchObject({ kind: 'handed' });
  expect(failover!.phases[0]).toMatchObject({ fromMs: 5000, toMs: 5100, note: 'a: stops its sequencer' });
});

test('a verdict on the leader’s node is the first sign once no block followed, and what was told meanwhile is kept', () => {
  const ill = (atMs: number): StoredEvent =>
    event('a', atMs, 'health', { healthy: false, cause: 'no answer', detail: '' });
  const handed = [
    elected('a', 100, 2),
    ill(4900),
    ill(5090),
    event('a', 5110, 'order', { order: 'transfer', target: 'b', payloads: 0 }),
    event('a', 5115, 'alarm', { alarm: 'bad-seals' }),
    ...killed.slice(3),
    event('c', 5970, 'alarm', { alarm: 'stranger' }),
  ];
  const [failover] = failoversOf(handed, blocks, 1000);
  expect(failover).toMatchObject({ kind: 'handed', lastBlock: 5, gapMs: 964 });
  expect(failover!.phases[0]).toMatchObject({ toMs: 5090, note: 'a: its node is unhealthy: no answer' });
  expect(failover!.told.map(({ server, text }) => [server, text])).toEqual([
    ['a', 'its node is unhealthy: no answer'],
    ['a', 'its node is unhealthy: no answer'],
    ['a', 'alarm: its sequencer seals invalid blocks'],
  ]);
});

test('while there is no first block the phases end where it stands, and there is no gap yet', () => {
  const [failover] = failoversOf(killed.slice(0, 5), blocks.slice(0, 5), 1000);
  expect(failover!.phases.map(({ key }) => key)).toEqual(['silence', 'election', 'read']);
  expect([failover!.gapMs, failover!.missedSlots, failover!.firstBlock]).toEqual([null, null, null]);
});

test('a block of the old leader that is known to be committed after the election is not the first of the new one', () => {
  const left = [...blocks.slice(0, 5), { number: 6, atMs: 5584 }];
  const [early] = failoversOf(killed.slice(0, 4), left, 1000);
  expect([early!.firstBlock, early!.gapMs]).toEqual([null, null]);
  const [late] = failoversOf(killed, [...left, { number: 7, atMs: 5964 }], 1000);
  expect([late!.lastBlock, late!.firstBlock]).toEqual([6, 7]);
  const [unordered] = failoversOf(killed.slice(0, 4), [...left, { number: 7, atMs: 6584 }], 1000);
  expect([unordered!.lastBlock, unordered!.firstBlock]).toEqual([5, 6]);
});

test('slots are missed where the gap has room for more blocks', () => {
  const late = blocks.map(({ number, atMs }) => ({ number, atMs: number < 6 ? atMs : atMs + 3000 }));
  expect(failoversOf(killed, late, 1000)[0]).toMatchObject({ gapMs: 3964, missedSlots: 3 });
});

test('what is told after the first block ends no phase beyond it', () => {
  const late = [...killed.slice(0, 4), event('b', 9000, 'confirmed', { confirmed: true })];
  const [failover] = failoversOf(late, blocks, 1000);
  expect(failover!.phases.map(({ key, fromMs, toMs }) => [key, toMs - fromMs])).toEqual([
    ['silence', 577],
    ['election', 5],
    ['read', 382],
    ['catch-up', 0],
    ['start', 0],
    ['block', 0],
  ]);
  expect(failover!.gapMs).toBe(964);
});

test('what was told before blocks went on is no sign of a later failover', () => {
  const returned = event('c', 2500, 'role', { role: 'candidate', term: 2, reason: 'the leader is gone' });
  const [failover] = failoversOf([killed[0]!, returned, ...killed.slice(1)], blocks, 1000);
  expect(failover!.phases[0]).toMatchObject({ fromMs: 5000, toMs: 5577, note: 'b: the leader is gone' });
  expect(failover!.gapMs).toBe(964);
});

test('a last block that others learnt of after the first sign was there before it', () => {
  const late = blocks.map(({ number, atMs }) => ({ number, atMs: number === 5 ? 5583 : atMs }));
  const [failover] = failoversOf(killed, late, 1000);
  expect(failover!.phases[0]).toMatchObject({ fromMs: 5577, toMs: 5577 });
  expect([failover!.lastBlock, failover!.firstBlock]).toEqual([5, 6]);
});

describe('found by asking', () => {
  const asked = (server: string, atMs: number, sinceMs: number | null): StoredEvent =>
    event(server, atMs, 'role', { role: 'leader', term: null, reason: seenByAsking, sinceMs });
  /** Looks once a second; the leader of blocks up to 4 is lost, the next block is seen 3 s later. */
  const seen = [1000, 2000, 3000, 4000, 7000, 8000].map((atMs, at) => ({ number: at + 1, atMs, spreadMs: 1000 }));
  const gone = event('a', 5000, 'silent', { why: 'connection refused' });

  test('a failover has two phases, a gap between bounds, and no more is said', () => {
    const [failover] = failoversOf([asked('a', 100, null), gone, asked('b', 6000, 5000)], seen, 1000);
    expect(failover).toMatchObject({
      source: 'asked',
      kind: 'lost',
      term: null,
      lastBlock: 4,
      firstBlock: 5,
      gapMs: 3000,
      gapRangeMs: [2000, 4000],
      missedSlots: 1,
    });
    expect(failover!.phases.map(({ key, fromMs, toMs }) => [key, toMs - fromMs])).toEqual([
      ['silence', 2000],
      ['block', 1000],
    ]);
  });

  test('the first block may have been before the look that saw the new leader', () => {
    const [failover] = failoversOf([asked('a', 100, null), asked('b', 7400, 6000)], seen, 1000);
    expect(failover).toMatchObject({ lastBlock: 4, firstBlock: 5, gapMs: 3000 });
    expect(failover!.phases.map(({ fromMs, toMs }) => toMs - fromMs)).toEqual([3000, 0]);
  });

  test('until a block was seen at that look or after it, there is no gap yet', () => {
    const [failover] = failoversOf([asked('a', 100, null), asked('b', 6000, 5000)], seen.slice(0, 4), 1000);
    expect(failover).toMatchObject({ lastBlock: 4, firstBlock: null, gapMs: null, gapRangeMs: null });
  });

  test('a leader that went on answering may have handed over', () => {
    const [failover] = failoversOf([asked('a', 100, null), asked('b', 6000, 5000)], seen, 1000);
    expect(failover).toMatchObject({ kind: 'unknown' });
  });

  test('who leads again without a missed slot was lost to the question alone; what nobody looked at has no time', () => {
    expect(failoversOf([asked('a', 100, null), asked('a', 3000, 2000)], seen, 1000)).toEqual([]);
    expect(failoversOf([asked('a', 100, null), asked('b', 6000, null)], seen, 1000)).toEqual([]);
  });
});

test('of a leader whom another follows, election and gap are told and its start is not', () => {
  const by = { role: 'leader', term: 3, reason: 'c follows it', by: 'c' };
  const events = [elected('a', 100, 2), ...killed.slice(1, 3), event('x', 5590, 'role', by)];
  const [failover] = failoversOf(events, blocks, 1000);
  expect(failover).toMatchObject({ source: 'followed', kind: 'lost', from: 'a', to: 'x', term: 3, gapMs: 964 });
  expect(failover!.gapRangeMs).toBeNull();
  expect(failover!.phases.map(({ key, label, fromMs, toMs }) => [key, label, toMs - fromMs])).toEqual([
    ['silence', 'Last block to first sign', 577],
    ['election', 'Election', 13],
    ['block', 'Start and first block', 374],
  ]);
});

test('after a leader that tells nothing, the one who stood for election says whether it was handed over', () => {
  const asked = event('x', 100, 'role', { role: 'leader', term: null, reason: seenByAsking, sinceMs: null });
  const stood = (reason: string): StoredEvent => event('b', 5577, 'role', { role: 'candidate', term: 3, reason });
  const kindOf = (reason: string): unknown =>
    failoversOf([asked, stood(reason), ...killed.slice(3)], blocks, 1000)[0]!.kind;
  expect([kindOf('leadership was handed over'), kindOf('the leader is gone')]).toEqual(['handed', 'lost']);
});

test('the first leader of a cluster takes over from nobody', () => {
  expect(failoversOf([elected('a', 100, 2)], blocks, 1000)).toEqual([]);
});

test('of events in any number and at any time: phases follow each other without holes and sum to the gap', () => {
  const kinds = fc.constantFrom<readonly [string, StoredEvent['data']]>(
    ['role', { role: 'leader', term: 3 }],
    ['role', { role: 'candidate', reason: 'x' }],
    ['role', { role: 'leader', term: null, reason: seenByAsking, sinceMs: 0 }],
    ['role', { role: 'leader', term: 4, reason: 'c follows it', by: 'c' }],
    ['leader', { leader: null }],
    ['confirmed', { confirmed: true }],
    ['order', { order: 'start', payloads: 0 }],
    ['order', { order: 'stop' }],
    ['orderDone', { order: 'start', done: true }],
    ['shutdown', { reason: 'SIGTERM' }],
  );
  const some = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 9000 }), kinds), {
    maxLength: 30,
  });
  const times = fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 20 });
  fc.assert(
    fc.property(some, times, (given, seen) => {
      const events = given
        .map(([server, atMs, [kind, data]]) => event(server, atMs, kind, data))
        .toSorted((x, y) => x.atMs - y.atMs);
      const chain = seen.toSorted((x, y) => x - y).map((atMs, number) => ({ number, atMs, spreadMs: atMs % 7 }));
      for (const { phases, gapMs, lastBlock, firstBlock } of failoversOf(events, chain, 1000)) {
        for (const [at, { fromMs, toMs }] of phases.entries()) {
          expect(toMs).toBeGreaterThanOrEqual(fromMs);
          if (at > 0) expect(fromMs).toBe(phases[at - 1]!.toMs);
        }
        const sum = phases.reduce((total, { fromMs, toMs }) => total + toMs - fromMs, 0);
        if (gapMs !== null) expect(sum).toBe(gapMs);
        if (firstBlock !== null) expect(firstBlock).toBeGreaterThan(lastBlock!);
      }
    }),
  );
});
