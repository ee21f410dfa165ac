import { expect, test } from 'vitest';
import { until } from './until.ts';

test('looks until it is so', async () => {
  let looks = 0;
  await until(() => Promise.resolve(++looks === 3), 10_000, 'it was not so');
  expect(looks).toBe(3);
});

test('gives up by the clock, however long a look takes, and says after how long', async () => {
  let looks = 0;
  const slow = async (): Promise<boolean> => {
    looks++;
    await new Promise((resolve) => setTimeout(resolve, 60));
    return false;
  };
  await expect(until(slow, 50, 'node-2 did not answer')).rejects.toThrow('node-2 did not answer within 0.05 s');
  expect(looks).toBe(1);
});

test('what a look throws is thrown on', async () => {
  await expect(until(() => Promise.reject(new Error('refused')), 1000, 'no')).rejects.toThrow('refused');
});
