/**
 * What learned election timeouts are worth and what they cost (rule 34): a silent leader is replaced in a third of the
 * flag's time, and no hardship that the flag's own timers bear costs an election.
 */
import { describe, expect, it } from 'vitest';
import { TestCluster, type TestClusterOptions } from './testing/cluster.ts';
import { hardships, needlessElections } from './testing/hardship.ts';
import { detectionMs, silences, type Silence } from './testing/silence.ts';

const SEEDS = [1, 2];
const HARDSHIP_MS = 90_000;
/** A promise of 320 ms and little more, a turn, and three messages. */
const DETECTION_MS_MAX = 430;
const FLAG_MS = 1000;

describe.each(Object.keys(silences) as Silence[])('a leader is silent: %s', (silence) => {
  it.each([3, 5])('among %i servers of ours it is replaced in well under half a second', async (size) => {
    for (const seed of [1, 2, 3, 4, 5])
      expect(await detectionMs(silence, { seed, size })).toBeLessThan(DETECTION_MS_MAX);
  });
});

describe('the times of the flags hold for all', () => {
  it.each<readonly [string, TestClusterOptions]>([
    ['with a voter of Go', { goLike: ['n3'] }],
    ['with a voter of an older release', { older: ['n3'] }],
    ['under a leader of Go', { goLike: ['n1'] }],
    ['under a leader of an older release', { older: ['n1'] }],
  ])('%s', async (_, options) => {
    for (const seed of [1, 2, 3]) {
      const tookMs = await detectionMs('its process is frozen', { seed, ...options });
      expect(tookMs).toBeGreaterThan(FLAG_MS - 220);
    }
  });
});

describe('nobody is deposed where the times of the flags depose nobody', () => {
  it.each(hardships)('$name', async (hardship) => {
    for (const seed of SEEDS) {
      const elections = await needlessElections(hardship, { timers: 'learned', seed, ms: HARDSHIP_MS });
      const fixed = elections === 0 ? 0 : await needlessElections(hardship, { timers: 'fixed', seed, ms: HARDSHIP_MS });
      expect(fixed > 0 ? 0 : elections, `seed ${seed}`).toBe(0);
    }
  });

  it('a needless election is learned from: the replaced leader is heard at once, and the flag’s times are back', async () => {
    const cluster = await TestCluster.form({ seed: 3, delayMs: { min: 0.2, max: 2 } });
    cluster.run(5000);
    const old = cluster.leader()!;
    cluster.freeze(old);
    cluster.runUntil(() => cluster.leader() !== null && cluster.leader() !== old);
    cluster.thaw(old);
    cluster.run(5000);
    const next = cluster.leader()!;
    const sinceMs = cluster.nowMs;
    cluster.freeze(next);
    cluster.runUntil(() => cluster.leader() !== null && cluster.leader() !== next);
    expect(cluster.nowMs - sinceMs).toBeGreaterThan(FLAG_MS - 220);
  });
});
