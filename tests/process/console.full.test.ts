/**
 * The console of a devnet with real conductors: its leader is killed, and what the console makes of it is compared with
 * the events of the servers themselves. Also what a console that watches costs a conductor.
 */
import { expect, onTestFinished, test } from 'vitest';
import type { ClusterNow, Failover } from '#conductor/console/protocol';
import { localUrl } from '#conductor/devnet/plan';
import { processorMs } from '../../bench/processor-time.ts';
import { waitFor } from '../cluster/wait.ts';
import { followCommits } from './console-commits.ts';
import { ConsoleProcess } from './console-process.ts';
import { DevnetProcess, freeOffset } from './devnet-process.ts';

/** How far the console may be from the servers' own words, milliseconds. */
const OFF_MS_MAX = 50;
const WAIT_MS_MAX = 30_000;
/** Pairs of measurements with a console and without, how long each lasts, and the console's part of a core at most. */
const PAIRS = 6;
const WATCHED_MS = 20_000;
const PART_MAX = 0.003;

async function startDevnet(): Promise<DevnetProcess> {
  const devnet = new DevnetProcess([], freeOffset(), { hasConsole: true });
  onTestFinished(async () => {
    devnet.kill('SIGTERM');
    await devnet.ended();
  });
  await devnet.ready();
  return devnet;
}

/** Opens the console by the link that the devnet printed; asks its data. */
async function openConsole(devnet: DevnetProcess): Promise<(path: string) => Promise<unknown>> {
  const link = await waitFor('the link of the console', WAIT_MS_MAX, () => {
    return /^console {6}(http\S+)$/m.exec(devnet.output)?.[1] ?? null;
  });
  const entered = await fetch(link, { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  return async (path) => (await fetch(new URL(`/api/${path}`, link), { headers: { cookie } })).json();
}

test('a killed leader: the phases sum to the gap between the blocks, within 50 ms', async () => {
  const devnet = await startDevnet();
  const ask = await openConsole(devnet);
  const commits = followCommits(devnet.nodes.map(({ ports }) => localUrl(ports.conductorRpc)));
  const leader = await devnet.leader();
  const { number } = await devnet.head(leader);
  await devnet.reaches(leader, number + 3, WAIT_MS_MAX);
  process.kill(devnet.childWith('--rpc.port', devnet.nodes[leader]!.ports.conductorRpc), 'SIGKILL');
  const failover = await waitFor('the failover to be complete', WAIT_MS_MAX, async () => {
    const [newest] = (await ask('clusters/devnet/failovers')) as Failover[];
    return newest?.from === devnet.nodes[leader]!.id && newest.gapMs !== null ? newest : null;
  });
  const { phases, firstBlock, lastBlock, gapMs } = failover;
  expect(failover.kind).toBe('lost');
  expect(phases.map(({ key }) => key)).toEqual(['silence', 'election', 'read', 'catch-up', 'start', 'block']);
  const measuredMs = commits.get(firstBlock!)! - commits.get(lastBlock!)!;
  const sum = phases.reduce((total, { fromMs, toMs }) => total + toMs - fromMs, 0);
  expect(sum).toBe(gapMs);
  expect(Math.abs(sum - measuredMs), `${sum} beside ${measuredMs}`).toBeLessThanOrEqual(OFF_MS_MAX);
  await waitFor('who is down to be told, and who leads', WAIT_MS_MAX, async () => {
    const [now] = (await ask('clusters')) as ClusterNow[];
    const isTold = now!.troubles.some(({ code }) => code === 'ConductorDown') && now!.leader === failover.to;
    return isTold ? true : null;
  });
});

/** What the conductors of a devnet use of a core while `during` lasts, each, as the mean of all. */
async function partOfCore(pids: readonly number[], duringMs: number): Promise<number> {
  const used = (): number => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  const [before, beganMs] = [used(), performance.now()];
  await Bun.sleep(duringMs);
  return (used() - before) / (performance.now() - beganMs) / pids.length;
}

test('a console that watches costs each conductor at most 0.3 % of a core', { timeout: 600_000 }, async () => {
  const devnet = new DevnetProcess([], freeOffset());
  onTestFinished(async () => {
    devnet.kill('SIGTERM');
    await devnet.ended();
  });
  await devnet.ready();
  const leader = await devnet.leader();
  await devnet.reaches(leader, 20, WAIT_MS_MAX * 2);
  const pids = devnet.nodes.map(({ ports }) => devnet.childWith('--rpc.port', ports.conductorRpc));
  const rpc = devnet.nodes.map(({ ports }) => localUrl(ports.conductorRpc)).join(',');
  const pairs: { readonly without: number; readonly watched: number }[] = [];
  const measure = async (isWatched: boolean): Promise<number> => {
    const watching = isWatched ? new ConsoleProcess(['--rpc', rpc]) : null;
    try {
      await watching?.ready();
      return await partOfCore(pids, WATCHED_MS);
    } finally {
      await watching?.end();
    }
  };
  // In turns, each first in every second pair: whatever else the machine does falls on both.
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const isFirst = pair % 2 === 0;
    const first = await measure(isFirst);
    const second = await measure(!isFirst);
    pairs.push(isFirst ? { without: second, watched: first } : { without: first, watched: second });
  }
  const differences = pairs.map(({ without, watched }) => watched - without).toSorted((a, b) => a - b);
  const median = (differences[(PAIRS - 1) >> 1]! + differences[PAIRS >> 1]!) / 2;
  const percent = (part: number): string => `${(part * 100).toFixed(2)} %`;
  for (const { without, watched } of pairs) console.log(`of a core: ${percent(without)}, watched ${percent(watched)}`);
  console.log(`median of the differences: ${percent(median)}`);
  expect(median).toBeLessThanOrEqual(PART_MAX);
});
