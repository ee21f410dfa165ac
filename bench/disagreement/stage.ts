/** What the acts of a round see and may do: the net, who led when it began, its watches, and orders for its clients. */
import { pause, waitFor } from '../../tests/cluster/wait.ts';
import type { EngineOrders, Seal } from '../realnet/engine-proxy.ts';
import type { RealNet } from '../realnet/real-net.ts';
import type { RealNode } from '../realnet/real-node.ts';
import { ChainWatch } from './chain-watch.ts';
import { LeadershipWatch } from './leadership-watch.ts';

/** A supervisor starts what has ended so often. */
const SUPERVISED_EVERY_MS = 1000;
/** Blocks after the harm that end a round. */
const BLOCKS_AFTER = 3;
const LOOK_EVERY_MS = 10;
const RESTART_ALARM = /the execution client .*restart it/;

export interface Spoiling {
  /** How many seals are spoilt, whoever makes them. */
  readonly seals: number;
  /** The same job gives the same bad block every time. */
  readonly isSticky?: boolean;
  /** Only blocks that hold more than deposits. */
  readonly isOfFullOnly?: boolean;
}

export class Stage implements AsyncDisposable {
  readonly net: RealNet;
  readonly leader: RealNode;
  readonly others: readonly RealNode[];
  /** Clients that were started again because their conductor's alarm asked for it. */
  restarts = 0;
  readonly #obeyed = new Set<RealNode>();
  #supervision: Promise<void> | null = null;
  #hasEnded = false;
  readonly #logged: ReadonlyMap<RealNode, number>;
  readonly chain: ChainWatch;
  readonly leadership: LeadershipWatch;
  /** Hashes of blocks that were spoilt, with their builders: two with the same job make the same block. */
  readonly spoilt = new Map<string, readonly RealNode[]>();
  /** What went wrong besides time. */
  readonly faults: string[] = [];

  constructor(net: RealNet, leader: RealNode) {
    this.net = net;
    this.leader = leader;
    this.others = net.others(leader);
    this.chain = new ChainWatch(net.nodes);
    this.leadership = new LeadershipWatch(net.nodes, leader);
    this.#logged = new Map(net.nodes.map((node) => [node, node.conductor.log().length]));
    for (const { proxy } of net.nodes) proxy?.asked.clear();
  }

  /** Orders for the clients of these nodes, in the place of what they had. */
  order(nodes: readonly RealNode[], orders: EngineOrders | ((node: RealNode) => EngineOrders)): void {
    for (const node of nodes) {
      if (node.proxy !== null) node.proxy.orders = typeof orders === 'function' ? orders(node) : orders;
    }
  }

  /** Spoils the next seals of the net; returns how many are still to come. */
  spoil({ seals, isSticky = false, isOfFullOnly = false }: Spoiling): () => number {
    let left = seals;
    const jobs = new Set<string>();
    const spoils = (node: RealNode, { payloadId, isFull }: Seal): boolean => {
      const job = `${node.id} ${payloadId}`;
      if (isSticky && jobs.has(job)) return true;
      if (left <= 0 || (isOfFullOnly && !isFull)) return false;
      left -= 1;
      jobs.add(job);
      return true;
    };
    this.order(this.net.nodes, (node) => {
      let isSpoilt = false;
      return {
        spoils: (seal) => (isSpoilt = spoils(node, seal)),
        onSeal: ({ hash }) => {
          if (isSpoilt) this.spoilt.set(hash, [...(this.spoilt.get(hash) ?? []), node]);
        },
      };
    });
    return () => left;
  }

  /** Waits until it holds, at most until the deadline; says whether it came to hold. */
  async until(holds: () => boolean | Promise<boolean>, deadlineMs: number): Promise<boolean> {
    for (; performance.now() < deadlineMs; await pause(LOOK_EVERY_MS)) if (await holds()) return true;
    return false;
  }

  /** Longest time without a new block from `sinceMs` on, once blocks come again; Infinity when none came in time. */
  async gap(sinceMs: number, deadlineMs: number): Promise<number> {
    const fromMs = performance.now();
    const goesOn = await this.until(() => this.chain.countSince(fromMs) >= BLOCKS_AFTER, deadlineMs);
    return goesOn ? this.chain.longestGapMs(sinceMs) : Infinity;
  }

  /** Time from `sinceMs` to the next new block; Infinity when none came in time. */
  async untilNext(sinceMs: number, deadlineMs: number): Promise<number> {
    await this.until(() => this.chain.firstAfter(sinceMs) !== null, deadlineMs);
    return (this.chain.firstAfter(sinceMs) ?? Infinity) - sinceMs;
  }

  /** Starts these nodes' op-geths again and joins them with the others; resolves when all answer. */
  async startClients(nodes: readonly RealNode[]): Promise<number> {
    for (const node of nodes) node.startGeth();
    const answersMs = 60_000;
    for (const node of nodes) await waitFor(`op-geth of ${node.id}`, answersMs, () => node.head().catch(() => null));
    const answeredMs = performance.now();
    await this.net.joinGeths();
    return answeredMs;
  }

  /** Starts every op-node and conductor that does not run, now and whenever one has ended, for the rest of the round. */
  superviseAll(): void {
    this.#supervision ??= this.#supervise();
  }

  async #supervise(): Promise<void> {
    for (; !this.#hasEnded; await pause(SUPERVISED_EVERY_MS)) {
      for (const node of this.net.nodes) {
        if (node.opNode.isDown || node.opNode.hasEnded) await node.restartOpNode();
        if (node.conductor.isDown || node.conductor.hasEnded) node.startConductor('again');
      }
    }
  }

  /**
   * Does as an operator who reads the alarms: starts a client again, cleanly and once, whose conductor asks for it.
   * Resolves with the moment of its answer, null where nobody asks.
   */
  async obeyAlarms(): Promise<number | null> {
    const asks = (node: RealNode): boolean => {
      const text = node.conductor.log().slice(this.#logged.get(node) ?? 0);
      return !this.#obeyed.has(node) && RESTART_ALARM.test(text);
    };
    const asking = this.net.nodes.filter(asks);
    if (asking.length === 0) return null;
    for (const node of asking) this.#obeyed.add(node);
    this.restarts += asking.length;
    await Promise.all(asking.map((node) => node.geth.end('SIGTERM')));
    return this.startClients(asking);
  }

  /** Blocks that were spoilt and that a client was asked to execute which did not build them: they were published. */
  published(): string[] {
    const isPublished = ([hash, builders]: readonly [string, readonly RealNode[]]): boolean =>
      this.net.nodes.some((node) => !builders.includes(node) && node.proxy?.asked.has(hash) === true);
    return [...this.spoilt].filter(isPublished).map(([hash]) => hash);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.order(this.net.nodes, {});
    this.#hasEnded = true;
    await Promise.all([this.chain.stop(), this.leadership.stop(), this.#supervision]);
  }
}
