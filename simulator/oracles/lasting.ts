/**
 * For how long something has been so at a machine without a break, in time for which its process has turned, by its own
 * clock: what a process may be asked to have noticed.
 */
import type { Machine } from '../machine.ts';

/** How often a machine is looked at, milliseconds. */
const LOOK_MS = 100;
/** Between two looks so much counts at most: a longer pause is a freeze, or a write. */
const TURN_MAX_MS = 250;
/** Who has not turned for longer begins anew. */
const UNSEEN_MS = 1000;

interface Seen {
  readonly life: number;
  lastMs: number;
  lastOwnMs: number;
  readonly forMs: Map<string, number>;
}

export class Lasting<Name extends string> {
  readonly #seen = new Map<Machine, Seen>();

  /** How long each has been so that `what` names now, milliseconds; null where it is not time for a look. */
  look(machine: Machine, what: () => readonly Name[]): ReadonlyMap<Name, number> | null {
    const { worldMs, nowMs, life } = machine;
    const before = this.#seen.get(machine);
    if (before?.life === life && worldMs < before.lastMs + LOOK_MS) return null;
    const passedMs = nowMs - (before?.lastOwnMs ?? nowMs);
    const isAnew = before?.life !== life || passedMs > UNSEEN_MS;
    const forMs = new Map<Name, number>();
    for (const name of what()) {
      const knownMs = isAnew ? undefined : before?.forMs.get(name);
      forMs.set(name, knownMs === undefined ? 0 : knownMs + Math.max(0, Math.min(passedMs, TURN_MAX_MS)));
    }
    this.#seen.set(machine, { life, lastMs: worldMs, lastOwnMs: nowMs, forMs });
    return forMs;
  }
}
