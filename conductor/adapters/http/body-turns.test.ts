import { expect, test } from 'vitest';
import { BodyTurns } from './body-turns.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one body is read per turn, in the order in which they were complete', async () => {
  const turns = new BodyTurns();
  const done: string[] = [];
  expect(turns.take()).toBe(true);
  for (const name of ['a', 'b', 'c']) {
    expect(turns.take()).toBe(false);
    turns.queue(() => done.push(name));
  }
  const seen: number[] = [];
  for (let each = 0; each < 10; each += 1) {
    await turn();
    seen.push(done.length);
  }
  expect(done).toEqual(['a', 'b', 'c']);
  for (const [at, count] of seen.entries()) expect(count - (seen[at - 1] ?? 0)).toBeLessThanOrEqual(1);
  expect(turns.take()).toBe(true);
});

test('what fails does not keep the others from their turn', async () => {
  const turns = new BodyTurns();
  const done: string[] = [];
  const steps = [1, 2, 3].map(() => new Promise<void>((resolve) => turns.queue(resolve)));
  await Promise.all(steps.map((step, at) => step.then(() => done.push(`${at}`))));
  expect(done).toEqual(['0', '1', '2']);
});
