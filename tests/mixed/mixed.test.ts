/**
 * Go and Bun nodes in one cluster. Runs where the Go node is already built; `npm run test:full` builds it.
 */
import { expect, it } from 'vitest';
import { isGoNodeBuilt } from '../../bench/build-gonode.ts';
import { Seeded } from '../cluster/seeded.ts';
import { mixedRun } from './mixed-run.ts';

const TIMEOUT_MS = 120_000;

it.for([{ implementations: ['go', 'go', 'bun'] }, { implementations: ['bun', 'bun', 'go'] }] as const)(
  'elects, replicates, snapshots, transfers and changes members on both sides: $implementations',
  { timeout: TIMEOUT_MS },
  async ({ implementations }, context) => {
    if (!isGoNodeBuilt()) context.skip('the Go node is not built: run `bun bench/build-gonode.ts` (needs Go)');
    const random = Seeded.announced(`mixed, ${implementations.join(' ')}`);
    const result = await mixedRun({ implementations, times: 1, kills: 2, random });
    console.log(JSON.stringify(result));
    expect(result.broken).toEqual([]);
  },
);
