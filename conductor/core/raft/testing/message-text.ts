/** Messages, entries and writes in a few words each, for transcripts that people read. Peer status is left out. */
import { decodeConfiguration } from '../../wire/configuration.ts';
import type { WriteBatch } from '../../ports.ts';
import type { RaftNotice, RaftResult } from '../events.ts';
import { EntryType, Suffrage, type Configuration, type Entry, type RpcRequest, type RpcResponse } from '../types.ts';

const decoder = new TextDecoder();

export function requestText(request: RpcRequest): string {
  switch (request.kind) {
    case 'append': {
      const { term, entries, prevLogIndex, prevLogTerm, leaderCommit } = request;
      if (entries === null) return `heartbeat, term ${term}`;
      const sent = entries.length === 0 ? 'nothing' : entries.map(entryText).join(', ');
      return `append, term ${term}: after ${place(prevLogIndex, prevLogTerm)} ${sent}; committed ${leaderCommit}`;
    }
    case 'prevote':
      return `pre-vote for term ${request.term}? log ${place(request.lastLogIndex, request.lastLogTerm)}`;
    case 'vote': {
      const why = request.leadershipTransfer ? ', told to take over' : '';
      return `vote in term ${request.term}? log ${place(request.lastLogIndex, request.lastLogTerm)}${why}`;
    }
    case 'snapshot':
      return `snapshot, term ${request.term}: through ${place(request.lastLogIndex, request.lastLogTerm)}`;
    case 'timeoutNow':
      return 'take over';
    case 'validate':
      return `is a block of ${request.payload?.length ?? 0} bytes valid?`;
  }
}

export function responseText(response: RpcResponse): string {
  switch (response.kind) {
    case 'append':
      return `append ${response.success ? 'accepted' : 'refused'}, term ${response.term}, log ended at ${response.lastLog}`;
    case 'prevote':
      return `pre-vote ${response.granted ? 'granted' : 'refused'}, term ${response.term}`;
    case 'vote':
      return `vote ${response.granted ? 'granted' : 'refused'}, term ${response.term}`;
    case 'snapshot':
      return `snapshot ${response.success ? 'installed' : 'refused'}, term ${response.term}`;
    case 'timeoutNow':
      return 'will take over';
    case 'validate':
      return `verdict ${response.verdict}`;
    case 'error':
      return `error: ${response.message}`;
  }
}

export function writeText({ hardState, truncateFrom, entries, compactThrough, snapshot }: WriteBatch): string {
  return [
    hardState && `term ${hardState.term}`,
    hardState?.votedFor && hardState.votedTerm === hardState.term && `vote for ${hardState.votedFor.id}`,
    hardState?.recovering && 'recovering',
    truncateFrom !== undefined && `nothing from ${truncateFrom} on`,
    entries?.map(({ entry }) => entryText(entry)).join(', '),
    compactThrough !== undefined && `nothing through ${compactThrough}`,
    snapshot && `snapshot through ${place(snapshot.meta.index, snapshot.meta.term)}`,
  ]
    .filter((part) => part !== undefined && part !== false && part !== '' && part !== null)
    .join('; ');
}

export function resultText(result: RaftResult): string {
  if (result.kind === 'refused') return `refused, ${result.reason}: ${result.message}`;
  if (result.kind === 'unknown') return `unknown: ${result.reason}`;
  return 'done';
}

/** null for what says again what stands elsewhere in the transcript of server `id`. */
export function noticeText(notice: RaftNotice, id: string): string | null {
  switch (notice.kind) {
    case 'role':
      return `is ${notice.role} in term ${notice.term}: ${notice.reason}`;
    case 'leader':
      if (notice.leaderId === id) return null;
      return notice.leaderId === null ? 'knows no leader' : `follows ${notice.leaderId} in term ${notice.term}`;
    case 'configuration':
      return `${notice.committed ? 'has committed' : 'takes'} ${membersText(notice.configuration.configuration)}`;
    case 'recovered':
      return `has recovered: holds ${place(notice.index, notice.term)}`;
    case 'snapshot':
      return `snapshot ${notice.action}, through ${notice.index}`;
    case 'warning':
      return `warns: ${notice.message}`;
    case 'alarm':
      return `raises ${notice.alarm}`;
    case 'clockJump':
    case 'verdict':
    case 'verdictAsked':
      return null;
  }
}

export function entryText(entry: Entry): string {
  return `${place(entry.index, entry.term)} ${contentText(entry)}`;
}

function contentText({ type, data }: Entry): string {
  if (type === EntryType.noop) return 'no-op';
  if (type === EntryType.barrier) return 'barrier';
  if (type === EntryType.configuration) return membersText(decodeConfiguration(data ?? new Uint8Array()));
  return `"${decoder.decode(data ?? new Uint8Array())}"`;
}

function membersText({ servers }: Configuration): string {
  return `members ${servers.map(({ id, suffrage }) => (suffrage === Suffrage.voter ? id : `(${id})`)).join(' ')}`;
}

/** Index and term. */
function place(index: number, term: number): string {
  return `${index}/${term}`;
}
