/** One history from its seed: a cluster, clients, faults, and what all servers say when everything is mended. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { pause, waitFor } from '../../tests/cluster/wait.ts';
import { Clients } from './clients.ts';
import { HistoryCluster } from './cluster.ts';
import { diskVictim, inflict, planFaults, type Inflicted } from './faults.ts';
import { History } from './history.ts';
import { Offers } from './offers.ts';

const WINDOW_MS = 4500;
const CLIENTS = 5;
/** Every fourth cluster is one of five. */
const FIVE_OF = 4;
const CALM_BEFORE_MS = 200;
const SETTLE_MS_MAX = 30_000;

export interface Played {
  readonly seed: number;
  readonly servers: number;
  readonly faults: readonly Inflicted[];
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  readonly reads: number;
  readonly seconds: number;
  /** Why the servers did not agree in the end, or null. */
  readonly trouble: string | null;
}

/** Plays it and writes what the clients saw to `path`, and the servers' logs beside it. Throws where no cluster could be formed. */
export async function playHistory(seed: number, directory: string, path: string): Promise<Played> {
  const startedMs = performance.now();
  const random = new Seeded(seed);
  const count = random.between(0, FIVE_OF) === 0 ? 5 : 3;
  const plan = planFaults(random, count, WINDOW_MS);
  await using cluster = await HistoryCluster.form({
    ...{ count, directory: join(directory, `history-${seed}`), smallDiskAt: diskVictim(plan) },
  });
  const history = new History();
  const offers = new Offers(random);
  const clients = new Clients(cluster, offers, history, random);
  const running = clients.run(CLIENTS);
  await pause(CALM_BEFORE_MS);
  const faults = await inflict(cluster, plan);
  clients.stop();
  await running;
  const trouble = await settle(cluster, clients, offers).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '',
  );
  history.write(path);
  writeFileSync(logPath(path), cluster.servers.map(({ id, process: child }) => `== ${id}\n${child.log()}`).join('\n'));
  return {
    ...{ seed, servers: count, faults },
    ...{ acknowledged: history.commits('ok'), refused: history.commits('refused') },
    ...{ unknown: history.commits('unknown'), reads: history.reads() },
    seconds: (performance.now() - startedMs) / 1000,
    trouble,
  };
}

/** The logs of a history's servers, beside what its clients saw. */
export function logPath(path: string): string {
  return path.replace(/\.jsonl$/, '.log');
}

/** One more block is committed, and every server knows it as the head. */
async function settle(cluster: HistoryCluster, clients: Clients, offers: Offers): Promise<void> {
  let last = offers.next();
  await waitFor('a block when all is mended', SETTLE_MS_MAX, async () => {
    await cluster.superviseDisk();
    for (const server of cluster.servers) server.process.requireAlive();
    const leader = await cluster.leader();
    if (leader === null) return null;
    const outcome = await clients.commit(-1, leader, last);
    // Refused: another call's block holds the height, and is known now.
    if (outcome === 'refused') last = offers.next();
    return outcome === 'ok' ? true : null;
  });
  for (const server of cluster.servers) {
    await waitFor(`${server.id} to know block ${last.number}`, SETTLE_MS_MAX, async () => {
      // It may have ended on a full disk since.
      await cluster.superviseDisk();
      const seen = await clients.askCommitted(-1, server, 'holds');
      if (seen === null || seen.number < last.number) return null;
      await clients.askCommitted(-1, server, 'head');
      return true;
    });
  }
}
