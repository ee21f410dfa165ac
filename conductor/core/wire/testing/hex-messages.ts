/** Small messages written by hand in hex, for tests of forms that no encoder of ours makes. */
import type { AppendEntriesRequest, RpcRequest, RpcResponse } from '../../raft/types.ts';
import { RequestDecoder, ResponseDecoder } from '../decode-message.ts';
import type { WireLimits } from '../limits.ts';

/** What an append is whose keys are all missing. */
export const ZERO_APPEND: AppendEntriesRequest = {
  kind: 'append',
  protocolVersion: 0,
  id: null,
  address: null,
  term: 0,
  leader: null,
  prevLogIndex: 0,
  prevLogTerm: 0,
  entries: null,
  leaderCommit: 0,
};

/** Hex of a key. */
export function key(name: string): string {
  return (0xa0 + name.length).toString(16) + new TextEncoder().encode(name).toHex();
}

/** An append with this one field. */
export function field(name: string, valueHex: string): string {
  return `0081${key(name)}${valueHex}`;
}

/** An append with one entry that has this one field. */
export function entryField(name: string, valueHex: string): string {
  return `0081${key('Entries')}9181${key(name)}${valueHex}`;
}

/** The first request of these bytes; null if it is not complete. */
export function decode(hex: string, limits?: Partial<WireLimits>): RpcRequest | null {
  const decoder = new RequestDecoder(limits);
  decoder.push(Uint8Array.fromHex(hex));
  return decoder.next();
}

/** The first response of these bytes; null if it is not complete. */
export function respond(hex: string, kind: RpcRequest['kind']): RpcResponse | null {
  const decoder = new ResponseDecoder();
  decoder.push(Uint8Array.fromHex(hex));
  return decoder.next(kind);
}
