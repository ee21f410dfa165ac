/**
 * Reads requests and responses from a connection, whose bytes come in any pieces: push what
 * arrived, then call next until it returns null. Whatever a Go peer would close the connection
 * for is a WireError, and so is what is over a limit; the decoder then stays failed.
 */
import type { ErrorResponse, InstallSnapshotRequest, RpcRequest, RpcResponse } from '../raft/types.ts';
import { ByteQueue } from './byte-queue.ts';
import { Collector } from './collector.ts';
import { DEFAULT_WIRE_LIMITS, type WireLimits } from './limits.ts';
import { MsgpackHead } from './msgpack-head.ts';
import { REQUEST_SCHEMAS } from './request-schemas.ts';
import { RESPONSE_SCHEMAS } from './response-schemas.ts';
import { acceptsVersion, RPC_KINDS, TLS_HANDSHAKE } from './rpc-type.ts';
import type { Field } from './schema.ts';
import { StructReader } from './struct-reader.ts';
import { decodeUtf8Lossy, encodeUtf8 } from './utf8.ts';
import { PENDING, ValueReader } from './value-reader.ts';
import { WireError } from './wire-error.ts';

/** The first value of a response. Shown to people only, so it need not be UTF-8. */
const ERROR_TEXT: Field = {
  key: encodeUtf8('error text'),
  property: null,
  kind: 'bytes',
  limit: 'stringBytesMax',
  element: null,
  optional: false,
};

/** What both decoders share: the input, its accounting, and staying failed. */
abstract class MessageDecoder {
  protected readonly queue = new ByteQueue();
  protected readonly limits: WireLimits;
  protected readonly structs: StructReader;
  /** Bytes of all messages returned so far. */
  #delivered = 0;
  #failure: WireError | null = null;

  constructor(limits: Partial<WireLimits> = {}) {
    this.limits = { ...DEFAULT_WIRE_LIMITS, ...limits };
    this.structs = new StructReader(this.queue, this.limits);
  }

  /** Bytes that arrived and are not part of a returned message; what the decoder holds is a small multiple of it. */
  get bufferedBytes(): number {
    return this.queue.consumed + this.queue.available - this.#delivered;
  }

  /** Adds bytes as they arrived. The chunk must not be modified while `holds` says so. */
  push(chunk: Uint8Array): void {
    this.queue.push(chunk);
  }

  /** Whether the chunk must stay as it is, for bytes of it are still to be read; messages hold none of it. */
  holds(chunk: Uint8Array): boolean {
    return this.queue.holds(chunk);
  }

  /** Runs one step of the message in progress; keeps the books. */
  protected step<T>(read: () => T | null): T | null {
    if (this.#failure !== null) throw this.#failure;
    try {
      const message = read();
      if (message === null) this.queue.settle();
      else this.#delivered = this.queue.consumed;
      return message;
    } catch (error) {
      if (error instanceof WireError) this.#failure = error;
      throw error;
    }
  }
}

/** Decodes the requests that arrive on one inbound connection. */
export class RequestDecoder extends MessageDecoder {
  #kind: RpcRequest['kind'] | null = null;
  /** A snapshot request whose raw bytes are being read. */
  #snapshot: InstallSnapshotRequest | null = null;
  #snapshotBytes: Collector | null = null;

  /**
   * The next complete request, or null if more bytes are needed. A snapshot request comes with all its
   * bytes; but one whose protocol version the header check refuses (not 2 or 3) comes at once with
   * empty data, as Go answers it without reading them. Throws WireError.
   */
  next(): RpcRequest | null {
    return this.step(this.#read);
  }

  readonly #read = (): RpcRequest | null => {
    if (this.#snapshot !== null) return this.#readSnapshotBytes(this.#snapshot);
    if (this.#kind === null) {
      if (this.queue.available === 0) return null;
      const type = this.queue.bytes[this.queue.position]!;
      const kind = RPC_KINDS.get(type);
      if (kind === undefined) throw new WireError('unknown-type', beginning(type));
      this.queue.position += 1;
      this.#kind = kind;
      this.structs.begin(REQUEST_SCHEMAS[kind]);
    }
    const request = this.structs.advance() as RpcRequest | null;
    if (request === null) return null;
    this.#kind = null;
    return request.kind === 'snapshot' ? this.#beginSnapshot(request) : request;
  };

  #beginSnapshot(request: InstallSnapshotRequest): RpcRequest | null {
    if (!acceptsVersion(request.protocolVersion)) return request;
    const { size } = request;
    if (size < 0) throw new WireError('out-of-range', `a snapshot of ${size} bytes`);
    if (size > this.limits.snapshotBytesMax) {
      throw new WireError(
        'over-limit',
        `a snapshot of ${size} bytes is above the limit of ${this.limits.snapshotBytesMax}`,
      );
    }
    this.#snapshot = request;
    this.#snapshotBytes = new Collector(size);
    return this.#readSnapshotBytes(request);
  }

  #readSnapshotBytes(request: InstallSnapshotRequest): RpcRequest | null {
    const bytes = this.#snapshotBytes!;
    if (!bytes.advance(this.queue)) return null;
    this.#snapshot = null;
    this.#snapshotBytes = null;
    return { ...request, data: bytes.result };
  }
}

/** Decodes the responses that arrive on one outbound connection, in the order of its requests. */
export class ResponseDecoder extends MessageDecoder {
  readonly #values = new ValueReader(this.queue, new MsgpackHead(), this.limits);
  /** Error text of the response in progress; null while it has not been read. */
  #error: string | null = null;
  #isBodyBegun = false;

  /**
   * The next complete response, or null if more bytes are needed. `kind` is that of the request it
   * answers, the same until the response is complete. An error text without a body, or with one that
   * has no place for it, becomes `{ kind: 'error' }`; a snapshot's body carries it. Throws WireError.
   */
  next(kind: RpcRequest['kind']): RpcResponse | null {
    return this.step(() => this.#read(kind));
  }

  #read(kind: RpcRequest['kind']): RpcResponse | null {
    if (this.#error === null) {
      const text = this.#values.read(ERROR_TEXT);
      if (text === PENDING) return null;
      this.#error = text === null ? '' : decodeUtf8Lossy(text as Uint8Array);
    }
    if (!this.#isBodyBegun) {
      this.structs.begin(RESPONSE_SCHEMAS[kind]);
      this.#isBodyBegun = true;
    }
    const body = this.structs.advance() as Exclude<RpcResponse, ErrorResponse> | null;
    if (body === null) return null;
    const error = this.#error;
    this.#error = null;
    this.#isBodyBegun = false;
    if (error === '') return body;
    if (this.structs.wasNil || body.kind !== 'snapshot') return { kind: 'error', message: error };
    return { ...body, error };
  }
}

/** What begins with a byte that no request begins with, for the log. */
function beginning(type: number): string {
  if (type === TLS_HANDSHAKE) return 'a TLS handshake, on a port that has no certificate and takes plain text only';
  return `a request begins with ${type}, which is no RPC`;
}
