/** The k6 scripts of whole scenarios, for a second each: they run, and their thresholds see what goes wrong. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { benchDirectory } from '../directories.ts';
import { BlockMaker } from './blocks.ts';
import { Conductors } from './conductors.ts';
import { webSocketUrl } from './fan-out.ts';
import { FlashblocksSource } from './flashblocks-source.ts';
import { findK6, runK6 } from './k6.ts';

const FLASHBLOCK_MS = 50;
const BLOCKS = 200;
const BLOCK_BYTES = 2000;

function k6OrSkip(context: TestContext): string {
  return findK6() ?? context.skip('k6 is neither on PATH nor in .tools (npm run bench -- rpc puts it there)');
}

/** A file of request bodies, one per line. */
function writeBodies(): string {
  const maker = new BlockMaker(new Seeded(1));
  const path = join(benchDirectory(), `scenario-bodies-${process.pid}.txt`);
  onTestFinished(() => rmSync(path, { force: true }));
  writeFileSync(path, Array.from({ length: BLOCKS }, () => maker.next(BLOCK_BYTES).body).join('\n'));
  return path;
}

test('leader-kill, fan-out and soak hold their thresholds on one conductor that lives', async (context) => {
  const k6 = k6OrSkip(context);
  const source = new FlashblocksSource(FLASHBLOCK_MS);
  onTestFinished(() => source.stop());
  const flagsOf = (): string[] => [`--rollupboost.ws-url=${source.url}`];
  await using cluster = await Conductors.start({ side: 'bun', count: 1, parent: benchDirectory(), flagsOf });
  const url = `http://127.0.0.1:${cluster.leader.rpcPort}/`;
  const common = { SECONDS: '1', BODIES_PATH: writeBodies(), WS_URL: webSocketUrl(cluster.leader), P99_MS_MAX: '5000' };
  const soak = await runK6(k6, 'soak.ts', { ...common, URLS: url, WS_CLIENTS: '3' }, benchDirectory());
  // A slow machine may begin some reads too late; everything that was begun must be right.
  expect(soak.failedThresholds.filter((threshold) => !threshold.startsWith('dropped_iterations'))).toEqual([]);
  const kill = await runK6(
    k6,
    'leader-kill.ts',
    { ...common, URLS: `${url},${url}`, GAP_MS_MAX: '5000' },
    benchDirectory(),
  );
  expect(kill.failedThresholds).toEqual([]);
  const fanOut = await runK6(k6, 'fan-out.ts', { ...common, CLIENTS: '20' }, benchDirectory());
  expect(fanOut.failedThresholds).toEqual([]);
  expect(fanOut.summary.metrics['messages_received']?.values['count']).toBeGreaterThan(20);
});

test('a gap between commits and clients that cannot connect are seen', async (context) => {
  const k6 = k6OrSkip(context);
  await using cluster = await Conductors.start({ side: 'bun', count: 1, parent: benchDirectory() });
  const url = `http://127.0.0.1:${cluster.leader.rpcPort}/`;
  const kill = await runK6(
    k6,
    'leader-kill.ts',
    { SECONDS: '1', BODIES_PATH: writeBodies(), URLS: `${url},${url}`, GAP_MS_MAX: '0.001' },
    benchDirectory(),
  );
  expect(kill.failedThresholds).toEqual(['commit_gap max<0.001']);
  await cluster.leader.kill();
  const fanOut = await runK6(
    k6,
    'fan-out.ts',
    { SECONDS: '0', CLIENTS: '2', WS_URL: webSocketUrl(cluster.leader) },
    benchDirectory(),
  );
  expect(fanOut.failedThresholds).toContain('clients_connected count==2');
});
