/**
 * Requests and responses as hashicorp/raft 1.7 writes them, byte for byte: maps with every key
 * present, sorted by name, header keys among the others. The additions are the keys `Hints` (rule 16),
 * in pre-votes `Configuration` (rule 32), and in heartbeats and their answers the timing of rule 34, written only when
 * the message has them; Go skips keys that it does not know. `validate` (rule 28) is a request of our own, never sent to Go.
 */
import type {
  AppendEntriesRequest,
  AppendEntriesResponse,
  Header,
  InstallSnapshotRequest,
  InstallSnapshotResponse,
  RequestVoteRequest,
  RpcRequest,
  RpcResponse,
  TimeoutNowRequest,
  ValidateRequest,
  ValidateResponse,
} from '../raft/types.ts';
import { KEYS } from './keys.ts';
import { MsgpackWriter } from './msgpack-writer.ts';
import { RPC_TYPE, acceptsVersion } from './rpc-type.ts';
import { WireError } from './wire-error.ts';
import { writeEntry } from './write-entry.ts';

const writer = new MsgpackWriter();

/**
 * The bytes of a request, as chunks to be written one after another: type byte, map, and for a
 * snapshot its raw data. Byte strings of 4 KiB and more are chunks by reference, so they must not
 * be modified until written. Throws WireError 'unencodable' for values outside their documented range.
 */
export function encodeRequest(request: RpcRequest): Uint8Array[] {
  return written(() => {
    writer.byte(RPC_TYPE[request.kind]);
    switch (request.kind) {
      case 'append':
        return writeAppend(request);
      case 'vote':
        return writeVote(request);
      case 'prevote':
        writer.mapHeader(request.configuration === undefined ? 6 : 7);
        writeAddress(request);
        writeOptional(KEYS.Configuration, request.configuration);
        writeId(request);
        writeLastLog(request);
        writeVersion(request);
        return writeTerm(request.term);
      case 'snapshot':
        return writeSnapshot(request);
      case 'timeoutNow':
        return writeTimeoutNow(request);
      case 'validate':
        return writeValidate(request);
    }
  });
}

/** The bytes of a response: error text ("" for none), then the map, or nil after an error without body. Otherwise as encodeRequest. */
export function encodeResponse(response: RpcResponse): Uint8Array[] {
  return written(() => {
    switch (response.kind) {
      case 'error':
        if (response.message === '')
          throw new WireError('unencodable', 'an error response needs a text: an empty one means success');
        writer.text(response.message);
        return writer.nil();
      case 'append':
        return writeAppendResponse(response);
      case 'vote':
      case 'prevote':
        writer.text('');
        writer.mapHeader(response.kind === 'vote' || response.configuration !== undefined ? 6 : 5);
        writeAddress(response);
        if (response.kind === 'prevote') writeOptional(KEYS.Configuration, response.configuration);
        writer.key(KEYS.Granted).bool(response.granted);
        writeId(response);
        if (response.kind === 'vote') writer.key(KEYS.Peers).nil();
        writeVersion(response);
        return writeTerm(response.term);
      case 'snapshot':
        return writeSnapshotResponse(response);
      case 'timeoutNow':
        writer.text('');
        writer.mapHeader(3);
        writeAddressAndId(response);
        return writeVersion(response);
      case 'validate':
        return writeValidateResponse(response);
    }
  });
}

function written(write: () => void): Uint8Array[] {
  try {
    write();
    return writer.finish();
  } catch (error) {
    writer.reset();
    throw error;
  }
}

function writeTimeoutNow(request: TimeoutNowRequest): void {
  const { peerStatus, term } = request;
  writer.mapHeader(3 + one(peerStatus) + one(term));
  writeAddress(request);
  writeOptional(KEYS.Hints, peerStatus);
  writeId(request);
  writeVersion(request);
  writeOptional(KEYS.Term, term);
}

function writeAppend(request: AppendEntriesRequest): void {
  const { entries } = request;
  const { electionTimeoutMs, heartbeatIntervalMs, durableIndex } = request;
  const ours = one(request.peerStatus) + one(electionTimeoutMs) + one(heartbeatIntervalMs) + one(durableIndex);
  writer.mapHeader(9 + ours);
  writeAddress(request);
  writeOptional(KEYS.DurableIndex, durableIndex);
  writeOptional(KEYS.ElectionTimeout, electionTimeoutMs);
  writer.key(KEYS.Entries);
  if (entries === null) writer.nil();
  else {
    writer.arrayHeader(entries.length);
    for (const entry of entries) writeEntry(writer, entry);
  }
  writeOptional(KEYS.HeartbeatInterval, heartbeatIntervalMs);
  writeOptional(KEYS.Hints, request.peerStatus);
  writeId(request);
  writer.key(KEYS.Leader).text(request.leader);
  writer.key(KEYS.LeaderCommitIndex).unsigned(request.leaderCommit);
  writer.key(KEYS.PrevLogEntry).unsigned(request.prevLogIndex);
  writer.key(KEYS.PrevLogTerm).unsigned(request.prevLogTerm);
  writeVersion(request);
  writeTerm(request.term);
}

function writeAppendResponse(response: AppendEntriesResponse): void {
  writer.text('');
  const { peerStatus, electionTimeoutMs } = response;
  writer.mapHeader(7 + one(peerStatus) + one(electionTimeoutMs));
  writeAddress(response);
  writeOptional(KEYS.ElectionTimeout, electionTimeoutMs);
  writeOptional(KEYS.Hints, peerStatus);
  writeId(response);
  writer.key(KEYS.LastLog).unsigned(response.lastLog);
  writer.key(KEYS.NoRetryBackoff).bool(response.noRetryBackoff);
  writeVersion(response);
  writer.key(KEYS.Success).bool(response.success);
  writeTerm(response.term);
}

function writeVote(request: RequestVoteRequest): void {
  writer.mapHeader(8);
  writeAddress(request);
  writer.key(KEYS.Candidate).text(request.candidate);
  writeId(request);
  writeLastLog(request);
  writer.key(KEYS.LeadershipTransfer).bool(request.leadershipTransfer);
  writeVersion(request);
  writeTerm(request.term);
}

function writeSnapshot(request: InstallSnapshotRequest): void {
  if (request.data.length !== request.size && (acceptsVersion(request.protocolVersion) || request.data.length !== 0)) {
    throw new WireError(
      'unencodable',
      `a snapshot of ${request.data.length} bytes was announced as ${request.size}: the peer would lose its place in the stream`,
    );
  }
  writer.mapHeader(12);
  writeAddress(request);
  writer.key(KEYS.Configuration).bytes(request.configuration);
  writer.key(KEYS.ConfigurationIndex).unsigned(request.configurationIndex);
  writeId(request);
  writeLastLog(request);
  writer.key(KEYS.Leader).text(request.leader);
  writer.key(KEYS.Peers).bytes(request.peers);
  writeVersion(request);
  writer.key(KEYS.Size).signed(request.size);
  writer.key(KEYS.SnapshotVersion).signed(request.snapshotVersion);
  writeTerm(request.term);
  writer.raw(request.data);
}

function writeSnapshotResponse(response: InstallSnapshotResponse): void {
  writer.text(response.error ?? '');
  writer.mapHeader(5);
  writeAddressAndId(response);
  writeVersion(response);
  writer.key(KEYS.Success).bool(response.success);
  writeTerm(response.term);
}

function writeValidate(request: ValidateRequest): void {
  writer.mapHeader(5);
  writeAddressAndId(request);
  writer.key(KEYS.Payload).bytes(request.payload);
  writeVersion(request);
  writeTerm(request.term);
}

function writeValidateResponse(response: ValidateResponse): void {
  writer.text('');
  writer.mapHeader(6);
  writeAddressAndId(response);
  writer.key(KEYS.Message).text(response.message);
  writeVersion(response);
  writeTerm(response.term);
  writer.key(KEYS.Verdict).unsigned(response.verdict);
}

function writeAddress(header: Header): void {
  writer.key(KEYS.Addr).text(header.address);
}

function writeId(header: Header): void {
  writer.key(KEYS.ID).text(header.id);
}

function writeAddressAndId(header: Header): void {
  writeAddress(header);
  writeId(header);
}

function writeVersion(header: Header): void {
  writer.key(KEYS.ProtocolVersion).signed(header.protocolVersion);
}

function writeTerm(term: number): void {
  writer.key(KEYS.Term).unsigned(term);
}

function writeLastLog(request: { readonly lastLogIndex: number; readonly lastLogTerm: number }): void {
  writer.key(KEYS.LastLogIndex).unsigned(request.lastLogIndex);
  writer.key(KEYS.LastLogTerm).unsigned(request.lastLogTerm);
}

/** How many keys a value takes that may be absent. */
function one(value: unknown): number {
  return value === undefined ? 0 : 1;
}

function writeOptional(key: Uint8Array, value: number | Uint8Array | undefined): void {
  if (typeof value === 'number') writer.key(key).unsigned(value);
  else if (value !== undefined) writer.key(key).bytes(value);
}
