/**
 * Watches how the own node and its execution client take the committed tip, on every server, leader or not: a look soon
 * after each commit, and further ones for as long as something is amiss. What it sees is told to the peers (rule 6);
 * it counts only within one uninterrupted life of both processes, so a request that fails begins anew.
 */
import type { BlockRef } from '../node/calls.ts';
import type { WholeChainView } from '../node/chain-view.ts';
import type { Envelope } from '../payload/envelope.ts';
import { prefixedHex } from '../payload/hex.ts';
import { Procedure, type ProcedureHost } from '../node/procedure.ts';
import { DriverProbe } from './driver-probe.ts';
import { give, Giving } from './give.ts';
import { look, type Look } from './look.ts';
import type { LookHost } from './look-host.ts';
import { Memory } from './memory.ts';
import type { Observation } from './observation.ts';
import { refill } from './refill.ts';
import { StuckClient, type StuckClientHost } from './stuck-client.ts';

/** From a commit to the first look, of a block time, and its bounds in milliseconds. */
const firstLookPart = 0.1;
const firstLookMinMs = 25;
const firstLookMaxMs = 150;
/** Between looks while the node has not taken the tip, of a block time, and its bounds in milliseconds. */
const pollPart = 0.25;
const pollMinMs = 50;
const pollMaxMs = 250;
/** A tip that stands longer than so many block times is looked at again and again; a node may leave it. */
const standingBlocks = 1.25;
/** Between looks at a tip that has stood for long, milliseconds. */
const idlePollMs = 1000;
const idleAfterMs = 10_000;
/** What was seen counts for so long without another look, milliseconds. */
const validForMs = 2000;
/** It is renewed before that, however long a block time is: what a client holds stands against what others refuse. */
const seenAgainMs = 1500;

export interface ObserverHost extends ProcedureHost, StuckClientHost {
  readonly chain: WholeChainView;
  /** The client may be asked by the engine API. */
  readonly hasEngine: boolean;
  /** An L1 client may be asked. */
  readonly hasL1: boolean;
  /** Height of the last block in the own log, committed or not; null for none. */
  logEnd(): bigint | null;
  /** The committed block that the leader's node has just left for L1's sake; null for none, and on the leader itself. */
  leftByLeader(): BlockRef | null;
  /** This server leads. */
  leads(): boolean;
  /** The own sequencer builds, as far as is known. */
  builds(): boolean;
  /** This server's word is one of those that make a majority with the leader's. */
  isFirstFollower(): boolean;
  /** The node of another voter, as far as it is heard here, has left the block. */
  isLeftByPeer(block: BlockRef): boolean;
  /** Payloads may be handed to the node: this conductor is not stopped. */
  mayPost(): boolean;
  /** The client has lost its head, and is brought from `client` to `node`. */
  refilling(client: BlockRef, node: BlockRef): void;
  /** The client has forgotten blocks above its head of which it had no states. */
  forgot(head: BlockRef): void;
  /** Something else is to be told to the peers. */
  changed(): void;
}

/** A committed tip that a client calls invalid. */
export interface RefusedTip extends BlockRef {
  /** The process of the client before this one refused the tip, too: a restart has not helped. */
  readonly isAgain: boolean;
}

/** What the own node shows now. */
export interface OwnWord {
  /** Head of its client; null while not known. */
  readonly client?: BlockRef | null;
  /** When the node was last looked at, monotonic milliseconds; -Infinity for never. */
  readonly seenAtMs?: number;
  /** Height of its safe head; null while not known. */
  readonly safeNumber: bigint | null;
  readonly observations: readonly Observation[];
  /** For operators alone: the tip that its client calls invalid, whatever that proves; null for none. */
  readonly refuses?: RefusedTip | null;
  /** Its client executes nothing that follows its head before it has synced or was restarted: it cannot sequence. */
  readonly needsSync: boolean;
  /** op-node's driver loop does not turn: it cannot sequence for as long. */
  readonly isHeldUp: boolean;
}

export class NodeObserver {
  readonly #blockTimeMs: number;
  readonly #host: ObserverHost;
  readonly #memory = new Memory();
  #tip: BlockRef | null = null;
  #tipSinceMs = 0;
  #lookAtMs = Infinity;
  #seenAtMs = -Infinity;
  #beganAtMs = -Infinity;
  #lookedAtMs = -Infinity;
  #seen: Look = { isSettled: true, safeNumber: null, observations: [] };
  #running: Procedure<Look> | null = null;
  readonly #giving: Giving;
  readonly #probe: DriverProbe;
  readonly #stuckClient: StuckClient;

  constructor(blockTimeMs: number, host: ObserverHost) {
    this.#blockTimeMs = blockTimeMs;
    this.#host = host;
    this.#giving = new Giving(host);
    const dueAtMs = (): number => this.#standsAtMs;
    const pollMs = (): number => this.#standingPollMs;
    this.#probe = new DriverProbe(this.#memory, { ...host, dueAtMs, pollMs });
    this.#stuckClient = new StuckClient(this.#memory, this.#giving, host);
  }

  /** What may be told to the peers now; nothing that is older than a few looks. */
  get word(): OwnWord {
    const isFresh = this.#host.nowMs() - this.#seenAtMs < validForMs;
    const { safeNumber, observations, needsSync } = this.#seen;
    const { isHeldUp } = this.#probe;
    const known = { client: this.#memory.client, seenAtMs: this.#seenAtMs, safeNumber };
    if (!isFresh) return { ...known, observations: [], needsSync: false, isHeldUp };
    const isUnable = needsSync === 'syncing' || needsSync === 'restart';
    return { ...known, observations, refuses: this.#refuses, needsSync: isUnable, isHeldUp };
  }

  get #refuses(): RefusedTip | null {
    const { refused, refusedBefore } = this.#memory;
    const tip = this.#tip;
    if (tip === null || refused?.isConfirmed !== true || refused.hash !== tip.hash) return null;
    return { number: tip.number, hash: tip.hash, isAgain: refusedBefore };
  }

  get isForgetting(): boolean {
    return this.#memory.isForgetting;
  }

  /** The client has lost its head, and is being brought to the tip, on which op-node stands. */
  get isRefilling(): boolean {
    return this.#memory.refill?.state === 'underWay';
  }

  /** Its client has said SYNCING of a block that follows its head. */
  clientIsUnable(envelope: Envelope): void {
    this.#memory.unable = { on: prefixedHex(envelope.executionPayload.parentHash), envelope, atMs: this.#host.nowMs() };
    this.lookNow();
  }

  /** When the last look that has ended began, monotonic milliseconds; -Infinity for none. */
  get lookedAtMs(): number {
    return this.#lookedAtMs;
  }

  /** Something may have happened to the own node. */
  lookNow(): void {
    this.#lookAtMs = this.#host.nowMs();
  }

  /** The own sequencer builds nothing on the tip, though all answer (rule 31). */
  headStands(): void {
    if (this.#tip === null || this.#memory.stands?.hash === this.#tip.hash) return;
    this.#memory.stands = { hash: this.#tip.hash, wasReset: false };
    this.lookNow();
  }

  /** To be called after anything may have been committed. */
  review(): void {
    const left = this.#host.leftByLeader();
    if (left?.hash !== this.#memory.leftByLeader?.hash) {
      if (left !== null) this.lookNow();
      this.#memory.leftByLeader = left === null ? null : { ...left, sinceMs: this.#host.nowMs() };
    }
    const tip = this.#host.chain.head();
    if (tip === null || tip.hash === this.#tip?.hash) return;
    this.#tip = tip;
    this.#tipSinceMs = this.#host.nowMs();
    this.#probe.tipChanged();
    const firstLookMs = clamp(firstLookPart * this.#blockTimeMs, firstLookMinMs, firstLookMaxMs);
    this.#lookAtMs = Math.min(this.#lookAtMs, this.#tipSinceMs + firstLookMs);
  }

  tick(): void {
    this.#running?.tick();
    const nowMs = this.#host.nowMs();
    if (this.#tip !== null) this.#probe.tick();
    if (this.#seen.observations.length > 0 && nowMs >= this.#seenAtMs + validForMs)
      this.#take({ ...this.#seen, observations: [] });
    if (this.#running !== null || nowMs < this.#lookAtMs || this.#tip === null) return;
    this.#lookAtMs = Infinity;
    this.#beganAtMs = nowMs;
    const host: LookHost = {
      chain: this.#host.chain,
      hasEngine: this.#host.hasEngine,
      hasL1: this.#host.hasL1,
      logEnd: () => this.#host.logEnd(),
      memory: this.#memory,
      blockTimeMs: this.#blockTimeMs,
      nowMs: () => this.#host.nowMs(),
      tipAgeMs: () => this.#host.nowMs() - this.#tipSinceMs,
      mayPost: () => this.#host.mayPost(),
      mayAct: () => this.#host.mayAct(),
      leads: () => this.#host.leads(),
      builds: () => this.#host.builds(),
      isFirstFollower: () => this.#host.isFirstFollower(),
      isLeftByPeer: (block) => this.#host.isLeftByPeer(block),
      give: (head) => this.#giving.begin(() => give(host, head)),
      refill: (client, node) => this.#giving.begin(() => refill(host, client, node)),
      refilling: (client, node) => this.#host.refilling(client, node),
      forgot: (head) => this.#host.forgot(head),
    };
    this.#running = new Procedure<Look>(look(host), this.#host, (seen) => {
      this.#running = null;
      this.#seenAtMs = this.#host.nowMs();
      if (seen.isResetting !== true) this.#lookedAtMs = this.#beganAtMs;
      this.#take(seen);
      // While blocks come, nothing else shows it: the next one is never overdue.
      if (seen.isHeldUp === true) this.#probe.driverIs('held up');
      this.#stuckClient.looked(seen, this.#tip);
      this.#planNext();
    });
    this.#running.begin();
  }

  /** When `tick` wants to be called. */
  nextDeadlineMs(): number {
    const probeAtMs = this.#tip === null ? Infinity : this.#probe.nextDeadlineMs();
    if (this.#running !== null) return Math.min(this.#running.deadlineMs(), probeAtMs);
    const expiresAtMs = this.#seen.observations.length > 0 ? this.#seenAtMs + validForMs : Infinity;
    return Math.min(this.#tip === null ? Infinity : this.#lookAtMs, expiresAtMs, probeAtMs);
  }

  #take(seen: Look): void {
    const before = textOf(this.#seen);
    this.#seen = seen;
    if (textOf(seen) !== before) this.#host.changed();
  }

  get #pollMs(): number {
    return clamp(pollPart * this.#blockTimeMs, pollMinMs, pollMaxMs);
  }

  /** Longer where the tip has stood for long. */
  get #standingPollMs(): number {
    return this.#host.nowMs() > this.#standsAtMs + idleAfterMs ? idlePollMs : this.#pollMs;
  }

  get #standsAtMs(): number {
    return this.#tipSinceMs + standingBlocks * this.#blockTimeMs;
  }

  #planNext(): void {
    const nowMs = this.#host.nowMs();
    const nextAtMs = !this.#seen.isSettled
      ? nowMs + this.#pollMs
      : Math.max(this.#standsAtMs, nowMs + this.#standingPollMs);
    this.#lookAtMs = Math.min(this.#lookAtMs, nextAtMs, nowMs + seenAgainMs);
  }
}

function textOf({ safeNumber, observations, needsSync }: Look): string {
  return `${safeNumber} ${needsSync ?? ''} ${observations.map(({ hash, kinds }) => `${hash} ${kinds.join(' ')}`).join(',')}`;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
