/** The changes of the members that a leader makes, as it writes them, each with what was before it. */
import { EntryType, type Configuration as Members, type Entry } from '#conductor/core/raft/types';
import type { RaftPosition } from '#conductor/core/raft/status';
import { decodeConfiguration } from '#conductor/core/wire/configuration';
import type { WriteBatch } from '#conductor/core/ports';
import type { Machine } from '../machine.ts';

/** A configuration that a leader has put into its own log. */
export interface OwnChange {
  readonly entry: Entry;
  /** Without servers where its process has told of none yet. */
  readonly before: Members;
  readonly after: Members;
}

/** Whether a server writes it as the leader that made it. */
export function isOwn({ conductor }: Machine, { term }: Entry): boolean {
  const position = conductor?.position();
  return position?.role === 'leader' && position.term === term;
}

export class OwnChanges {
  readonly #members = new Map<Machine, Members>();

  ended(machine: Machine): void {
    this.#members.delete(machine);
  }

  observed(machine: Machine, { configuration }: RaftPosition): void {
    this.#members.set(machine, configuration.configuration);
  }

  /** Those of a batch that is written, in order; to be called once for each. */
  *of(machine: Machine, { entries = [] }: WriteBatch): Generator<OwnChange> {
    for (const { entry } of entries) {
      if (entry.type !== EntryType.configuration || !isOwn(machine, entry)) continue;
      const before = this.#members.get(machine) ?? { servers: [] };
      const after = decodeConfiguration(entry.data ?? new Uint8Array());
      this.#members.set(machine, after);
      yield { entry, before, after };
    }
  }
}
