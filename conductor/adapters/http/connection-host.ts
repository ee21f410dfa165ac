/** What a connection of the HTTP server needs around it: a socket below, a server behind. */
import type { BodyRoom } from './body-room.ts';
import type { BodyTurns } from './body-turns.ts';
import type { HttpReply } from './reply.ts';
import type { RequestHead } from './request-head.ts';

/** A whole request. */
export interface HttpRequest extends RequestHead {
  /** Valid until `release`, or until the answer is begun; where `nextTurn` is null, until `answer` returns. */
  readonly body: Buffer;
  /** Gives back the memory of the body. */
  release(): void;
  /** Resolves in a turn of the event loop that reads no other large body; null for a body that is not large. */
  readonly nextTurn: (() => Promise<void>) | null;
  /** Address of the client; '' when it is gone. */
  readonly from: string;
}

/** A connection as its server sees it. */
export interface StatefulConnection {
  readonly state: ConnectionState;
  /** When the server's patience ends; the server's own bookkeeping. */
  deadlineMs: number;
  /** Memory held for a body that is arriving, in bytes; 0 once closed, or where it has room of its own. */
  readonly bodyBytes: number;
  /** Memory held because the client does not read its answer, in bytes; 0 once closed. */
  readonly unsentBytes: number;
  /** Ends it now; a client in the middle of a request is told why. */
  close(refusal?: HttpReply): void;
  /** No further request is read after the one under way. */
  closeWhenIdle(): void;
}

/** What the server behind a connection decides. */
export interface ConnectionHost {
  readonly bodyBytesMax: number;
  /** Bodies that may become larger need room. */
  readonly roomlessBytesMax: number;
  readonly room: BodyRoom;
  readonly turns: BodyTurns;
  /** The reply to a request that needs no body, or null to read the body. */
  begin(head: RequestHead): HttpReply | null;
  answer(request: HttpRequest): HttpReply | Promise<HttpReply>;
  tooLarge(bytes: number | null): HttpReply;
  /** A body was too slow while others waited for its room. */
  evict(connection: StatefulConnection): void;
  /** The connection now waits for the client ('reading', 'idle'), works, or waits for its bytes to go out. */
  stateChanged(connection: StatefulConnection): void;
  /** The connection holds more memory than before. Others, or itself, may be closed before this returns. */
  holdsMore(): void;
}

/** The parts of a socket that are used. */
export interface ByteSocket {
  readonly remoteAddress: string;
  write(data: string | Uint8Array): number;
  end(): unknown;
  shutdown(): unknown;
  terminate(): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** 'waiting': for room, its socket unread. 'lingering': the last reply is out, and what the client still sends is thrown away. */
export type ConnectionState = 'idle' | 'reading' | 'waiting' | 'answering' | 'writing' | 'lingering' | 'closed';
