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
  readonly address: string;
  arrivedBytes: number | null = 0;
  state: 'waiting' | 'inside' | 'evicted' | 'gone' = 'waiting';

  constructor(share: number, address = '') {
    this.roomBytes = share * roomBytes;
    this.address = address;
  }

  /** Sends so much more. */
  send(bytes: number): void {
    this.arrivedBytes = (this.arrivedBytes ?? 0) + bytes;
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
  pass(10_000, () => inside.send(rateMin));
  expect([inside.state, waiting.state]).toEqual(['inside', 'waiting']);
});

test('one that arrives slowly goes as soon as another waits, and not before', () => {
  const slow = new Body(1).enter();
  pass(60_000);
  expect(slow.state).toBe('inside');
  const waiting = new Body(1).enter();
  pass(1000, () => slow.send(rateMin / 8));
  expect([slow.state, waiting.state]).toEqual(['evicted', 'inside']);
});

test('no more go than have to: the oldest of the slow ones', () => {
  const slow = [0.3, 0.3, 0.3].map((share) => new Body(share).enter());
  new Body(0.4).enter();
  const trickle = (): void => slow.forEach((body) => body.send(1));
  pass(750, trickle);
  expect(slow.map(({ state }) => state)).toEqual(['inside', 'inside', 'inside']);
  pass(250, trickle);
  expect(slow.map(({ state }) => state)).toEqual(['evicted', 'inside', 'inside']);
});

test('one that has arrived is not judged by how long its answer takes', () => {
  const answered = new Body(1).enter();
  answered.arrivedBytes = null;
  new Body(1).enter();
  pass(60_000);
  expect(answered.state).toBe('inside');
});

test('one that has been worked on for a second while others wait is overdue', () => {
  const working = new Body(1).enter();
  working.arrivedBytes = null;
  pass(60_000);
  expect(room.isOverdue(working)).toBe(false);
  const waiting = new Body(1).enter();
  pass(1000);
  expect(room.isOverdue(working)).toBe(false);
  pass(250);
  expect(room.isOverdue(working)).toBe(true);
  waiting.leave();
  expect(room.isOverdue(working)).toBe(false);
});

test('nobody is judged by a time in which we were held up ourselves', () => {
  const slow = new Body(1).enter();
  new Body(1).enter();
  nowMs += 3000;
  vi.advanceTimersByTime(250);
  expect(slow.state).toBe('inside');
  const trickle = (): void => slow.send(1);
  pass(750, trickle);
  expect(slow.state).toBe('inside');
  pass(250, trickle);
  expect(slow.state).toBe('evicted');
});

test('one that has room and sends nothing goes at the second look while others wait', () => {
  const silent = new Body(1);
  silent.send(100_000);
  silent.enter();
  const waiting = new Body(1).enter();
  pass(250);
  expect(silent.state).toBe('inside');
  pass(250);
  expect([silent.state, waiting.state]).toEqual(['evicted', 'inside']);
});

test('one that has begun to send may pause, as long as its rate is enough', () => {
  const pausing = new Body(1).enter();
  new Body(1).enter();
  for (let second = 0; second < 5; second += 1) {
    pausing.send(rateMin);
    pass(1000);
  }
  expect(pausing.state).toBe('inside');
});

/** How long a body of a fiftieth of the room waits while others are begun that want all of it and then send nothing. */
function waitAmongSilent(perSecond: number, addresses: readonly string[], own: string): number {
  let begun = 0;
  const flood = (): void => {
    for (; begun < (nowMs / 1000) * perSecond; begun += 1) new Body(1, addresses[begun % addresses.length]).enter();
  };
  pass(30_000, flood);
  const honest = new Body(0.02, own).enter();
  const sinceMs = nowMs;
  while (honest.state === 'waiting' && nowMs - sinceMs < 30_000) pass(250, flood);
  return nowMs - sinceMs;
}

test('four silent ones a second from the same address keep nobody out for longer than a second', () => {
  expect(waitAmongSilent(4, ['proxy'], 'proxy')).toBeLessThanOrEqual(1000);
});

test('however many wait at other addresses, the one served least recently is next', () => {
  expect(waitAmongSilent(100, ['a', 'b', 'c'], 'd')).toBeLessThanOrEqual(250);
});

test('eight addresses that send again and again are served in turn', () => {
  let inside = new Body(1, '7').enter();
  let waiting = Array.from({ length: 8 }, (_, at) => new Body(1, String(at)).enter());
  const order: string[] = [];
  for (let round = 0; round < 24; round += 1) {
    inside.leave();
    inside = waiting.find(({ state }) => state === 'inside')!;
    order.push(inside.address);
    waiting = [...waiting.filter((body) => body !== inside), new Body(1, inside.address).enter()];
  }
  expect(new Set(order.slice(0, 8)).size).toBe(8);
  expect([order.slice(8, 16), order.slice(16)]).toEqual([order.slice(0, 8), order.slice(0, 8)]);
});

test('what waits holds no more than its bound: the oldest of the address whose turn comes last goes', () => {
  const inside = new Body(1, 'many').enter();
  const others = [1, 2].map(() => new Body(1, 'other'));
  const many = Array.from({ length: 600 }, () => new Body(1, 'many'));
  for (const body of [...others, ...many]) {
    body.send(64 * 1024);
    body.enter();
  }
  expect(others.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  expect(many.map(({ state }) => state)).toEqual([...Array(90).fill('evicted'), ...Array(510).fill('waiting')]);
  inside.leave();
  expect(others.map(({ state }) => state)).toEqual(['waiting', 'inside']);
});

test('whatever comes and goes, what is taken is within the room, and nobody waits where all would fit', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('enter' as const),
      share: fc.double({ min: 0.01, max: 1.5, noNaN: true }),
      address: fc.constantFrom('a', 'b', 'c'),
    }),
    fc.record({ kind: fc.constant('leave' as const), who: fc.nat() }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 1000 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      vi.clearAllTimers();
      room = new BodyRoom(roomBytes, () => nowMs);
      const bodies: Body[] = [];
      for (const each of steps) {
        if (each.kind === 'enter') bodies.push(new Body(each.share, each.address).enter());
        else if (each.kind === 'pass') pass(each.ms);
        else bodies[each.who % bodies.length]?.leave();
        const inside = bodies.filter(({ state }) => state === 'inside');
        const taken = inside.reduce((sum, body) => sum + body.roomBytes, 0);
        if (inside.length > 1) expect(taken).toBeLessThanOrEqual(roomBytes);
        expect(Math.abs(room.bytes - taken)).toBeLessThan(1);
        const waiting = bodies.filter(({ state }) => state === 'waiting');
        if (waiting.length > 0)
          expect(taken + Math.max(...waiting.map((body) => body.roomBytes))).toBeGreaterThan(roomBytes);
      }
      for (const body of bodies) body.leave();
      expect([room.bytes, vi.getTimerCount()]).toEqual([0, 0]);
    }),
  );
});
