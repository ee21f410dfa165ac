import { expect, test } from 'vitest';
import { Deadline } from './deadline.ts';

const aborted = ({ signal }: Deadline): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

test('it ends when its time is up, and not at all once it was given back', async () => {
  using deadline = new Deadline(5);
  const given = new Deadline(5);
  given[Symbol.dispose]();
  await aborted(deadline);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(given.signal.aborted).toBe(false);
});

test('after this process stood still, what came meanwhile is read first', async () => {
  using deadline = new Deadline(5);
  const told: string[] = [];
  const end = aborted(deadline).then(() => told.push('the time is up'));
  const untilMs = performance.now() + 60;
  while (performance.now() < untilMs);
  // Due after the deadline, as an answer is that arrived while nothing was read.
  setTimeout(() => told.push('an answer'), 0);
  await end;
  expect(told).toEqual(['an answer', 'the time is up']);
});
