import { expect, test } from 'vitest';
import type { Metrics } from '#conductor/core/ports';
import type { PublishedEvent } from '#conductor/core/published-event';
import { withAlarmEvents } from './alarm-events.ts';
import { EventRing } from './event-ring.ts';

function ringOf(eventsMax: number): EventRing {
  return new EventRing({ server: 'a', version: 'v0', now: () => 5.00049, unixMs: () => 36 ** 2, eventsMax });
}

const shutdown = (reason: string): PublishedEvent => ({ kind: 'shutdown', reason });
const reasonsIn = (text: string): unknown[] => [...text.matchAll(/"reason":"(\w+)"/g)].map(([, reason]) => reason);

test('an event has the form of a server-sent one, with both clocks and the server', () => {
  const ring = ringOf(4);
  ring.publish(shutdown('x'));
  expect(ring.after(0, 1000)).toEqual({
    through: 1,
    text: 'id: 100-1\nevent: shutdown\ndata: {"atMs":1296,"monotonicMs":5,"server":"a","kind":"shutdown","reason":"x"}\n\n',
  });
});

test('it holds the newest events and no more, and reads go on where the one before ended', () => {
  const ring = ringOf(3);
  for (const reason of ['a', 'b', 'c', 'd', 'e']) ring.publish(shutdown(reason));
  expect([ring.first, ring.last]).toEqual([3, 5]);
  const first = ring.after(2, 1)!;
  expect(reasonsIn(first.text)).toEqual(['c']);
  const rest = ring.after(first.through, 10_000)!;
  expect(reasonsIn(rest.text)).toEqual(['d', 'e']);
  expect(ring.after(rest.through, 10_000)).toBeNull();
});

test('an id is gone on from only in the same life, and only while nothing after it is missing', () => {
  const ring = ringOf(2);
  for (const reason of ['a', 'b', 'c']) ring.publish(shutdown(reason));
  expect(
    ['100-1', '100-3', '100-0', '100-4', '101-2', 'x', '', '100-1e1', null].map((id) => ring.resumable(id)),
  ).toEqual([1, 3, null, null, null, null, null, null, null]);
});

test('an event that is too long keeps its kind and clocks alone', () => {
  const ring = ringOf(2);
  ring.publish(shutdown('x'.repeat(10_000)));
  expect(ring.after(0, 1)!.text).toContain('"kind":"shutdown","cut":true}');
});

test('whoever counts an alarm publishes it; other counts, and a count of none, publish nothing', () => {
  const counted: string[] = [];
  const published: PublishedEvent[] = [];
  const metrics = {
    count: (name: string) => void counted.push(name),
    gauge: () => undefined,
    observe: () => undefined,
  };
  const watched = withAlarmEvents(metrics as Metrics, { publish: (event) => void published.push(event) });
  watched.count('alarms_total', { kind: 'node-off' });
  watched.count('alarms_total', { kind: 'node-off' }, 0);
  watched.count('clock_jumps_total');
  expect(counted).toEqual(['alarms_total', 'alarms_total', 'clock_jumps_total']);
  expect(published).toEqual([{ kind: 'alarm', alarm: 'node-off' }]);
});
