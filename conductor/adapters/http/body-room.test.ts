import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BodyRoom, type Guest } from './body-room.ts';

const roomBytes = 100 * 1024 * 1024;
const rateMin = 4 * 1024 * 1024;

let room: BodyRoom;
let nowMs: number;
beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 0;
  room = new BodyRoom(roomBytes, () => nowMs);
});
afterEach(() => vi.useRealTimers());

class Body implements Guest {
  readonly roomBytes: number;
  arrivedBytes: number | null = 0;
  state: 'waiting' | 'inside' | 'evicted' | 'gone' = 'waiting';

  constructor(share: number) {
    this.roomBytes = share * roomBytes;
  }

  enter(): this {
    if (room.enter(this)) this.state = 'inside';
    return this;
  }

  leave(): void {
    this.state = 'gone';
    room.leave(this);
  }

  admitted(): void {
    this.state = 'inside';
  }

  evicted(): void {
    this.state = 'evicted';
    room.leave(this);
  }
}

/** Lets time pass in steps of a quarter of a second, each after `meanwhile`. */
function pass(ms: number, meanwhile: () => void = () => undefined): void {
  for (const end = nowMs + ms; nowMs < end;) {
    meanwhile();
    nowMs += 250;
    vi.advanceTimersByTime(250);
  }
}

test('who finds no room waits until somebody leaves, first the newest', () => {
  const [first, second, older, newer] = [0.5, 0.5, 0.4, 0.4].map((share) => new Body(share).enter());
  expect([first, second, older, newer].map((body) => body?.state)).toEqual(['inside', 'inside', 'waiting', 'waiting']);
  first?.leave();
  expect([older?.state, newer?.state]).toEqual(['waiting', 'inside']);
  second?.leave();
  expect(older?.state).toBe('inside');
});

test('one that has waited long is not passed over by those that come again and again', () => {
  let inside = new Body(1).enter();
  const [first, second] = [1, 1].map((share) => new Body(share).enter());
  for (let round = 0; round < 4; round += 1) {
    const again = new Body(1).enter();
    inside.leave();
    inside = [again, first!, second!].find(({ state }) => state === 'inside')!;
  }
  expect([first?.state, second?.state]).toEqual(['gone', 'inside']);
});

test('one that is larger than the room has it for itself', () => {
  const [large, other] = [4, 0.01].map((share) => new Body(share).enter());
  expect([large?.state, other?.state]).toEqual(['inside', 'waiting']);
  const next = new Body(4).enter();
  large?.leave();
  expect([next.state, other?.state]).toEqual(['inside', 'waiting']);
});

test('a new one that fits goes in past those that do not', () => {
  const [, tooLarge, fitting] = [0.8, 0.3, 0.1].map((share) => new Body(share).enter());
  expect([tooLarge?.state, fitting?.state]).toEqual(['waiting', 'inside']);
});

test('bodies that arrive fast enough are left alone, however long it takes', () => {
  const inside = new Body(1).enter();
  const waiting = new Body(1).enter();
  pass(10_000, () => (inside.arrivedBytes = (inside.arrivedBytes ?? 0) + rateMin));
  expect([inside.state, waiting.state]).toEqual(['inside', 'waiting']);
});

test('one that arrives slowly goes as soon as another waits, and not before', () => {
  const slow = new Body(1).enter();
  pass(60_000);
  expect(slow.state).toBe('inside');
  const waiting = new Body(1).enter();
  pass(1000, () => (slow.arrivedBytes = (slow.arrivedBytes ?? 0) + rateMin / 8));
  expect([slow.state, waiting.state]).toEqual(['evicted', 'inside']);
});

test('no more go than have to: the oldest of the slow ones', () => {
  const slow = [0.3, 0.3, 0.3].map((share) => new Body(share).enter());
  new Body(0.4).enter();
  pass(750);
  expect(slow.map(({ state }) => state)).toEqual(['inside', 'inside', 'inside']);
  pass(250);
  expect(slow.map(({ state }) => state)).toEqual(['evicted', 'inside', 'inside']);
});

test('one that has arrived is not judged by how long its answer takes', () => {
  const answered = new Body(1).enter();
  answered.arrivedBytes = null;
  new Body(1).enter();
  pass(60_000);
  expect(answered.state).toBe('inside');
});

test('nobody is judged by a time in which we were held up ourselves', () => {
  const slow = new Body(1).enter();
  new Body(1).enter();
  nowMs += 3000;
  vi.advanceTimersByTime(250);
  expect(slow.state).toBe('inside');
  pass(750);
  expect(slow.state).toBe('inside');
  pass(250);
  expect(slow.state).toBe('evicted');
});

test('whatever comes and goes, what is taken is within the room, and who fits is inside', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('enter' as const), share: fc.double({ min: 0.01, max: 1.5, noNaN: true }) }),
    fc.record({ kind: fc.constant('leave' as const), who: fc.nat() }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 1000 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      vi.clearAllTimers();
      room = new BodyRoom(roomBytes, () => nowMs);
      const bodies: Body[] = [];
      for (const each of steps) {
        if (each.kind === 'enter') bodies.push(new Body(each.share).enter());
        else if (each.kind === 'pass') pass(each.ms);
        else bodies[each.who % bodies.length]?.leave();
        const inside = bodies.filter(({ state }) => state === 'inside');
        const taken = inside.reduce((sum, body) => sum + body.roomBytes, 0);
        if (inside.length > 1) expect(taken).toBeLessThanOrEqual(roomBytes);
        expect(Math.abs(room.bytes - taken)).toBeLessThan(1);
        const newest = bodies.findLast(({ state }) => state === 'waiting');
        if (newest !== undefined) expect(taken + newest.roomBytes).toBeGreaterThan(roomBytes);
      }
      for (const body of bodies) body.leave();
      expect([room.bytes, vi.getTimerCount()]).toEqual([0, 0]);
    }),
  );
});
