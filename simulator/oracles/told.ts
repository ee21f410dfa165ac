/** What each process was told last about being paused, as far as there is no doubt: from the answer on, until it may change again. */
import type { ConductorEvent } from '#conductor/core/events';
import type { Outcome } from '#conductor/core/rpc/message';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';

interface Said {
  /** null while there is doubt. */
  isPaused: boolean | null;
  /** Pauses and resumes without an answer. */
  open: number;
  /** Of those without an answer several were made at once: which was carried out last nobody has told. */
  areMixed: boolean;
  /** Counts everything that may change it. */
  epoch: number;
}

export class Told {
  readonly #said = new Map<Machine, Said>();

  of(machine: Machine): Readonly<Said> {
    return this.#of(machine);
  }

  started(machine: Machine): void {
    const { epoch } = this.#of(machine);
    this.#said.set(machine, { isPaused: machine.isStartedPaused, open: 0, areMixed: false, epoch: epoch + 1 });
  }

  /** Who founds a cluster is paused by that, until an operator resumes it. */
  handled(machine: Machine, event: ConductorEvent): void {
    if (event.kind === 'drain' || event.kind === 'bootstrap') this.#change(machine);
  }

  /** Whose disk has failed ends, and says so. */
  observed(machine: Machine, { hasFailed }: { readonly hasFailed: boolean }): void {
    if (hasFailed) this.#change(machine);
  }

  called(machine: Machine, { method }: Pick<Call, 'method'>): void {
    if (method === 'conductor_stop') this.#change(machine);
    if (!isPauseOrResume(method)) return;
    this.#change(machine);
    const said = this.#of(machine);
    if (said.open > 0) said.areMixed = true;
    said.open++;
  }

  answered(machine: Machine, { method }: Pick<Call, 'method'>, { kind }: Pick<Outcome, 'kind'>): void {
    if (!isPauseOrResume(method)) return;
    const said = this.#of(machine);
    said.open--;
    if (said.open > 0) return;
    if (kind === 'result' && !said.areMixed) said.isPaused = method === 'conductor_pause';
    said.areMixed = false;
  }

  #of(machine: Machine): Said {
    const known = this.#said.get(machine) ?? { isPaused: machine.isStartedPaused, open: 0, areMixed: false, epoch: 0 };
    this.#said.set(machine, known);
    return known;
  }

  #change(machine: Machine): void {
    const said = this.#of(machine);
    said.isPaused = null;
    said.epoch++;
  }
}

function isPauseOrResume(method: Call['method']): boolean {
  return method === 'conductor_pause' || method === 'conductor_resume';
}
