/** An import in one line, for the log of a start and for the command. */
import type { ImportSummary } from './import-store.ts';

/** One line for people. */
export function describeImport({ term, votedTerm, snapshot, firstIndex, lastIndex, dataBytes }: ImportSummary): string {
  const log = firstIndex === null ? 'no entries' : `entries ${firstIndex} to ${lastIndex} (${dataBytes} bytes of data)`;
  const covered = snapshot === null ? 'no snapshot' : `a snapshot at ${snapshot.index}`;
  return `${log}, ${covered}, term ${term}, voted in term ${votedTerm}`;
}
