/**
 * What a mixed cluster must be able to do, each scene with a leader of a chosen implementation.
 * All scenes run under the same writers and leave a cluster of three voters behind.
 */
import type { Cluster } from '../cluster/cluster.ts';
import type { NodeProcess } from '../cluster/node-process.ts';
import { ControlClient } from '../cluster/control.ts';
import { operationCommand } from '../cluster/operation.ts';
import { waitFor } from '../cluster/wait.ts';
import type { Writers } from '../cluster/writers.ts';

const TIMEOUT_MS = 30_000;
/** Acknowledgements that show that a leader replicates. */
const PROGRESS = 40;
/** Enough acknowledgements that a follower who missed them can only be helped by a snapshot. */
const BEYOND_TRAILING = 300;
const TAIL_ENTRIES = 20;
/** So few acknowledgements that the entries are still in the log, and no snapshot hides how it is repaired. */
const FEW = 5;
const TAIL_CLIENT = 4_000_000;
let nextTail = 1;

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

/**
 * `leader` appends a tail that nobody else gets, dies, and comes back to a successor whose log differs
 * there (Raft §5.3): the tail must be overwritten, never committed. A Go follower commits up to its own
 * last entry, whatever it is, so a successor must not announce more than its request has verified.
 */
export async function overwriteTail(scene: Scene, leader: NodeProcess): Promise<void> {
  const { cluster } = scene;
  await cluster.lead(leader);
  const others = cluster.running.filter((node) => node !== leader);
  const { lastIndex } = await leader.control.status();
  const clients = Array.from({ length: TAIL_ENTRIES }, () => new ControlClient(leader.controlPort));
  for (const node of others) node.freeze();
  try {
    const lost = clients.map((client, at) => client.apply(operationCommand(TAIL_CLIENT, nextTail + at, 64)));
    nextTail += TAIL_ENTRIES;
    await waitFor(`${leader.id} to append a tail`, TIMEOUT_MS, async () => {
      return (await leader.control.status()).lastIndex >= lastIndex + TAIL_ENTRIES / 2 ? true : null;
    });
    await leader.kill();
    await Promise.all(lost);
  } finally {
    for (const node of others) node.thaw();
    for (const client of clients) client.close();
  }
  await progress(scene, `without ${leader.id}`, FEW);
  // A leader elected only now begins at its own last entry, and has to look for where the logs part.
  const latest = (await cluster.leader(TIMEOUT_MS)) === others[0] ? others[1] : others[0];
  await cluster.lead(latest as NodeProcess);
  await progress(scene, `under ${latest?.id}`, FEW);
  await leader.start();
  const { commitIndex } = await (await cluster.leader(TIMEOUT_MS)).control.status();
  await waitFor(`${leader.id} to give up its tail`, TIMEOUT_MS, async () => {
    return (await leader.control.status()).appliedIndex >= commitIndex ? true : null;
  });
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

/** A linearizable read sees what was acknowledged before it, and a snapshot taken on demand covers it. */
export async function readAndSnapshot({ cluster, writers }: Scene, leader: NodeProcess): Promise<void> {
  await cluster.lead(leader);
  const acknowledged = writers.acknowledged.at(-1)?.index ?? 0;
  for (const [what, outcome] of [
    ['read', await leader.control.read()],
    ['snapshot', await leader.control.snapshot()],
  ] as const) {
    if (outcome.kind !== 'committed')
      throw new Error(`a ${what} at ${leader.id} was ${outcome.kind}: ${outcome.reason}`);
    if (outcome.index < acknowledged)
      throw new Error(`a ${what} at ${leader.id} saw ${outcome.index}, not ${acknowledged}`);
  }
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
