/**
 * Asks, beside the looks, whether op-node's driver loop turns: an answer may take long, and looks are not to wait for it. It is
 * asked where the next block is overdue, and as long as op-node was last found held up.
 */
import { Procedure, type ProcedureHost } from '../node/procedure.ts';
import { isDriverHeldUp } from './held-up.ts';
import type { Memory } from './memory.ts';

export interface DriverProbeHost extends ProcedureHost {
  /** When the block above the tip is overdue, monotonic milliseconds. */
  dueAtMs(): number;
  /** Between two questions, milliseconds. */
  pollMs(): number;
  /** Something else is to be told to the peers. */
  changed(): void;
}

export class DriverProbe {
  readonly #memory: Memory;
  readonly #host: DriverProbeHost;
  #running: Procedure<boolean> | null = null;
  #atMs = -Infinity;
  #isHeldUp = false;

  constructor(memory: Memory, host: DriverProbeHost) {
    this.#memory = memory;
    this.#host = host;
  }

  get isHeldUp(): boolean {
    return this.#isHeldUp;
  }

  tipChanged(): void {
    if (!this.#isHeldUp) this.#atMs = this.#host.dueAtMs();
  }

  /** To be called while there is a tip. */
  tick(): void {
    if (this.#running !== null || this.#host.nowMs() < this.#atMs) return;
    this.#running = new Procedure<boolean>(isDriverHeldUp(this.#memory), this.#host, (isNow) => {
      this.#running = null;
      this.driverIs(isNow ? 'held up' : 'free');
    });
    this.#running.begin();
  }

  /** It was asked, or a look has shown it. */
  driverIs(state: 'held up' | 'free'): void {
    const isHeldUp = state === 'held up';
    const againAtMs = this.#host.nowMs() + this.#host.pollMs();
    this.#atMs = isHeldUp ? againAtMs : Math.max(this.#host.dueAtMs(), againAtMs);
    if (isHeldUp === this.#isHeldUp) return;
    this.#isHeldUp = isHeldUp;
    this.#host.changed();
  }

  /** When `tick` wants to be called. */
  nextDeadlineMs(): number {
    return this.#running === null ? this.#atMs : Infinity;
  }
}
