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
import { Giving } from './give.ts';
import { isDriverHeldUp } from './held-up.ts';
import { look, type Look } from './look.ts';
import { Memory, type LookHost } from './look-host.ts';
import type { Observation } from './observation.ts';

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
/** A client that stands below the tip for so long does not take what it is given; said again after a while. Milliseconds. */
const sickAfterMs = 10_000;
const stuckAgainMs = 60_000;
/** An op-node that was held up for so long is why its client stood till then; for less, it was busy. */
const heldUpForMs = 1000;
/** The same of one that has to be restarted, as far as is known: it executes nothing, and syncs with nobody. */
const restartAfterMs = 2000;
/** A client may need two, each of which takes it further (record 0118); after so many on one head its data are of no use. */
const restartsInVain = 2;
/** What was seen counts for so long without another look, milliseconds. */
const validForMs = 2000;
/** It is renewed before that, however long a block time is: what a client holds stands against what others refuse. */
const seenAgainMs = 1500;

export interface ObserverHost extends ProcedureHost {
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
  /** Node and client may be changed: this conductor is neither stopped nor paused nor overridden. */
  mayAct(): boolean;
  /**
   * The client has stood below the tip for long, though the node was given what follows: it is sick, and has to be
   * restarted.
   */
  stuck(head: BlockRef, tip: BlockRef, why: Stuck): void;
  /** The same, but it is op-node that takes nothing: its driver loop has not turned for as long. */
  heldUp(head: BlockRef, tip: BlockRef): void;
  /** The client has forgotten blocks above its head of which it had no states. */
  forgot(head: BlockRef): void;
  /** Something else is to be told to the peers. */
  changed(): void;
}

/** What is known of a client that takes nothing. */
export interface Stuck {
  /** It is to forget first what it holds above its head, which it refuses to us. */
  readonly mustForget: boolean;
  /** It calls what follows its head invalid, which may be true. */
  readonly refusesNext: boolean;
  /** It has been restarted on this head since that was said, twice. */
  readonly wasRestarted: boolean;
  /** op-node has not been made to look in it, because this conductor is paused or overridden. */
  readonly isLeftAlone: boolean;
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

/** Where a client stands below the tip, and since when op-node's driver loop is why; null where it is not. */
interface Below {
  readonly hash: string;
  readonly heldUpSinceMs: number | null;
  readonly sinceMs: number;
  readonly saidAtMs: number;
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
  /** Asks, beside the looks, whether op-node's driver loop turns: an answer may take long, and looks are not to wait for it. */
  #probe: Procedure<boolean> | null = null;
  #probeAtMs = -Infinity;
  #isHeldUp = false;
  /** Null while it does not. */
  #below: Below | null = null;
  /** The head on which the client was last said to be stuck, how often it had been gone by then, and after how many restarts that was said. */
  #stuckOn = { hash: '', timesGone: 0, restarts: 0 };

  constructor(blockTimeMs: number, host: ObserverHost) {
    this.#blockTimeMs = blockTimeMs;
    this.#host = host;
    this.#giving = new Giving(host);
  }

  /** What may be told to the peers now; nothing that is older than a few looks. */
  get word(): OwnWord {
    const isFresh = this.#host.nowMs() - this.#seenAtMs < validForMs;
    const { safeNumber, observations, needsSync } = this.#seen;
    const isHeldUp = this.#isHeldUp;
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
    if (!this.#isHeldUp) this.#probeAtMs = this.#standsAtMs;
    const firstLookMs = clamp(firstLookPart * this.#blockTimeMs, firstLookMinMs, firstLookMaxMs);
    this.#lookAtMs = Math.min(this.#lookAtMs, this.#tipSinceMs + firstLookMs);
  }

  tick(): void {
    this.#running?.tick();
    const nowMs = this.#host.nowMs();
    this.#probeDriver(nowMs);
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
      give: (head) => this.#giving.begin(host, head),
      forgot: (head) => this.#host.forgot(head),
    };
    this.#running = new Procedure<Look>(look(host), this.#host, (seen) => {
      this.#running = null;
      this.#seenAtMs = this.#host.nowMs();
      if (seen.isResetting !== true) this.#lookedAtMs = this.#beganAtMs;
      this.#take(seen);
      // While blocks come, nothing else shows it: the next one is never overdue.
      if (seen.isHeldUp === true) this.#driverIs('held up');
      const isToBeRestarted = seen.needsSync === 'restart' && !this.#memory.mayForgetYet;
      this.#noteBelow(seen, isToBeRestarted ? restartAfterMs : sickAfterMs);
      this.#planNext();
    });
    this.#running.begin();
  }

  /** When `tick` wants to be called. */
  nextDeadlineMs(): number {
    const probeAtMs = this.#probe === null && this.#tip !== null ? this.#probeAtMs : Infinity;
    if (this.#running !== null) return Math.min(this.#running.deadlineMs(), probeAtMs);
    const expiresAtMs = this.#seen.observations.length > 0 ? this.#seenAtMs + validForMs : Infinity;
    return Math.min(this.#tip === null ? Infinity : this.#lookAtMs, expiresAtMs, probeAtMs);
  }

  /** Where the next block is overdue, and as long as op-node was last found held up. */
  #probeDriver(nowMs: number): void {
    if (this.#probe !== null || this.#tip === null || nowMs < this.#probeAtMs) return;
    this.#probe = new Procedure<boolean>(isDriverHeldUp(this.#memory), this.#host, (isNow) => {
      this.#probe = null;
      this.#driverIs(isNow ? 'held up' : 'free');
    });
    this.#probe.begin();
  }

  #driverIs(state: 'held up' | 'free'): void {
    const isHeldUp = state === 'held up';
    const againAtMs = this.#host.nowMs() + this.#standingPollMs;
    this.#probeAtMs = isHeldUp ? againAtMs : Math.max(this.#standsAtMs, againAtMs);
    if (isHeldUp === this.#isHeldUp) return;
    this.#isHeldUp = isHeldUp;
    this.#host.changed();
  }

  #take(seen: Look): void {
    const before = textOf(this.#seen);
    this.#seen = seen;
    if (textOf(seen) !== before) this.#host.changed();
  }

  #noteBelow({ below: hash = null, isHeldUp = false }: Look, stuckAfterMs: number): void {
    const nowMs = this.#host.nowMs();
    if (hash === null || this.#seen.isSyncing === true) {
      this.#below = null;
      return;
    }
    const before =
      this.#below?.hash === hash ? this.#below : { sinceMs: nowMs, heldUpSinceMs: null, saidAtMs: -Infinity };
    const heldUpSinceMs = isHeldUp ? (before.heldUpSinceMs ?? nowMs) : null;
    const wasHeldUp = !isHeldUp && before.heldUpSinceMs !== null && nowMs - before.heldUpSinceMs >= heldUpForMs;
    const sinceMs = wasHeldUp ? nowMs : before.sinceMs;
    const saidAtMs = wasHeldUp ? -Infinity : before.saidAtMs;
    const isDue = isHeldUp ? nowMs - heldUpSinceMs! >= sickAfterMs : nowMs - sinceMs >= stuckAfterMs;
    // What it is just given it may be executing.
    const isToBeSaid = isDue && !this.#giving.isUnderWay && nowMs - saidAtMs >= stuckAgainMs;
    this.#below = { hash, heldUpSinceMs, sinceMs, saidAtMs: isToBeSaid ? nowMs : saidAtMs };
    const { client, still, lost, refused } = this.#memory;
    if (!isToBeSaid || this.#tip === null || client === null) return;
    if (isHeldUp) return this.#host.heldUp(client, this.#tip);
    const isLeftAlone = lost?.wasReset === false && !this.#host.mayAct();
    this.#host.stuck(client, this.#tip, {
      mustForget: still?.forgetting === 'refused',
      refusesNext: refused?.isConfirmed === true,
      wasRestarted: !isLeftAlone && this.#wasRestarted(hash),
      isLeftAlone,
    });
  }

  #wasRestarted(hash: string): boolean {
    const { timesGone } = this.#memory;
    const before = this.#stuckOn.hash === hash ? this.#stuckOn : { timesGone, restarts: 0 };
    const restarts = before.restarts + (timesGone > before.timesGone ? 1 : 0);
    this.#stuckOn = { hash, timesGone, restarts };
    return restarts >= restartsInVain;
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
