/**
 * What follows when the own execution client refuses what the own sequencer sealed (rule 29): the job is dropped, then
 * leadership goes to another server, then op-node's recover mode is switched on, for one block and then for longer. Seals
 * are counted by hash and job, not by call: op-node offers the same one again and again until its job is dropped.
 */
import type { BlockRef } from '../node/calls.ts';

/** Each server that led within so many block times has had its turn. */
const turnBlocks = 10;
/** The same for whose own builder gives a refused block once more: others may have had a bad one and no more. */
const turnBlocksOfRepeater = 4;
/**
 * How long recover mode stays on from its second time in a row, milliseconds; the first time is for one block. So often a
 * full block is tried: each costs a dropped job, and so long after the end of the fault blocks are still empty.
 */
const recoverForMs = 30_000;

/** 'dropLater': there is neither another server, nor recover mode, or that is on already. */
export type BadSealAction = 'none' | 'dropJob' | 'handOver' | 'recover' | 'dropLater';

export interface WaysOut {
  /** An eligible peer has not had its turn. */
  readonly canHandOver: boolean;
  readonly mayRecover: boolean;
  /** A first bad seal may be the only one, and a second costs no more than its job: nothing of it is committed. */
  readonly mayRetry: boolean;
}

export class BadSeals {
  readonly #blockTimeMs: number;
  #inARow = 0;
  #last = { number: -1n, hash: '', commandEpoch: -1 };
  #recoverUntilMs = -Infinity;
  #mustRecoverNext = false;
  /** Seals refused in recover mode since its last block: the first may be of a job from before. */
  #refusedRecovering = 0;

  constructor(blockTimeMs: number) {
    this.#blockTimeMs = blockTimeMs;
  }

  /** How long after it led another server has had its turn, milliseconds, when this seal is refused. */
  turnMs(seal: BlockRef | null, commandEpoch: number): number {
    const isRepeated = seal !== null && this.#last.hash === seal.hash && this.#last.commandEpoch !== commandEpoch;
    return (isRepeated ? turnBlocksOfRepeater : turnBlocks) * this.#blockTimeMs;
  }

  /** One more refused seal; `commandEpoch` counts starts and stops, so that the same job is told from the next. */
  refused(seal: BlockRef, commandEpoch: number, ways: WaysOut, nowMs: number): BadSealAction {
    if (this.#last.hash === seal.hash && this.#last.commandEpoch === commandEpoch) return 'none';
    this.#last = { ...seal, commandEpoch };
    this.#inARow += 1;
    if (this.isRecovering(nowMs)) return this.#refusedInRecovery(ways);
    if (this.#inARow === 1 && (ways.mayRetry || !ways.canHandOver)) return 'dropJob';
    // All had their turn when recover mode last helped: it is still needed, and nobody else is any better.
    const isStillNeeded = ways.mayRecover && this.#recoveredLately(nowMs);
    if (ways.canHandOver && !isStillNeeded) return 'handOver';
    if (!ways.mayRecover) return 'dropLater';
    this.#beginRecovery(nowMs);
    return 'recover';
  }

  /** A block of the own sequencer was committed: the count begins anew, unless that may be a bad one in the place of the last. */
  committed({ number, isValidated }: { readonly number: bigint; readonly isValidated: boolean }, nowMs: number): void {
    if (this.#inARow === 0 && !this.#mustRecoverNext) return;
    if (!isValidated && number <= this.#last.number) return;
    this.#inARow = 0;
    this.#refusedRecovering = 0;
    this.#last = { number: -1n, hash: '', commandEpoch: -1 };
    if (nowMs >= this.#recoverUntilMs) this.#mustRecoverNext = false;
  }

  /** Leadership is another one: recover mode is never left on, and counting begins anew. */
  leadershipChanged(): void {
    this.#inARow = 0;
    this.#last = { number: -1n, hash: '', commandEpoch: -1 };
    this.#mustRecoverNext = false;
    this.#refusedRecovering = 0;
    this.#recoverUntilMs = -Infinity;
  }

  /** Whether op-node should be in recover mode now. */
  isRecovering(nowMs: number): boolean {
    if (!this.#mustRecoverNext) return false;
    // On until the time is over and one block has come of it.
    return this.#inARow > 0 || nowMs < this.#recoverUntilMs;
  }

  /** When `isRecovering` changes by time alone; Infinity for never. */
  nextChangeMs(nowMs: number): number {
    return this.#mustRecoverNext && this.#inARow === 0 && nowMs < this.#recoverUntilMs
      ? this.#recoverUntilMs
      : Infinity;
  }

  /** The own builder has nothing left to try: empty blocks were refused as well, or further ones where there is no recover mode. */
  hasTriedAll(mayRecover: boolean): boolean {
    return mayRecover ? this.#refusedRecovering > 0 : this.#inARow > 1;
  }

  /** Empty blocks are refused as well: another server's client may take its own. */
  #refusedInRecovery({ canHandOver }: WaysOut): BadSealAction {
    this.#refusedRecovering += 1;
    return canHandOver && this.#refusedRecovering > 1 ? 'handOver' : 'dropLater';
  }

  #recoveredLately(nowMs: number): boolean {
    return nowMs - this.#recoverUntilMs < turnBlocks * this.#blockTimeMs;
  }

  #beginRecovery(nowMs: number): void {
    this.#mustRecoverNext = true;
    this.#refusedRecovering = 0;
    this.#recoverUntilMs = nowMs + (this.#recoveredLately(nowMs) ? recoverForMs : 0);
  }
}
