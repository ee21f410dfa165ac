/**
 * The byte in front of a request that says which of hashicorp's five RPCs follows, or which of our own, and what the
 * protocol version in its header means for reading it.
 */
import type { RpcRequest } from '../raft/types.ts';

/**
 * Request kind → type byte; `prevote` exists since hashicorp/raft 1.7. `validate` is our own, far from where another of
 * hashicorp's would come.
 */
export const RPC_TYPE: Readonly<Record<RpcRequest['kind'], number>> = {
  append: 0,
  vote: 1,
  snapshot: 2,
  timeoutNow: 3,
  prevote: 4,
  validate: 64,
};

/** Type byte → request kind; any other byte is no RPC. */
export const RPC_KINDS: ReadonlyMap<number, RpcRequest['kind']> = new Map(
  Object.entries(RPC_TYPE).map(([kind, type]) => [type, kind as RpcRequest['kind']]),
);

/** The first byte of every TLS connection, and of no request. */
export const TLS_HANDSHAKE = 0x16;

/** Lowest and highest header version that a server of protocol version 3 accepts. */
const VERSION_MIN = 2;
const VERSION_MAX = 3;

/**
 * Will the header check let a request of this protocol version through? A snapshot request that it
 * refuses is answered before its bytes are read, so those bytes are no part of the message.
 */
export function acceptsVersion(protocolVersion: number): boolean {
  return protocolVersion >= VERSION_MIN && protocolVersion <= VERSION_MAX;
}
