/** 200 rounds of kill −9 at random moments: no acknowledged entry lost, no index with two values, no term or vote regresses. */
import { expect, it } from 'vitest';
import { Seeded } from '../cluster/seeded.ts';
import { killRounds } from './kill-rounds.ts';

const ROUNDS = 200;
const TIMEOUT_MS = 1_800_000;

it(
  'loses no acknowledged operation over 200 rounds of kill −9',
  async () => {
    const random = Seeded.announced('kill −9, full');
    const result = await killRounds({ implementations: ['bun', 'bun', 'bun'], rounds: ROUNDS, random });
    console.log(JSON.stringify(result));
    expect(result.broken).toEqual([]);
    expect(result.acknowledged).toBeGreaterThanOrEqual(ROUNDS * 100);
  },
  TIMEOUT_MS,
);
