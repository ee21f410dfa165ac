/** A state machine for tests of the core: the list of all applied commands, and a view of the log as it was told. */
import type { AppliedEntry, EntrySummary, StateMachine } from '../../ports.ts';
import { EntryType, type Entry } from '../types.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class ListMachine implements StateMachine {
  applied: { index: number; term: number; command: string }[] = [];
  /** Entries in the log by index, as told by appended, truncated and compacted. */
  readonly known = new Map<number, EntrySummary>();
  restores = 0;

  /** Short enough commands are their own summary. */
  summarize(entry: Entry): Uint8Array | null {
    return entry.data && entry.type === EntryType.command ? entry.data.slice(0, 64) : null;
  }

  appended(entry: EntrySummary): void {
    if (this.known.has(entry.index)) throw new Error(`entry ${entry.index} is appended twice`);
    this.known.set(entry.index, entry);
  }

  truncated(from: number): void {
    for (const index of this.known.keys()) if (index >= from) this.known.delete(index);
  }

  compacted(through: number): void {
    for (const index of this.known.keys()) if (index <= through) this.known.delete(index);
  }

  apply(entry: AppliedEntry): string {
    if (entry.type !== EntryType.command) throw new Error('only commands are applied');
    const command = decoder.decode(entry.data() ?? new Uint8Array());
    this.applied.push({ index: entry.index, term: entry.term, command });
    return command;
  }

  snapshot(): Uint8Array | null {
    return this.applied.length === 0 ? null : encoder.encode(JSON.stringify(this.applied));
  }

  restore(data: Uint8Array): string | null {
    try {
      this.applied = JSON.parse(decoder.decode(data)) as ListMachine['applied'];
      this.restores++;
      return null;
    } catch (error) {
      return String(error);
    }
  }
}
