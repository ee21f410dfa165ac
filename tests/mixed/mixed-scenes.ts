/**
 * What a mixed cluster must be able to do, each scene with a leader of a chosen implementation.
 * All scenes run under the same writers and leave a cluster of three voters behind.
 */
import type { Cluster } from '../cluster/cluster.ts';
import type { NodeProcess } from '../cluster/node-process.ts';
import { waitFor } from '../cluster/wait.ts';
import type { Writers } from '../cluster/writers.ts';

const TIMEOUT_MS = 30_000;
/** Acknowledgements that show that a leader replicates. */
const PROGRESS = 40;
/** Enough acknowledgements that a follower who missed them can only be helped by a snapshot. */
const BEYOND_TRAILING = 300;

export interface Scene {
  readonly cluster: Cluster;
  readonly writers: Writers;
}

/** Waits until `count` more operations are acknowledged. */
export async function progress({ writers }: Scene, when: string, count = PROGRESS): Promise<void> {
  const goal = writers.acknowledged.length + count;
  await waitFor(`${count} acknowledgements ${when}`, TIMEOUT_MS, () =>
    writers.acknowledged.length >= goal ? true : null,
  );
}

/** Transfer to a named server of the other side and back, then to whoever the leader picks. */
export async function transferBothWays(scene: Scene, a: NodeProcess, b: NodeProcess): Promise<void> {
  for (const target of [a, b, a]) {
    await scene.cluster.lead(target);
    await progress(scene, `after a transfer to ${target.id} (${target.implementation})`);
  }
  const before = await scene.cluster.leader(TIMEOUT_MS);
  await waitFor(`${before.id} to hand over to anybody`, TIMEOUT_MS, async () => {
    if ((await scene.cluster.leader(TIMEOUT_MS)) !== before) return true;
    throw new Error(JSON.stringify(await before.control.transfer()));
  });
  await progress(scene, `after ${before.id} picked its successor`);
}

/**
 * A normal election that only `winner` can win: the third voter is frozen while entries are written
 * that it then lacks, the leader is killed, and the frozen one comes back to vote (Raft §5.4.1).
 */
export async function electOnlyWinner(scene: Scene, winner: NodeProcess, leader: NodeProcess): Promise<void> {
  const { cluster } = scene;
  await cluster.lead(leader);
  const third = cluster.running.find((node) => node !== winner && node !== leader) as NodeProcess;
  third.freeze();
  try {
    await progress(scene, `without ${third.id}`);
    await leader.kill();
  } finally {
    third.thaw();
  }
  await waitFor(`${winner.id} (${winner.implementation}) to be elected`, TIMEOUT_MS, async () => {
    return (await cluster.leaderNow()) === winner ? true : null;
  });
  await progress(scene, `under ${winner.id}`);
  await leader.start();
}

/** `leader` demotes and removes `member`, which loses its disk, comes back and is caught up by a snapshot. */
export async function replaceMember(scene: Scene, leader: NodeProcess, member: NodeProcess): Promise<void> {
  const { cluster } = scene;
  await cluster.lead(leader);
  await cluster.change(`demote ${member.id}`, (node) => node.control.demote({ id: member.id }));
  await expectSuffrage(cluster, member, 'nonvoter');
  await cluster.change(`remove ${member.id}`, (node) => node.control.remove({ id: member.id }));
  await expectSuffrage(cluster, member, null);
  await member.kill();
  member.wipe();
  await progress(scene, `without ${member.id}`, BEYOND_TRAILING);
  await cluster.lead(leader);
  await waitFor(`${leader.id} to compact its log`, TIMEOUT_MS, async () => {
    return (await leader.control.status()).firstIndex > 1 ? true : null;
  });
  await member.start();
  await cluster.admit(member);
  await expectSuffrage(cluster, member, 'voter');
  const { snapshotIndex } = await member.control.status();
  if (snapshotIndex === 0) throw new Error(`${member.id} was caught up without a snapshot`);
  await progress(scene, `with ${member.id} back`);
}

/** A membership change with a stale configuration index is refused, and with the right one accepted. */
export async function guardedChange(scene: Scene, leader: NodeProcess, member: NodeProcess): Promise<void> {
  const { cluster } = scene;
  await cluster.lead(leader);
  const { configurationIndex } = await leader.control.status();
  const change = { id: member.id, address: member.address };
  const stale = await leader.control.addVoter({ ...change, previous: configurationIndex - 1 });
  if (stale.kind !== 'refused') throw new Error(`a change after ${configurationIndex - 1} was ${stale.kind}`);
  const fresh = await leader.control.addVoter({ ...change, previous: configurationIndex });
  if (fresh.kind !== 'committed')
    throw new Error(`a change after ${configurationIndex} was ${fresh.kind}: ${fresh.reason}`);
}

async function expectSuffrage(
  cluster: Cluster,
  member: NodeProcess,
  suffrage: 'voter' | 'nonvoter' | null,
): Promise<void> {
  await waitFor(`all but ${member.id} to see it as ${suffrage ?? 'no member'}`, TIMEOUT_MS, async () => {
    const others = (await cluster.statuses()).filter(({ node }) => node !== member);
    const seen = others.map(({ status }) => status.servers.find(({ id }) => id === member.id)?.suffrage ?? null);
    return others.length >= 2 && seen.every((value) => value === suffrage) ? true : null;
  });
}
