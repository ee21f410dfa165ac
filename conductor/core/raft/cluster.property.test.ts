/**
 * Whole clusters under random schedules in virtual time: whatever happens, the laws of testing/laws.ts hold after
 * every step, and once everything runs and is connected again, somebody leads and commits.
 * A failure prints its seed and path: add them to cluster.seeds.json, whose lines are replayed first.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import seeds from './cluster.seeds.json' with { type: 'json' };
import type { RaftOptions } from './events.ts';
import { TestCluster, type TestClusterOptions } from './testing/cluster.ts';
import { electable } from './testing/electable.ts';
import { act, revive, step, stepAmongWrongAddresses, type Step } from './testing/schedule.ts';

const FULL_FACTOR = 20;
const RUNS = 700 * (process.env['CONDUCTOR_TEST_FULL'] === '1' ? FULL_FACTOR : 1);
const STEPS_MAX = 120;
/** A leader must emerge and commit within this long after everything works again: several rounds of elections. */
const RECOVERY_MS = 30_000;
/** Whatever was asked for has an outcome after this long: the longest wait is for a new voter to catch up. */
const OUTCOME_MS = 10_000;

const TINY: Partial<RaftOptions> = {
  trailingLogs: 5,
  snapshotThreshold: 10,
  snapshotIntervalMs: 300,
  cacheBytesMax: 600,
  appendEntriesMax: 3,
  inflightRequestsMax: 2,
  inflightBytesMax: 40,
};

const options: fc.Arbitrary<TestClusterOptions> = fc.record({
  seed: fc.nat(),
  size: fc.constantFrom(3, 5),
  raft: fc
    .tuple(
      fc.constantFrom({}, TINY),
      fc.constantFrom({}, { stageVoters: false }),
      fc.constantFrom({}, { fastElections: false }),
    )
    .map(([sizes, staging, fast]) => ({ ...sizes, ...staging, ...fast })),
  delayMs: fc.constantFrom({ min: 0.1, max: 3 }, { min: 1, max: 200 }),
  batching: fc.constantFrom(0, 0.7),
});

async function run(clusterOptions: TestClusterOptions, steps: readonly Step[]): Promise<void> {
  const cluster = await TestCluster.form(clusterOptions);
  let proposals = 0;
  for (const taken of steps) act(cluster, taken, () => `p${proposals++}`);
  cluster.heal();
  for (const { id, store, frozen, node } of cluster.servers.values()) {
    cluster.servers.get(id)!.diesAfterWrite = false;
    if (!node || store.failure !== null) revive(cluster, id);
    else if (frozen) cluster.thaw(id);
  }
  assertRecovers(cluster);
}

function assertRecovers(cluster: TestCluster): void {
  const endMs = cluster.nowMs + RECOVERY_MS;
  for (;;) {
    const leader = cluster.leader();
    if (leader) {
      const id = cluster.propose(leader, `final ${cluster.nowMs}`);
      cluster.run(1000);
      if (cluster.results.get(id)?.kind === 'done') break;
    } else cluster.run(100);
    if (cluster.nowMs > endMs) {
      expect(
        cluster.leader() ? [cluster.leader()] : electable(cluster),
        'nobody is elected only where nobody can be',
      ).toEqual([]);
      return;
    }
  }
  cluster.run(OUTCOME_MS);
  expect(cluster.laws.unanswered, 'every request has an outcome').toEqual([]);
  const [first] = [...cluster.servers.values()].toSorted(
    (a, b) => cluster.status(b.id)!.appliedIndex - cluster.status(a.id)!.appliedIndex,
  );
  cluster.laws.assertKept(first!.machine);
}

function lawOf(steps: fc.Arbitrary<Step>) {
  return fc.asyncProperty(options, fc.array(steps, { minLength: 20, maxLength: STEPS_MAX, size: 'max' }), run);
}

const law = lawOf(step);
const seed = Number(process.env['CONDUCTOR_TEST_SEED'] ?? Date.now());

describe('a cluster under random schedules', () => {
  it.each(seeds)('holds the laws again: seed $seed, path $path', async ({ seed, path }) => {
    await fc.assert(law, { seed, path, endOnFailure: true });
  });

  it(
    'holds the laws, and recovers',
    async () => {
      await fc.assert(law, { numRuns: RUNS, seed });
    },
    600_000 * FULL_FACTOR,
  );

  it(
    'holds the laws, and recovers, where addresses lead elsewhere',
    async () => {
      await fc.assert(lawOf(stepAmongWrongAddresses), { numRuns: RUNS / 4, seed });
    },
    600_000 * FULL_FACTOR,
  );
});
