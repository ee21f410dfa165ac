/**
 * The console of a devnet with real conductors: its leader is killed, and what the console makes of it is compared with
 * the events of the servers themselves. Also what a console that watches costs a conductor.
 */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { RpcEndpoint } from '#conductor/operate/rpc-endpoint';
import { followEvents } from '#conductor/console/event-source';
import type { ClusterNow, Failover } from '#conductor/console/protocol';
import { localUrl } from '#conductor/devnet/plan';
import { waitFor } from '../cluster/wait.ts';
import { DevnetProcess, freeOffset } from './devnet-process.ts';

/** How far the console may be from the servers' own words, milliseconds. */
const OFF_MS_MAX = 50;
const WAIT_MS_MAX = 30_000;
/** Processor time of a conductor over which the console's part is measured, and that part at most, with what a noisy machine adds. */
const WATCHED_MS = 20_000;
const PART_MAX = 0.01;

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

/** When each block was committed first, by the streams of all servers. */
function followCommits(devnet: DevnetProcess): ReadonlyMap<number, number> {
  const commits = new Map<number, number>();
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  for (const { ports } of devnet.nodes) {
    const endpoint = new RpcEndpoint(localUrl(ports.conductorRpc));
    const ignored = (): void => undefined;
    const onEvent = ({
      kind,
      data,
    }: {
      readonly kind: string;
      readonly data: Readonly<Record<string, unknown>>;
    }): void => {
      if (kind !== 'commit') return;
      const number = Number(data['number']);
      commits.set(number, Math.min(commits.get(number) ?? Infinity, Number(data['atMs'])));
    };
    void followEvents({ endpoint, lastId: null, onEvent, onState: ignored, onBreak: ignored }, ending.signal);
  }
  return commits;
}

test('a killed leader: the phases sum to the gap between the blocks, within 50 ms', async () => {
  const devnet = await startDevnet();
  const ask = await openConsole(devnet);
  const commits = followCommits(devnet);
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
  const [now] = (await ask('clusters')) as ClusterNow[];
  expect(now!.leader).toBe(failover.to);
  expect(now!.troubles.map(({ code }) => code)).toContain('ConductorDown');
});

/** Processor time of a process, milliseconds. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

test('a console that watches costs a conductor little', async () => {
  const part = async (hasConsole: boolean): Promise<number> => {
    const devnet = new DevnetProcess([], freeOffset(), { hasConsole });
    await devnet.ready();
    try {
      if (hasConsole) await openConsole(devnet);
      const pid = devnet.childWith('--rpc.port', devnet.nodes[2]!.ports.conductorRpc);
      const before = processorMs(pid);
      await Bun.sleep(WATCHED_MS);
      return (processorMs(pid) - before) / WATCHED_MS;
    } finally {
      devnet.kill('SIGTERM');
      await devnet.ended();
    }
  };
  const without = await part(false);
  const watched = await part(true);
  console.log(`of a core: ${(without * 100).toFixed(2)} % without a console, ${(watched * 100).toFixed(2)} % with one`);
  expect(watched - without).toBeLessThan(PART_MAX);
});
