/** Whom operators have taken out of service, or sequence without: what a law of service does not count on. */
import type { ConductorEvent } from '#conductor/core/events';
import type { Outcome } from '#conductor/core/rpc/message';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
import type { World } from '../world.ts';
import { Pauses } from './pauses.ts';

export class SetAside {
  readonly #idle = new Set<Machine>();
  readonly #overridden = new Set<Machine>();
  readonly #pauses = new Pauses();

  started(machine: Machine): void {
    this.#pauses.started(machine);
    this.#overridden.delete(machine);
    if (machine.isStartedPaused) this.#idle.add(machine);
    else this.#idle.delete(machine);
  }

  handled(machine: Machine, event: ConductorEvent): void {
    if (event.kind === 'drain') this.#idle.add(machine);
    if (event.kind !== 'rpc') return;
    this.#pauses.handled(machine, event);
    const { method } = event;
    if (method === 'conductor_overrideLeader' && event.values[0] !== true) {
      this.#overridden.delete(machine);
      if (!this.#pauses.has(machine)) this.#idle.delete(machine);
    } else if (method === 'conductor_overrideLeader') {
      this.#overridden.add(machine);
      this.#idle.add(machine);
    } else if (method === 'conductor_pause' || method === 'conductor_stop') this.#idle.add(machine);
    else if (method === 'conductor_resume') this.#idle.delete(machine);
  }

  answered(machine: Machine, call: Call, outcome: Outcome): void {
    this.#pauses.answered(machine, call, outcome);
  }

  /** Paused, stopped, overridden or told to end. */
  has(machine: Machine): boolean {
    return this.#idle.has(machine);
  }

  /**
   * What comes of the chain is up to an operator: a node sequences without its conductor, whoever leads is overridden, or
   * was paused in that leadership.
   */
  isLeftToOperators({ machines }: World): boolean {
    if (this.#pauses.isLeaderKept || machines.some(({ node }) => node.isUnconducted)) return true;
    return [...this.#overridden].some(({ conductor }) => conductor?.position().role === 'leader');
  }
}
