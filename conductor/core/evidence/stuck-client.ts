/**
 * Looks whether a client that stands below the committed tip is stuck there, though its node was given what follows, and
 * says so: of the client, which has to be restarted, or of op-node where its driver loop is why.
 */
import type { BlockRef } from '../node/calls.ts';
import type { Giving } from './give.ts';
import type { Look } from './look.ts';
import type { Memory } from './memory.ts';

/** A client that stands below the tip for so long does not take what it is given; said again after a while. Milliseconds. */
const sickAfterMs = 10_000;
const stuckAgainMs = 60_000;
/** An op-node that was held up for so long is why its client stood till then; for less, it was busy. */
const heldUpForMs = 1000;
/** The same of one that has to be restarted, as far as is known: it executes nothing, and syncs with nobody. */
const restartAfterMs = 2000;
/** A client may need two, each of which takes it further (record 0118); after so many on one head its data are of no use. */
const restartsInVain = 2;

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

export interface StuckClientHost {
  nowMs(): number;
  /** Node and client may be changed: this conductor is neither stopped nor paused nor overridden. */
  mayAct(): boolean;
  /**
   * The client has stood below the tip for long, though the node was given what follows: it is sick, and has to be
   * restarted.
   */
  stuck(head: BlockRef, tip: BlockRef, why: Stuck): void;
  /** The same, but it is op-node that takes nothing: its driver loop has not turned for as long. */
  heldUp(head: BlockRef, tip: BlockRef): void;
}

/** Where a client stands below the tip, and since when op-node's driver loop is why; null where it is not. */
interface Below {
  readonly hash: string;
  readonly heldUpSinceMs: number | null;
  readonly sinceMs: number;
  readonly saidAtMs: number;
}

const notStuck = { hash: '', timesGone: 0, restarts: 0 };

export class StuckClient {
  readonly #memory: Memory;
  readonly #giving: Giving;
  readonly #host: StuckClientHost;
  /** Null while it does not stand below the tip. */
  #below: Below | null = null;
  /** The head on which the client was last said to be stuck, how often it had been gone by then, and after how many restarts that was said. */
  #stuckOn = notStuck;

  constructor(memory: Memory, giving: Giving, host: StuckClientHost) {
    this.#memory = memory;
    this.#giving = giving;
    this.#host = host;
  }

  /** To be called with what each look has shown. */
  looked({ below: hash = null, isHeldUp = false, isSyncing, needsSync }: Look, tip: BlockRef | null): void {
    const nowMs = this.#host.nowMs();
    const head = this.#memory.client?.hash ?? this.#stuckOn.hash;
    // It has got further since: what brought it back there is another trouble, which a restart may end as before.
    if (head !== this.#stuckOn.hash) this.#stuckOn = notStuck;
    if (hash === null || isSyncing === true) {
      this.#below = null;
      return;
    }
    const isToBeRestarted = needsSync === 'restart' && !this.#memory.mayForgetYet;
    const stuckAfterMs = isToBeRestarted ? restartAfterMs : sickAfterMs;
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
    if (!isToBeSaid || tip === null || client === null) return;
    if (isHeldUp) return this.#host.heldUp(client, tip);
    const isLeftAlone = lost?.wasReset === false && !this.#host.mayAct();
    this.#host.stuck(client, tip, {
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
}
