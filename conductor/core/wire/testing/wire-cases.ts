/** The cases of raft-wire.json, and their decoded halves as messages of the core. */
import type { Configuration, Entry, RpcRequest, RpcResponse } from '../../raft/types.ts';

/** One request and its response, as the file holds them. */
export interface WireCase {
  readonly name: string;
  readonly rpc: string;
  readonly requestHex: string;
  readonly requestHeaderBytes: number;
  readonly request: Json | null;
  readonly responseHex: string | null;
  readonly responseError: string | null;
  readonly response: Json | null;
  readonly closedByNode?: boolean;
}

type Json = Record<string, unknown>;

/** Parses the file's text; captured cases first, then those made by hand. */
export function parseWireCases(text: string): WireCase[] {
  const { betweenNodes, byHand } = JSON.parse(text) as Record<'betweenNodes' | 'byHand', { cases: WireCase[] }>;
  return [...betweenNodes.cases, ...byHand.cases];
}

/** RPC name of the file → kind of the core. */
export const KINDS: Readonly<Record<string, RpcRequest['kind']>> = {
  AppendEntries: 'append',
  RequestVote: 'vote',
  RequestPreVote: 'prevote',
  InstallSnapshot: 'snapshot',
  TimeoutNow: 'timeoutNow',
};

/** The request that the file says it is; `data` are the bytes behind a snapshot's map. */
export function expectedRequest(rpc: string, json: Json, data: Uint8Array): RpcRequest {
  const header = headerOf(json);
  const number = (key: string) => json[key] as number;
  const text = (key: string) => json[key] as string | null;
  const lastLog = { lastLogIndex: number('LastLogIndex'), lastLogTerm: number('LastLogTerm') };
  switch (KINDS[rpc]) {
    case 'append':
      return {
        kind: 'append',
        ...header,
        term: number('Term'),
        leader: text('Leader'),
        prevLogIndex: number('PrevLogEntry'),
        prevLogTerm: number('PrevLogTerm'),
        entries: (json['Entries'] as Json[] | null)?.map(expectedEntry) ?? null,
        leaderCommit: number('LeaderCommitIndex'),
      };
    case 'vote':
      return {
        kind: 'vote',
        ...header,
        ...lastLog,
        term: number('Term'),
        candidate: text('Candidate'),
        leadershipTransfer: json['LeadershipTransfer'] as boolean,
      };
    case 'prevote':
      return { kind: 'prevote', ...header, ...lastLog, term: number('Term') };
    case 'snapshot':
      return {
        kind: 'snapshot',
        ...header,
        ...lastLog,
        snapshotVersion: number('SnapshotVersion'),
        term: number('Term'),
        leader: text('Leader'),
        peers: bytesOf(json['Peers']),
        configuration: bytesOf(json['Configuration']),
        configurationIndex: number('ConfigurationIndex'),
        size: number('Size'),
        data,
      };
    case 'timeoutNow':
      return { kind: 'timeoutNow', ...header };
    default:
      throw new Error(`raft-wire.json has a request of the unknown RPC ${rpc}`);
  }
}

/** The response that the file says it is. */
export function expectedResponse(wireCase: WireCase): RpcResponse {
  const { rpc, response: json, responseError } = wireCase;
  if (json === null) return { kind: 'error', message: responseError! };
  const header = headerOf(json);
  const term = json['Term'] as number;
  const success = json['Success'] as boolean;
  const kind = KINDS[rpc]!;
  switch (kind) {
    case 'append':
      return {
        kind,
        ...header,
        term,
        success,
        lastLog: json['LastLog'] as number,
        noRetryBackoff: json['NoRetryBackoff'] as boolean,
      };
    case 'vote':
    case 'prevote':
      return { kind, ...header, term, granted: json['Granted'] as boolean };
    case 'snapshot':
      return { kind, ...header, term, success, ...(responseError ? { error: responseError } : {}) };
    case 'timeoutNow':
      return { kind, ...header };
    default:
      throw new Error(`raft-wire.json has a response of the unknown RPC ${rpc}`);
  }
}

/** A configuration as the file writes it. */
export function expectedConfiguration(json: unknown): Configuration {
  const servers = json as { Address: string; ID: string; Suffrage: number }[];
  return {
    servers: servers.map(({ Address, ID, Suffrage }) => ({
      id: ID,
      address: Address,
      suffrage: Suffrage === 0 ? 0 : 1,
    })),
  };
}

/** Hex of the file, null for nil. */
export function bytesOf(hex: unknown): Uint8Array | null {
  return hex === null ? null : Uint8Array.fromHex(hex as string);
}

function expectedEntry(json: Json): Entry {
  return {
    index: json['Index'] as number,
    term: json['Term'] as number,
    type: json['Type'] as number,
    data: bytesOf(json['Data']),
    extensions: bytesOf(json['Extensions']),
    appendedAt: bytesOf(json['AppendedAtBinary'])!,
  };
}

function headerOf(json: Json) {
  return {
    protocolVersion: json['ProtocolVersion'] as number,
    id: json['ID'] as string | null,
    address: json['Addr'] as string | null,
  };
}
