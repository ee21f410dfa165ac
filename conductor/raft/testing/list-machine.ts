/** A state machine for tests of the core: the list of all applied commands with their indexes. */
import type { AppliedEntry, EntrySummary, StateMachine } from '../../ports.ts';
import { EntryType, type Entry } from '../types.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class ListMachine implements StateMachine {
  applied: { index: number; term: number; command: string }[] = [];
  /** Indexes of command entries in the log, as told by appended, truncated and compacted. */
  known: number[] = [];

  summarize(_entry: Entry): null {
    return null;
  }

  appended(entry: EntrySummary): void {
    this.known.push(entry.index);
  }

  truncated(from: number): void {
    this.known = this.known.filter((index) => index < from);
  }

  compacted(through: number): void {
    this.known = this.known.filter((index) => index > through);
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
      return null;
    } catch (error) {
      return String(error);
    }
  }
}
