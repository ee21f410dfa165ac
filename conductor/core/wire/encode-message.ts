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
        writeMembers(request.configuration);
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
        if (response.kind === 'prevote') writeMembers(response.configuration);
        writer.literal(KEYS.Granted);
        writer.bool(response.granted);
        writeId(response);
        if (response.kind === 'vote') {
          writer.literal(KEYS.Peers);
          writer.nil();
        }
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
  writer.mapHeader(request.peerStatus === undefined ? 3 : 4);
  writeAddress(request);
  writePeerStatus(request.peerStatus);
  writeId(request);
  writeVersion(request);
}

function writeAppend(request: AppendEntriesRequest): void {
  const { entries } = request;
  const { electionTimeoutMs, heartbeatIntervalMs, durableIndex } = request;
  const ours = one(request.peerStatus) + one(electionTimeoutMs) + one(heartbeatIntervalMs) + one(durableIndex);
  writer.mapHeader(9 + ours);
  writeAddress(request);
  writeOptional(KEYS.DurableIndex, durableIndex);
  writeOptional(KEYS.ElectionTimeout, electionTimeoutMs);
  writer.literal(KEYS.Entries);
  if (entries === null) {
    writer.nil();
  } else {
    writer.arrayHeader(entries.length);
    for (const entry of entries) writeEntry(writer, entry);
  }
  writeOptional(KEYS.HeartbeatInterval, heartbeatIntervalMs);
  writePeerStatus(request.peerStatus);
  writeId(request);
  writer.literal(KEYS.Leader);
  writer.text(request.leader);
  writer.literal(KEYS.LeaderCommitIndex);
  writer.unsigned(request.leaderCommit);
  writer.literal(KEYS.PrevLogEntry);
  writer.unsigned(request.prevLogIndex);
  writer.literal(KEYS.PrevLogTerm);
  writer.unsigned(request.prevLogTerm);
  writeVersion(request);
  writeTerm(request.term);
}

function writeAppendResponse(response: AppendEntriesResponse): void {
  writer.text('');
  const { peerStatus, electionTimeoutMs } = response;
  writer.mapHeader(7 + one(peerStatus) + one(electionTimeoutMs));
  writeAddress(response);
  writeOptional(KEYS.ElectionTimeout, electionTimeoutMs);
  writePeerStatus(peerStatus);
  writeId(response);
  writer.literal(KEYS.LastLog);
  writer.unsigned(response.lastLog);
  writer.literal(KEYS.NoRetryBackoff);
  writer.bool(response.noRetryBackoff);
  writeVersion(response);
  writer.literal(KEYS.Success);
  writer.bool(response.success);
  writeTerm(response.term);
}

function writeVote(request: RequestVoteRequest): void {
  writer.mapHeader(8);
  writeAddress(request);
  writer.literal(KEYS.Candidate);
  writer.text(request.candidate);
  writeId(request);
  writeLastLog(request);
  writer.literal(KEYS.LeadershipTransfer);
  writer.bool(request.leadershipTransfer);
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
  writer.literal(KEYS.Configuration);
  writer.bytes(request.configuration);
  writer.literal(KEYS.ConfigurationIndex);
  writer.unsigned(request.configurationIndex);
  writeId(request);
  writeLastLog(request);
  writer.literal(KEYS.Leader);
  writer.text(request.leader);
  writer.literal(KEYS.Peers);
  writer.bytes(request.peers);
  writeVersion(request);
  writer.literal(KEYS.Size);
  writer.signed(request.size);
  writer.literal(KEYS.SnapshotVersion);
  writer.signed(request.snapshotVersion);
  writeTerm(request.term);
  writer.raw(request.data);
}

function writeSnapshotResponse(response: InstallSnapshotResponse): void {
  writer.text(response.error ?? '');
  writer.mapHeader(5);
  writeAddressAndId(response);
  writeVersion(response);
  writer.literal(KEYS.Success);
  writer.bool(response.success);
  writeTerm(response.term);
}

function writeValidate(request: ValidateRequest): void {
  writer.mapHeader(5);
  writeAddressAndId(request);
  writer.literal(KEYS.Payload);
  writer.bytes(request.payload);
  writeVersion(request);
  writeTerm(request.term);
}

function writeValidateResponse(response: ValidateResponse): void {
  writer.text('');
  writer.mapHeader(6);
  writeAddressAndId(response);
  writer.literal(KEYS.Message);
  writer.text(response.message);
  writeVersion(response);
  writeTerm(response.term);
  writer.literal(KEYS.Verdict);
  writer.unsigned(response.verdict);
}

function writeAddress(header: Header): void {
  writer.literal(KEYS.Addr);
  writer.text(header.address);
}

function writeId(header: Header): void {
  writer.literal(KEYS.ID);
  writer.text(header.id);
}

function writeAddressAndId(header: Header): void {
  writeAddress(header);
  writeId(header);
}

function writeVersion(header: Header): void {
  writer.literal(KEYS.ProtocolVersion);
  writer.signed(header.protocolVersion);
}

function writeTerm(term: number): void {
  writer.literal(KEYS.Term);
  writer.unsigned(term);
}

function writeLastLog(request: { readonly lastLogIndex: number; readonly lastLogTerm: number }): void {
  writer.literal(KEYS.LastLogIndex);
  writer.unsigned(request.lastLogIndex);
  writer.literal(KEYS.LastLogTerm);
  writer.unsigned(request.lastLogTerm);
}

function writePeerStatus(peerStatus: Uint8Array | undefined): void {
  if (peerStatus === undefined) return;
  writer.literal(KEYS.Hints);
  writer.bytes(peerStatus);
}

/** How many keys a value takes that may be absent. */
function one(value: unknown): number {
  return value === undefined ? 0 : 1;
}

function writeOptional(key: Uint8Array, value: number | undefined): void {
  if (value === undefined) return;
  writer.literal(key);
  writer.unsigned(value);
}

function writeMembers(configuration: Uint8Array | undefined): void {
  if (configuration === undefined) return;
  writer.literal(KEYS.Configuration);
  writer.bytes(configuration);
}
