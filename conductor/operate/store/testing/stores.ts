/** Stores of servers with a history, for the tests of what operators do to them. */
import { join } from 'node:path';
import { openStore } from '#conductor/adapters/sqlite/store';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { entryAt } from '#conductor/adapters/sqlite/testing/values';
import { EntryType, Suffrage, type Configuration } from '#conductor/core/raft/types';
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import { ZERO_GO_TIME } from '#conductor/core/wire/go-time';

export interface StoreContent {
  readonly serverId?: string;
  /** Of the last entry and of the server. */
  readonly term?: number;
  /** Entries beside the configuration, which is the first. */
  readonly entries?: number;
  readonly entryBytes?: number;
  readonly configuration?: Configuration;
  readonly isRecovering?: boolean;
  /** The folder of all servers; a new one where it is not given. */
  readonly storage?: string;
}

/** Voters n1, n2, …, whose raft addresses nobody listens at. */
export function votersOf(count: number): Configuration {
  const ids = Array.from({ length: count }, (_, at) => at + 1);
  return { servers: ids.map((at) => ({ id: `n${at}`, address: `127.0.0.1:${at}`, suffrage: Suffrage.voter })) };
}

/** Makes a closed store; returns its directory. */
export function makeStore(content: StoreContent = {}): string {
  const { serverId = 'n1', term = 1, entries = 5, entryBytes = 40, isRecovering = false } = content;
  const directory = join(content.storage ?? temporaryDirectory(), serverId);
  const store = openStore({ directory, serverId });
  store.load();
  const data = encodeConfiguration(content.configuration ?? votersOf(3));
  const first = { index: 1, term: 1, type: EntryType.configuration, data, extensions: null, appendedAt: ZERO_GO_TIME };
  const rest = Array.from({ length: entries }, (_, at) => entryAt(at + 2, term, entryBytes));
  store.write({
    hardState: { term, votedTerm: term, votedFor: { id: serverId, address: '127.0.0.1:1' }, recovering: isRecovering },
    entries: [{ entry: first, summary: null }, ...rest],
  });
  store.close();
  return directory;
}
