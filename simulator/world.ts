/**
 * The world of a run: machines with conductors and sequencers on a network, in virtual time. It forms a
 * cluster as an operator would, and offers what faults and operators act through.
 */
import { votersOf } from '#conductor/core/raft/quorum';
import type { Outcome } from '#conductor/core/rpc/message';
import type { MethodName } from '#conductor/core/rpc/methods';
import type { ParamValue } from '#conductor/core/rpc/params';
import { Blocks } from './blocks.ts';
import type { Configuration } from './configuration.ts';
import { EventQueue } from './event-queue.ts';
import { Gossip } from './gossip.ts';
import { L1 } from './l1.ts';
import { Links } from './links.ts';
import { LOOPBACK_MS } from './loopback.ts';
import { buildMachine } from './machine-building.ts';
import type { Machine } from './machine.ts';
import { Network } from './network.ts';
import { SpoiledSeals } from './spoiled-seals.ts';
import { Streams, type Stream } from './streams.ts';
import { Verdicts } from './verdicts.ts';
import type { OnCall } from './on-call.ts';
import type { RunObserver } from './observer.ts';

/** Virtual time a cluster may need to form. */
const FORMING_MS = 30_000;
/** An operator tries again after so long, and waits so long for an answer. */
const OPERATOR_PAUSE_MS = 500;
const OPERATOR_WAIT_MS = 15_000;

/** The world could not be brought to where a run begins: a defect of the conductor or of the simulator. */
export class FormingError extends Error {
  override readonly name = 'FormingError';
}

export class World {
  readonly configuration: Configuration;
  readonly queue = new EventQueue();
  readonly blocks: Blocks;
  readonly verdicts: Verdicts;
  readonly spoiled: SpoiledSeals;
  readonly l1 = new L1();
  readonly links: Links;
  readonly network: Network;
  readonly machines: Machine[] = [];
  readonly observer: RunObserver;
  /** For what is nobody's own: gossip, and when nodes hear of a reorg. */
  readonly random: Stream;
  /** An operator's override is under way; there is one at a time. */
  isOverriding = false;
  /** Ids of those whom an operator has asked to be taken out, or their vote, until that is answered. */
  readonly #leaving = new Set<string>();
  /** When the last L1 fork of one machine ended, Infinity while one is under way (world ms). */
  l1ForkedUntilMs = -Infinity;
  /** The next number of a connection or request that comes from no machine of this world. */
  strangerId = 1_000_000_000;
  /** The lowest height at which an op-conductor had a second block committed. */
  forkedFrom = Infinity;
  /** Who answers alarms; null where people do, or nobody. */
  operator: OnCall | null = null;
  readonly #gossip: Gossip;

  constructor(configuration: Configuration, observer: RunObserver) {
    this.configuration = configuration;
    this.observer = observer;
    const streams = new Streams(configuration.seed);
    const { servers, delayMinUs, delayMaxUs, blockSeconds, firstBlock } = configuration;
    this.random = streams.named('world');
    this.blocks = new Blocks(blockSeconds, true, firstBlock);
    this.verdicts = new Verdicts(this.blocks, servers);
    this.spoiled = new SpoiledSeals(this.blocks, this.verdicts, servers);
    this.#gossip = new Gossip({
      queue: this.queue,
      machines: this.machines,
      observer,
      random: this.random,
      isReached: (from, to) => this.reachedFrom(from).has(to),
    });
    this.links = new Links(servers, { minMs: delayMinUs / 1000, maxMs: delayMaxUs / 1000 }, streams.named('links'));
    this.network = new Network(this.queue, this.links, {
      serverOf: (address) => this.machines.findIndex((machine) => machine.address === address),
      lifeOf: (server) => (this.machines[server]!.isUp ? this.machines[server]!.life : null),
      worldMsOf: (server, ownMs) => this.machines[server]!.clock.durationMs(ownMs),
      deliver: ({ server, life }, event) => {
        const machine = this.machines[server]!;
        if (machine.life === life) machine.push(event);
      },
    });
    for (let index = 0; index < servers; index++) this.machines.push(buildMachine(this, this.#gossip, index, streams));
  }

  /** A cluster of voters that publishes, formed as the page tells operators to. Throws FormingError. */
  static form(configuration: Configuration, observer: RunObserver, onBuilt: (world: World) => void): World {
    const world = new World(configuration, observer);
    onBuilt(world);
    const [first, ...others] = world.machines as [Machine, ...Machine[]];
    const { idleSeconds } = configuration;
    if (idleSeconds === 0) first.node.start(world.blocks.genesis.hash);
    for (const machine of world.machines) machine.start();
    first.push({ kind: 'bootstrap' });
    world.until('the first conductor leads', () => first.conductor?.status().isReady === true);
    const voters = world.machines.length - configuration.nonvoters;
    for (const { id, address, index } of others) {
      const method = index < voters ? 'conductor_addServerAsVoter' : 'conductor_addServerAsNonvoter';
      let isAdded = false;
      const add = (): void =>
        first.call(method, [id, address, 0n], ({ kind }) => {
          if (kind === 'result') isAdded = true;
          else world.queue.after(50, add);
        });
      add();
      world.until(`${id} is a member`, () => isAdded);
    }
    if (idleSeconds > 0) {
      world.run(idleSeconds * 1000);
      first.node.start(world.blocks.genesis.hash);
    }
    first.call('conductor_resume', [], () => undefined);
    world.until('all are members and blocks are published', () => {
      const isRecovering = world.machines.some((machine) => machine.conductor?.position().isRecovering !== false);
      return !isRecovering && world.machines.every(({ node }) => node.head.number >= configuration.firstBlock + 2);
    });
    return world;
  }

  get nowMs(): number {
    return this.queue.nowMs;
  }

  machine(number: number): Machine {
    return this.machines[number % this.machines.length]!;
  }

  /**
   * A machine and all that its node and its client get blocks to and from, over however many others: what they tell each
   * other goes over TCP, and from peer to peer.
   */
  reachedFrom(machine: Machine): ReadonlySet<Machine> {
    const { links } = this;
    const carries = (a: number, b: number): boolean => !links.isCut(a, b) && !links.isHoled(a, b);
    const reached = new Set([machine]);
    for (const { index: a } of reached)
      for (const other of this.machines) if (carries(a, other.index) && carries(other.index, a)) reached.add(other);
    return reached;
  }

  /** The machine whose conductor leads, in the highest term; null for none. */
  leader(): Machine | null {
    let best: Machine | null = null;
    let bestTerm = -1;
    for (const machine of this.machines) {
      const status = machine.isRunning ? machine.conductor?.position() : undefined;
      if (status?.role !== 'leader' || status.term <= bestTerm) continue;
      best = machine;
      bestTerm = status.term;
    }
    return best;
  }

  /** Lets virtual time pass. */
  run(ms: number): void {
    const untilMs = this.nowMs + ms;
    while (this.queue.step(untilMs));
  }

  /** Runs until `condition` holds, which is looked at after every event; throws FormingError after a while. */
  until(what: string, condition: () => boolean): void {
    const untilMs = this.nowMs + FORMING_MS;
    while (!condition()) {
      if (!this.queue.step(untilMs)) throw new FormingError(`${what}: not within ${FORMING_MS} ms`);
    }
  }

  /** An operator's call; the answer may never come. */
  operate(
    machine: Machine,
    method: MethodName,
    values: readonly ParamValue[],
    done?: (outcome: Outcome) => void,
  ): void {
    this.queue.after(LOOPBACK_MS, () => machine.call(method, values, done ?? (() => undefined)));
  }

  /** An operator calls a conductor again and again until it does that: what it refuses now it may do soon, and it may be down. */
  callUntilDone(machine: Machine, method: MethodName, values: readonly ParamValue[], done?: () => void): void {
    machine.call(method, values, ({ kind }) => {
      if (kind === 'result') done?.();
      else this.queue.after(OPERATOR_PAUSE_MS, () => this.callUntilDone(machine, method, values, done));
    });
  }

  /** An operator keeps asking the leader to make a server a voter, or a nonvoter, until it says that it is one. */
  addUntilDone(
    machine: Machine,
    method: 'conductor_addServerAsVoter' | 'conductor_addServerAsNonvoter' = 'conductor_addServerAsVoter',
  ): void {
    this.#askUntil(
      () => [method, [machine.id, machine.address, 0n]],
      ({ kind }) => kind === 'result',
    );
  }

  /** An operator keeps asking the leader to take a server out, until it is no member. */
  removeUntilDone(id: string): void {
    this.#askUntil(
      () => ['conductor_removeServer', [id, 0n]],
      (outcome) =>
        outcome.kind === 'result' || (outcome.kind === 'error' && outcome.message.includes('is not a member')),
    );
  }

  #askUntil(question: () => [MethodName, readonly ParamValue[]], isDone: (outcome: Outcome) => boolean): void {
    const again = (): void => void this.queue.after(OPERATOR_PAUSE_MS, () => this.#askUntil(question, isDone));
    const leader = this.leader();
    if (leader === null) return again();
    let isAnswered = false;
    leader.call(...question(), (outcome) => {
      isAnswered = true;
      if (!isDone(outcome)) again();
    });
    // A frozen conductor never answers; an operator asks the next one.
    this.queue.after(OPERATOR_WAIT_MS, () => {
      if (!isAnswered) again();
    });
  }

  /**
   * Whether a majority of the voters would keep their disks: losing more is a stop by rule 9, not a fault that
   * anybody promises to survive. Every membership that some machine may still act on is looked at.
   */
  mayLoseDisk(machine: Machine): boolean {
    // op-conductor votes with an empty disk as if it had never voted: no operator has it come back with one.
    if (machine.isOpConductor) return false;
    // One that is down may come back with a membership of long ago, by which the others cannot lead (decision 0011); one
    // that has just moved is not found by those who would be left.
    const areOthersThere = this.machines.every(
      (other) => other === machine || (other.conductor !== null && this.isWhereItIsLookedFor(other)),
    );
    return areOthersThere && this.wouldKeepMajority(machine);
  }

  /** Whether a machine is where every running conductor that counts it as a member looks for it. */
  isWhereItIsLookedFor({ id, address }: Machine): boolean {
    return this.machines.every(({ conductor }) => {
      const servers = conductor?.position().configuration.configuration.servers ?? [];
      return servers.every((server) => server.id !== id || server.address === address);
    });
  }

  /** Whether a majority of the voters would keep their disks, by every membership that a running conductor acts on. */
  wouldKeepMajority(machine: Machine): boolean {
    return this.#isMajorityIntact((voters) => voters, machine);
  }

  /**
   * Whether an operator may take a voter away: of those that stay a majority has its disk, and is found. Otherwise one
   * that lost its disk would be needed at once, and taking away the leader is losing it (rule 9).
   */
  mayLeave(machine: Machine): boolean {
    const areFound = this.machines.every((one) => one === machine || this.isWhereItIsLookedFor(one));
    return areFound && this.#isMajorityIntact((voters) => voters.filter((id) => id !== machine.id), machine);
  }

  /**
   * An operator takes a server out, or its vote. That it may be done without is looked at when the call arrives: another
   * change may have come first, or a move.
   */
  takeOut(
    leader: Machine,
    machine: Machine,
    isDemoted: boolean,
    answered: (isDone: boolean) => void = () => undefined,
  ): void {
    this.queue.after(LOOPBACK_MS, () => {
      if (!this.mayLeave(machine)) return answered(false);
      this.#leaving.add(machine.id);
      leader.call(isDemoted ? 'conductor_demoteVoter' : 'conductor_removeServer', [machine.id, 0n], ({ kind }) => {
        this.#leaving.delete(machine.id);
        answered(kind === 'result');
      });
    });
  }

  #isMajorityIntact(countedOf: (voters: readonly string[]) => readonly string[], machine: Machine): boolean {
    const isIntact = (id: string): boolean =>
      this.machines.some((one) => one.id === id && one !== machine && one.disk.hardState?.recovering === false);
    const memberships = this.machines
      .flatMap(({ conductor }) => conductor?.position().configuration.configuration ?? [])
      .map((membership) => votersOf(membership))
      .filter((voters) => voters.length > 0);
    // Where nobody who runs knows the members, those who do are down, and may be the last.
    if (memberships.length === 0) return false;
    const afterwards = memberships.map((voters) => voters.filter((id) => !this.#leaving.has(id)));
    return [...memberships, ...afterwards].every((voters) => {
      const counted = countedOf(voters);
      return counted.length === 0 || 2 * counted.filter(isIntact).length > counted.length;
    });
  }
}
