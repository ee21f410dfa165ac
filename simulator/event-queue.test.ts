import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventQueue, StandstillError } from './event-queue.ts';

function drain(queue: EventQueue, untilMs = Infinity): void {
  while (queue.step(untilMs));
}

describe('virtual time', () => {
  it('runs everything in the order of its time, then of its scheduling', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 200 }), (times) => {
        const queue = new EventQueue();
        const ran: string[] = [];
        times.forEach((atMs, order) => queue.at(atMs, () => ran.push(`${queue.nowMs}/${order}`)));
        drain(queue, 20);
        const expected = times.map((atMs, order) => ({ atMs, order })).toSorted((a, b) => a.atMs - b.atMs);
        expect(ran).toEqual(expected.map(({ atMs, order }) => `${atMs}/${order}`));
        expect(queue.size).toBe(0);
      }),
    );
  });

  it('jumps from one event to the next, and to the end when there is none', () => {
    const queue = new EventQueue();
    const seen: number[] = [];
    queue.after(7, () => seen.push(queue.nowMs));
    expect(queue.step(5)).toBe(false);
    expect(queue.nowMs).toBe(5);
    expect(queue.step(50)).toBe(true);
    expect(queue.nowMs).toBe(7);
    expect(queue.step(50)).toBe(false);
    expect(queue.nowMs).toBe(50);
    expect(seen).toEqual([7]);
  });

  it('never goes back: what is late runs at once', () => {
    const queue = new EventQueue();
    queue.step(100);
    let atMs = 0;
    queue.at(3, () => {
      atMs = queue.nowMs;
    });
    expect(queue.step(100)).toBe(true);
    expect(atMs).toBe(100);
  });

  it('runs what an event schedules for the same time after all that waits for it', () => {
    const queue = new EventQueue();
    const ran: string[] = [];
    queue.at(1, () => {
      ran.push('a');
      queue.after(0, () => ran.push('c'));
    });
    queue.at(1, () => ran.push('b'));
    drain(queue, 1);
    expect(ran).toEqual(['a', 'b', 'c']);
  });
});

it('what is moved runs as if it had been scheduled for then at first', () => {
  const queue = new EventQueue();
  const ran: string[] = [];
  const early = queue.at(50, () => ran.push('moved'));
  queue.at(20, () => ran.push('same time, scheduled later'));
  queue.at(10, () => ran.push('before'));
  queue.step(10);
  queue.move(early, 20);
  drain(queue, 60);
  expect(ran).toEqual(['before', 'moved', 'same time, scheduled later']);
});

it('says so when something happens again and again and time does not go on', () => {
  const queue = new EventQueue();
  const again = (): void => void queue.after(0, again);
  again();
  expect(() => {
    while (queue.step(1));
  }).toThrow(StandstillError);
});
