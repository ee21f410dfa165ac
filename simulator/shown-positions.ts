/** What each process showed last of its position: most turns of a process change nothing of it. */
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Machine } from './machine.ts';

interface Shown {
  readonly life: number;
  readonly position: RaftPosition;
}

export class ShownPositions {
  readonly #shown = new Map<Machine, Shown>();

  /** Whether this very process showed the same the last time, but for `isSure`, which time alone changes; it is kept. */
  isAgain(machine: Machine, position: RaftPosition): boolean {
    const { life } = machine;
    const last = this.#shown.get(machine);
    if (last?.life === life && isSame(last.position, position)) return true;
    this.#shown.set(machine, { life, position });
    return false;
  }
}

function isSame(one: RaftPosition, other: RaftPosition): boolean {
  return (
    one.commitIndex === other.commitIndex &&
    one.role === other.role &&
    one.term === other.term &&
    one.leaderId === other.leaderId &&
    one.snapshotIndex === other.snapshotIndex &&
    one.configuration === other.configuration &&
    one.isRecovering === other.isRecovering &&
    one.hasFailed === other.hasFailed
  );
}
