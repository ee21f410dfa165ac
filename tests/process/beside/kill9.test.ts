/** Short form of kill9.full.test.ts: every `npm test` kills real nodes. */
import { expect, it } from 'vitest';
import { Seeded } from '../../cluster/seeded.ts';
import { killRounds } from '../kill-rounds.ts';

const ROUNDS = 12;
const TIMEOUT_MS = 90_000;

it(
  'loses no acknowledged operation over 12 rounds of kill −9',
  async () => {
    const random = Seeded.announced('kill −9, short');
    const result = await killRounds({ implementations: ['bun', 'bun', 'bun'], rounds: ROUNDS, random });
    console.log(JSON.stringify(result));
    expect(result.broken).toEqual([]);
    expect(result.acknowledged).toBeGreaterThanOrEqual(ROUNDS * 100);
  },
  TIMEOUT_MS,
);
