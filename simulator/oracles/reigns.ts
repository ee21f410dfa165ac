/** Who leads since when, and who was ever overridden: by what laws judge who may answer on leadership. */
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';

/** How long another may have led when a deposed leader still answers: the lease by a clock of half speed, and long ways. */
const DEPOSED_ANSWERS_MS = 2500;

interface Reign {
  readonly term: number;
  readonly sinceMs: number;
}

export class Reigns {
  readonly #reigns = new Map<Machine, Reign>();
  readonly #overridden = new Set<Machine>();

  observed(machine: Machine, { role, term }: Pick<RaftPosition, 'role' | 'term'>): void {
    if (role !== 'leader') this.#reigns.delete(machine);
    else if (this.#reigns.get(machine)?.term !== term) this.#reigns.set(machine, { term, sinceMs: machine.worldMs });
  }

  ended(machine: Machine): void {
    this.#reigns.delete(machine);
    this.#overridden.delete(machine);
  }

  called(machine: Machine, { method }: Call): void {
    if (method === 'conductor_overrideLeader') this.#overridden.add(machine);
  }

  isOverridden(machine: Machine): boolean {
    return this.#overridden.has(machine);
  }

  /** In which term it leads, as last observed; undefined while it does not. */
  termOf(machine: Machine): number | undefined {
    return this.#reigns.get(machine)?.term;
  }

  /** Others that led a later term than `own` for longer than a lease when somebody asked at `askedMs`, as text. */
  whoLedLater(machine: Machine, own: number, askedMs: number): string[] {
    return [...this.#reigns]
      .filter(([other, { term, sinceMs }]) => other !== machine && term > own && askedMs - sinceMs > DEPOSED_ANSWERS_MS)
      .map(([{ id }, { term, sinceMs }]) => `${id} has led term ${term} since ${Math.round(sinceMs)}`);
  }
}
