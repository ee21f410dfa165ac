/** The long form of mixed.test.ts: builds the Go node, repeats every scene, and kills more often. */
import { expect, it } from 'vitest';
import { buildGoNode } from '../../bench/build-gonode.ts';
import { Seeded } from '../cluster/seeded.ts';
import { mixedRun } from './mixed-run.ts';

const TIMEOUT_MS = 900_000;

it.for([
  { implementations: ['go', 'go', 'bun'] },
  { implementations: ['bun', 'go', 'go'] },
  { implementations: ['go', 'bun', 'bun'] },
  { implementations: ['bun', 'bun', 'go'] },
] as const)(
  'holds through repeated scenes and 20 rounds of kill −9: $implementations',
  { timeout: TIMEOUT_MS },
  async ({ implementations }, context) => {
    const failure = await buildGoNode();
    if (failure?.startsWith('Go is not installed')) context.skip(failure);
    expect(failure).toBeNull();
    const random = Seeded.announced(`mixed, full, ${implementations.join(' ')}`);
    const result = await mixedRun({ implementations, times: 3, kills: 20, random });
    console.log(JSON.stringify(result));
    expect(result.broken).toEqual([]);
  },
);
