/**
 * Appending to this server's log, as leader or follower: configurations take effect with the entry that
 * holds them (thesis §4.1).
 */
import { sameBytes } from '../same-bytes.ts';
import { decodeConfiguration } from '../wire/configuration.ts';
import { goTimeFromUnixMs } from '../wire/go-time.ts';
import type { RaftState } from './state.ts';
import { EntryType, type Entry } from './types.ts';

/** Appends one entry of the current term; returns its index. */
export function appendAsLeader(
  s: RaftState,
  type: number,
  data: Uint8Array | null,
  extensions: Uint8Array | null = null,
): number {
  const index = s.log.lastIndex + 1;
  const appendedAt = goTimeFromUnixMs(s.ports.wallClock.unixMs());
  appendEntries(s, [{ index, term: s.term, type, data, extensions, appendedAt }]);
  return index;
}

/** Whether this log holds an entry of that index and term that is another one; in what is committed, as far as its size tells. */
export function isAnother(s: RaftState, { index, term, type, data }: Entry): boolean {
  const held = s.log.summaryAt(index);
  if (held?.term !== term) return false;
  if (held.type !== type || held.size !== (data?.length ?? 0)) return true;
  const bytes = index > s.commitIndex ? s.log.dataAt(index) : null;
  return bytes !== null && data !== null && !sameBytes(bytes, data);
}

/** Appends entries to the log; a configuration among them takes effect at once. Configurations must be decodable. */
export function appendEntries(s: RaftState, entries: readonly Entry[]): void {
  for (const entry of entries) {
    s.log.append([entry]);
    if (entry.type !== EntryType.configuration) continue;
    const held = { index: entry.index, configuration: decodeConfiguration(entry.data ?? new Uint8Array()) };
    s.membership.append(held);
    s.inquiry.introduced.clear();
    s.outbox.notices.push({ kind: 'configuration', configuration: held, committed: false });
  }
}
