/** A short run of both k6 scripts against one conductor, where k6 is present: a second opinion on the HTTP side. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { benchDirectory } from '../directories.ts';
import { BlockMaker } from './blocks.ts';
import { Conductors } from './conductors.ts';
import { findK6, runK6 } from './k6.ts';

const BLOCKS = 20;

function k6OrSkip(context: TestContext): string {
  return findK6() ?? context.skip('k6 is neither on PATH nor in .tools (npm run bench -- rpc puts it there)');
}

test('16 users of k6 read leadership without one wrong answer', async (context) => {
  const k6 = k6OrSkip(context);
  await using cluster = await Conductors.start({ side: 'bun', count: 1, parent: benchDirectory() });
  const settings = {
    RPC_URL: `http://127.0.0.1:${cluster.leader.rpcPort}/`,
    METHOD: 'conductor_leader',
    VUS: '16',
    DURATION: '1s',
    P99_MS_MAX: '5000',
  };
  const { summary, failedThresholds } = await runK6(k6, 'reads.ts', settings, benchDirectory());
  expect(failedThresholds).toEqual([]);
  expect(summary.metrics['http_reqs']?.values['count']).toBeGreaterThan(16);
});

test('k6 commits blocks in order, and each is acknowledged', async (context) => {
  const k6 = k6OrSkip(context);
  await using cluster = await Conductors.start({ side: 'bun', count: 1, parent: benchDirectory() });
  const maker = new BlockMaker(new Seeded(1));
  const bodiesPath = join(benchDirectory(), `bodies-${process.pid}.txt`);
  onTestFinished(() => rmSync(bodiesPath, { force: true }));
  writeFileSync(bodiesPath, Array.from({ length: BLOCKS }, () => maker.next(20_000).body).join('\n'));
  const settings = {
    RPC_URL: `http://127.0.0.1:${cluster.leader.rpcPort}/`,
    BODIES_PATH: bodiesPath,
    RATE_MIN: '0',
    P99_MS_MAX: '5000',
  };
  const { summary, failedThresholds } = await runK6(k6, 'commits.ts', settings, benchDirectory());
  expect(failedThresholds).toEqual([]);
  expect(summary.metrics['iterations']?.values['count']).toBe(BLOCKS);
});
