/** Plays rounds on nets of one cluster: steady, hurt at a random moment of the slot, measured, put right again. */
import type { Seeded } from '../../tests/cluster/seeded.ts';
import { pause, waitFor } from '../../tests/cluster/wait.ts';
import { runDirectory } from '../directories.ts';
import { RealNet } from '../realnet/real-net.ts';
import type { RealNode } from '../realnet/real-node.ts';
import { conductorCommand } from '../rpc/conductors.ts';
import type { Cluster } from './clusters.ts';
import type { Row } from './rows.ts';
import { Stage } from './stage.ts';

export interface Sample {
  /** Null where the chain did not go on in time. */
  readonly ms: number | null;
  readonly thenMs?: number | null;
  /** How often leadership moved. */
  readonly moves: number;
  /** Clients that were started again because an alarm asked for it. */
  readonly restarts: number;
  /** Whether all nodes were level and healthy again within RECOVERY_MS_MAX of putting everything right. */
  readonly recovers: boolean;
  /** Two hashes at one height, an invalid block that was published, and whatever else must not be. */
  readonly faults: readonly string[];
}

export interface Programs {
  readonly geth: string;
  readonly opNode: string;
}

const SLOT_MS = 1000;
/** A net that is not itself again by then gives way to a fresh one. */
const RECOVERY_MS_MAX = 45_000;
const SEEN_MS_MAX = 5000;
const ATTEMPTS = 3;

/** The net of one cluster for as many rounds as it survives. */
export class Rounds implements AsyncDisposable {
  readonly #cluster: Cluster;
  readonly #programs: Programs;
  readonly #random: Seeded;
  #net: RealNet | null = null;

  constructor(cluster: Cluster, programs: Programs, random: Seeded) {
    this.#cluster = cluster;
    this.#programs = programs;
    this.#random = random;
  }

  /** One round, its logs kept where `logsOf` says; the net that comes out of it is steady, or is given up. */
  async play(row: Row, logsOf: (played: Sample) => string | null): Promise<Sample> {
    const net = this.#net ?? (await this.#start());
    this.#net = net;
    const played = await this.#measure(net, await this.#leader(net, row), row);
    const recovers = await this.#recovers(net);
    const sample = { ...played, recovers };
    const logs = logsOf(sample);
    if (logs !== null) net.keepLogs(logs);
    if (!recovers) await this[Symbol.asyncDispose]();
    return sample;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const net = this.#net;
    this.#net = null;
    await net?.[Symbol.asyncDispose]();
  }

  async #recovers(net: RealNet): Promise<boolean> {
    try {
      await restore(net);
      await net.steady(RECOVERY_MS_MAX);
      return true;
    } catch {
      return false;
    }
  }

  /** A machine that stands still for seconds while the cluster is formed keeps it from forming; that is no round. */
  async #start(): Promise<RealNet> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#form();
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        console.log(`a net did not form: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  #form(): Promise<RealNet> {
    const { members, flagsOf, gethFlags, hasOtherL1 = false, hasL1Proxies = false } = this.#cluster;
    const conductor = (node: RealNode): readonly string[] => {
      const side = members[node.at] ?? 'bun';
      const found = conductorCommand(side);
      if ('missing' in found) throw new Error(found.missing);
      return [...found.command, ...(side === 'bun' ? flagsOf(node) : [])];
    };
    const shape = { sequencers: members.length, hasEngineProxies: true, parent: runDirectory() };
    return RealNet.start({ ...this.#programs, conductor, gethFlags, hasOtherL1, hasL1Proxies, ...shape });
  }

  /** Who leads, once that is one of the kind that is to. */
  async #leader(net: RealNet, row: Row): Promise<RealNode> {
    const { members, leads } = this.#cluster;
    const leader = await net.steady();
    const last = net.nodes.length - 1;
    const isWanted = ({ at }: RealNode): boolean =>
      members[at] === leads && (row.leads === undefined || (row.leads === 'the last') === (at === last));
    if (isWanted(leader)) return leader;
    const target = this.#random.pick(net.nodes.filter(isWanted));
    await leader.callConductor('conductor_transferLeaderToServer', [target.id, target.raftAddress]);
    return net.steady();
  }

  async #measure(net: RealNet, leader: RealNode, { act, givenUpMax = 0 }: Row): Promise<Omit<Sample, 'recovers'>> {
    await using stage = new Stage(net, leader);
    await stage.until(() => stage.chain.head >= 0, performance.now() + SEEN_MS_MAX);
    // The first gap is whole: it begins with a block that was seen to come.
    const fromMs = performance.now();
    await stage.until(() => stage.chain.countSince(fromMs) > 0, fromMs + SEEN_MS_MAX);
    await pause(this.#random.between(0, SLOT_MS));
    const { ms, thenMs } = await act(stage);
    const published = this.#cluster.isValidated ? stage.published() : [];
    const doubled = await stage.chain.doubled();
    const faults = [
      ...stage.faults,
      ...(doubled.length > givenUpMax ? doubled : []),
      ...published.map((hash) => `an invalid block was published: ${hash}`),
    ];
    const finite = (value: number): number | null => (Number.isFinite(value) ? Math.round(value) : null);
    return {
      ...{ ms: finite(ms), moves: stage.leadership.moves, restarts: stage.restarts, faults },
      ...(thenMs === undefined ? {} : { thenMs: finite(thenMs) }),
    };
  }
}

/** Continues what is frozen and starts what is gone. */
async function restore(net: RealNet): Promise<void> {
  for (const { geth, opNode, conductor } of net.nodes) for (const child of [geth, opNode, conductor]) child.thaw();
  const gone = net.nodes.filter(({ geth }) => geth.isDown);
  for (const node of gone) node.startGeth();
  if (gone.length > 0) await net.joinGeths();
  for (const node of net.nodes) {
    if (node.opNode.isDown) await node.restartOpNode();
    if (!node.conductor.isDown) continue;
    // op-conductor ends where its op-node does not answer.
    await waitFor(`op-node of ${node.id}`, RECOVERY_MS_MAX, () => node.unsafeHead());
    node.startConductor('again');
  }
}
