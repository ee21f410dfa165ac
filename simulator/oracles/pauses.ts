/**
 * Which servers are paused, as operators may know it: from the call to pause, or a start with --paused, until the answer to
 * a resume or the next start. One that is refused to be resumed, as while its op-node is silent, stays paused.
 */
import type { ConductorEvent } from '#conductor/core/events';
import type { Outcome } from '#conductor/core/rpc/message';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';

export class Pauses {
  /** The term in which each led when it was paused; null where it did not lead. */
  readonly #terms = new Map<Machine, number | null>();

  started(machine: Machine): void {
    if (machine.isStartedPaused) this.#terms.set(machine, null);
    else this.#terms.delete(machine);
  }

  handled(machine: Machine, event: ConductorEvent): void {
    if (event.kind !== 'rpc' || event.method !== 'conductor_pause' || this.has(machine)) return;
    const position = machine.conductor?.position();
    this.#terms.set(machine, position?.role === 'leader' ? position.term : null);
  }

  answered(machine: Machine, { method }: Pick<Call, 'method'>, { kind }: Pick<Outcome, 'kind'>): void {
    if (method === 'conductor_resume' && kind === 'result') this.#terms.delete(machine);
  }

  has(machine: Machine): boolean {
    return this.#terms.has(machine);
  }

  /** Whether it was paused, and still is, while it led in that term. */
  wasPausedIn(machine: Machine, term: number): boolean {
    return this.#terms.get(machine) === term;
  }

  /** Whether somebody leads whom an operator has paused in that leadership: it stays, whatever becomes of its sequencer (rule 18). */
  get isLeaderKept(): boolean {
    return [...this.#terms].some(([{ conductor }, term]) => {
      const position = conductor?.position();
      return position?.role === 'leader' && position.term === term;
    });
  }
}
