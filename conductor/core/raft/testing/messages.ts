/**
 * Messages, entries and stores for tests that drive one server by hand. Server `nX` always lives at `nX:1`.
 */
import { encodeConfiguration } from '../../wire/configuration.ts';
import { ZERO_GO_TIME } from '../../wire/go-time.ts';
import { blankPeerStatus, encodePeerStatus } from '../../wire/peer-status.ts';
import {
  EntryType,
  Suffrage,
  type AppendEntriesRequest,
  type AppendEntriesResponse,
  type Configuration,
  type Entry,
  type HardState,
  type InstallSnapshotRequest,
  type RequestPreVoteRequest,
  type RequestPreVoteResponse,
  type RequestVoteRequest,
  type RequestVoteResponse,
  type Server,
  type TimeoutNowRequest,
} from '../types.ts';
import { ListMachine } from './list-machine.ts';
import { MemoryStore } from './memory-store.ts';

const encoder = new TextEncoder();

export function voter(id: string): Server {
  return { id, address: `${id}:1`, suffrage: Suffrage.voter };
}

export function nonvoter(id: string): Server {
  return { ...voter(id), suffrage: Suffrage.nonvoter };
}

export function voters(...ids: string[]): Configuration {
  return { servers: ids.map(voter) };
}

export function commandEntry(index: number, term: number, text = `c${index}`): Entry {
  return entry(index, term, EntryType.command, encoder.encode(text));
}

export function noopEntry(index: number, term: number): Entry {
  return entry(index, term, EntryType.noop, null);
}

export function configurationEntry(index: number, term: number, configuration: Configuration): Entry {
  return entry(index, term, EntryType.configuration, encodeConfiguration(configuration));
}

function entry(index: number, term: number, type: number, data: Uint8Array | null): Entry {
  return { index, term, type, data, extensions: null, appendedAt: ZERO_GO_TIME };
}

export function header(id: string) {
  return { protocolVersion: 3, id, address: `${id}:1` };
}

export function appendFrom(
  id: string,
  part: Partial<AppendEntriesRequest> & { readonly term: number },
): AppendEntriesRequest {
  return {
    ...header(id),
    kind: 'append',
    leader: `${id}:1`,
    prevLogIndex: 0,
    prevLogTerm: 0,
    entries: [],
    leaderCommit: 0,
    ...part,
  };
}

export function heartbeatFrom(id: string, term: number): AppendEntriesRequest {
  return appendFrom(id, { term, entries: null });
}

export function preVoteFrom(id: string, term: number, lastLogIndex: number, lastLogTerm: number) {
  return { ...header(id), kind: 'prevote', term, lastLogIndex, lastLogTerm } satisfies RequestPreVoteRequest;
}

export function voteFrom(
  id: string,
  term: number,
  lastLogIndex: number,
  lastLogTerm: number,
  leadershipTransfer = false,
): RequestVoteRequest {
  return { ...header(id), kind: 'vote', term, candidate: `${id}:1`, lastLogIndex, lastLogTerm, leadershipTransfer };
}

export function timeoutNowFrom(id: string): TimeoutNowRequest {
  return { ...header(id), kind: 'timeoutNow' };
}

/** A snapshot of a ListMachine that has applied `texts` at the indexes that end with `index`. */
export function snapshotFrom(
  id: string,
  part: { term: number; index: number; lastTerm: number; configuration: Configuration; configurationIndex?: number },
): InstallSnapshotRequest {
  const data = snapshotData(part.index, part.lastTerm);
  return {
    ...header(id),
    kind: 'snapshot',
    snapshotVersion: 1,
    term: part.term,
    leader: `${id}:1`,
    lastLogIndex: part.index,
    lastLogTerm: part.lastTerm,
    peers: null,
    configuration: encodeConfiguration(part.configuration),
    configurationIndex: part.configurationIndex ?? 1,
    size: data.length,
    data,
  };
}

function snapshotData(index: number, term: number): Uint8Array {
  return encoder.encode(JSON.stringify([{ index, term, command: `c${index}` }]));
}

export function appendReply(
  id: string,
  part: Partial<AppendEntriesResponse> & { readonly term: number; readonly success: boolean },
): AppendEntriesResponse {
  return { ...header(id), kind: 'append', lastLog: 0, noRetryBackoff: !part.success, ...part };
}

export function ballot<Kind extends 'vote' | 'prevote'>(
  id: string,
  kind: Kind,
  term: number,
  granted: boolean,
): RequestVoteResponse | RequestPreVoteResponse {
  return { ...header(id), kind, term, granted };
}

/** The peer status of a server that knows `own` to be this implementation. */
export function statusOf(...own: string[]): Uint8Array {
  return encodePeerStatus({ ...blankPeerStatus('test'), own });
}

/** A store as a server that has lived before left it: not recovering. */
export function storeWith(entries: readonly Entry[], hard: Partial<HardState> = {}): MemoryStore {
  const store = new MemoryStore();
  const term = hard.term ?? entries.at(-1)?.term ?? 0;
  const machine = new ListMachine();
  store.write({
    entries: entries.map((held) => ({ entry: held, summary: machine.summarize(held) })),
    hardState: { term, votedTerm: term, votedFor: null, recovering: false, ...hard },
  });
  return store;
}
