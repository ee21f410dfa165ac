/**
 * Slow followers, huge entries, garbage and idle connections: commits go on and memory stays bounded.
 * One cluster of three Bun nodes for all; the third stands behind a proxy that can be made slow.
 */
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Cluster } from '../cluster/cluster.ts';
import { brokenLaws } from '../cluster/durability.ts';
import { freePorts } from '../cluster/free-ports.ts';
import type { Implementation, NodeProcess } from '../cluster/node-process.ts';
import { Observer } from '../cluster/observer.ts';
import { operationCommand } from '../cluster/operation.ts';
import { Seeded } from '../cluster/seeded.ts';
import { ThrottledProxy } from '../cluster/throttled-proxy.ts';
import { waitFor } from '../cluster/wait.ts';
import { Writers } from '../cluster/writers.ts';
import { dial, HOSTILE_REQUESTS, randomGarbage, sendAndWaitForClose } from './hostile-bytes.ts';

const IMPLEMENTATION: Implementation = 'bun';
const MIB = 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** Bound on the resident set of any node at any time: the runtime, caches, and windows towards two peers. */
const RESIDENT_BYTES_MAX = 512 * MIB;
/** The same while an entry of 64 MiB is received, logged, sent to two peers and read back. */
const RESIDENT_BYTES_MAX_HUGE = 1024 * MIB;
const ENTRY_BYTES_MAX = 64 * MIB;
const IDLE_CONNECTIONS = 1000;
const GARBAGE_CONNECTIONS = 100;
const FREEZES = 4;
const OPERATOR_CLIENT = 3_000_000;

describe('robustness', { timeout: 120_000 }, () => {
  const [proxyPort] = freePorts(1) as [number];
  let cluster: Cluster;
  let proxy: ThrottledProxy;
  let observer: Observer;
  let slow: NodeProcess;
  const groups: Writers[] = [];

  beforeAll(async () => {
    cluster = new Cluster([IMPLEMENTATION, IMPLEMENTATION]);
    slow = cluster.newNode(IMPLEMENTATION, `127.0.0.1:${proxyPort}`);
    proxy = new ThrottledProxy(proxyPort, () => slow.raftPort);
    await proxy.listen();
    await cluster.form();
    observer = new Observer(cluster);
  }, 60_000);

  afterEach(async () => {
    await Promise.all(groups.map((writers) => writers.stop()));
    proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
  });

  afterAll(async () => {
    await observer.stop();
    await cluster[Symbol.asyncDispose]();
    proxy[Symbol.dispose]();
  });

  function write(count: number, bytes: number): Writers {
    const writers = new Writers(cluster, count, bytes);
    groups.push(writers);
    return writers;
  }

  async function progress(writers: Writers, count: number, when: string): Promise<void> {
    const goal = writers.acknowledged.length + count;
    await waitFor(`${count} acknowledgements ${when}`, TIMEOUT_MS, () =>
      writers.acknowledged.length >= goal ? true : null,
    );
  }

  async function finish(title: string, writers: Writers, residentBytesMax = RESIDENT_BYTES_MAX): Promise<void> {
    await writers.stop();
    await cluster.converged(TIMEOUT_MS);
    const peaks = cluster.running.map((node) => ({ id: node.id, ...node.resident() }));
    const seen = peaks.map(({ id, now, peak }) => `${id} ${Math.round(now / MIB)} (peak ${Math.round(peak / MIB)})`);
    console.log(`${title}: resident MiB ${seen.join(', ')}; ${writers.acknowledged.length} acknowledged`);
    expect(await brokenLaws(cluster, groups, observer)).toEqual([]);
    for (const { id, peak } of peaks) expect(peak, `peak of ${id}`).toBeLessThan(residentBytesMax);
  }

  it('commits go on while a follower stops and goes on again', async () => {
    const writers = write(8, 10_000);
    const leader = await cluster.leader(TIMEOUT_MS);
    const follower = cluster.nodes.find((node) => node !== leader) as NodeProcess;
    for (let freeze = 1; freeze <= FREEZES; freeze += 1) {
      follower.freeze();
      try {
        await progress(writers, 100, `while ${follower.id} is stopped`);
      } finally {
        follower.thaw();
      }
      await progress(writers, 50, `after ${follower.id} went on`);
    }
    await finish('stopping follower', writers);
  });

  it('commits go on while a follower takes 200 kB a second', async () => {
    const leader = await cluster.leader(TIMEOUT_MS);
    if (leader === slow) await cluster.lead(cluster.nodes[0] as NodeProcess);
    proxy.bytesPerSecond = 200_000;
    const writers = write(8, 50_000);
    await progress(writers, 600, 'beside a slow follower');
    const statuses = await cluster.statuses();
    const lag =
      Math.max(...statuses.map(({ status }) => status.appliedIndex)) - (await slow.control.status()).appliedIndex;
    proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
    expect(lag, 'entries that the slow follower lacks').toBeGreaterThan(100);
    await finish('slow follower', writers);
  });

  it('garbage on the raft port closes that connection and nothing else', async () => {
    const random = Seeded.announced('garbage');
    const writers = write(4, 1000);
    for (const { name, bytes } of HOSTILE_REQUESTS) {
      const closed = await Promise.all(cluster.nodes.map((node) => sendAndWaitForClose(node.raftPort, bytes)));
      expect(closed, name).toEqual(closed.map(() => true));
    }
    const sockets: Socket[] = [];
    for (let connection = 0; connection < GARBAGE_CONNECTIONS; connection += 1) {
      const socket = await dial(random.pick(cluster.nodes).raftPort);
      socket.write(randomGarbage(random));
      sockets.push(socket);
    }
    await progress(writers, 100, 'under garbage');
    for (const socket of sockets) socket.destroy();
    await finish('garbage', writers);
  });

  it(`commits go on beside ${IDLE_CONNECTIONS} idle connections to each raft port`, async () => {
    const sockets: Socket[] = [];
    for (const node of cluster.nodes) {
      sockets.push(...(await Promise.all(Array.from({ length: IDLE_CONNECTIONS }, () => dial(node.raftPort)))));
    }
    const writers = write(4, 1000);
    await progress(writers, 200, 'beside idle connections');
    for (const socket of sockets) socket.destroy();
    await finish('idle connections', writers);
  });

  it('an entry of 64 MiB is committed, one byte more is refused, and commits go on', async () => {
    const leader = await cluster.leader(TIMEOUT_MS);
    const tooLarge = await leader.control.apply(operationCommand(OPERATOR_CLIENT, 1, ENTRY_BYTES_MAX + 1), TIMEOUT_MS);
    expect(tooLarge.kind).toBe('refused');
    let sequence = 1;
    await cluster.change('64 MiB to be committed', (node) => {
      sequence += 1;
      return node.control.apply(operationCommand(OPERATOR_CLIENT, sequence, ENTRY_BYTES_MAX), TIMEOUT_MS);
    });
    const writers = write(4, 1000);
    await progress(writers, 200, 'after 64 MiB');
    await finish('64 MiB entry', writers, RESIDENT_BYTES_MAX_HUGE);
  });
});
