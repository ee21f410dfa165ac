/**
 * One connection of the HTTP server: bytes to requests, one request at a time, answers in order. A
 * client that sends ahead is read no further than a bound until its earlier requests are answered.
 */
import type { Guest } from './body-room.ts';
import { pacedBytesMin, steppedBytesMin } from './body-turns.ts';
import type { ByteSocket, ConnectionHost, ConnectionState, HttpRequest } from './connection-host.ts';
import { plainRefusal, renderReply, type HttpReply, type Persistence } from './reply.ts';
import { RequestBody } from './request-body.ts';
import { HeadReader, type RequestHead } from './request-head.ts';

/** Bytes read ahead while a request is being answered; then the socket is paused. */
const aheadBytesMax = 64 * 1024;
/** Rests of a chunk smaller than half of it and this, in bytes, are copied. */
const restBytesMin = 16 * 1024;
/** Requests answered in one turn of the event loop before others get theirs. */
const requestsPerTurn = 32;

const nothing: Buffer = Buffer.alloc(0);

export class HttpConnection implements Guest {
  readonly #socket: ByteSocket;
  readonly #host: ConnectionHost;
  readonly #from: string;
  readonly #heads = new HeadReader();
  #pending: Buffer = nothing;
  #head: RequestHead | null = null;
  #body: RequestBody | null = null;
  #unsent: Buffer = nothing;
  #closesAfter = false;
  #hasEnded = false;
  #isPaused = false;
  /** Whole requests may be waiting: they are served in the next turn. */
  #isYielding = false;
  /** Has room for its body, or waits for it. */
  #isGuest = false;
  roomBytes = 0;
  state: ConnectionState = 'idle';
  /** When the server's patience ends; the server's own bookkeeping. */
  deadlineMs = Infinity;

  constructor(socket: ByteSocket, host: ConnectionHost) {
    this.#socket = socket;
    this.#host = host;
    this.#from = socket.remoteAddress ?? '';
  }

  get bodyBytes(): number {
    return this.#isGuest ? 0 : (this.#body?.reservedBytes ?? 0);
  }

  get arrivedBytes(): number | null {
    return this.state === 'answering' ? null : (this.#body?.bytes.length ?? 0);
  }

  /** There is room now. */
  admitted(): void {
    this.#enter('reading');
    this.#serve();
  }

  evicted(): void {
    this.#host.evict(this);
  }

  get unsentBytes(): number {
    return this.state === 'writing' ? this.#unsent.buffer.byteLength + this.#pending.length : 0;
  }

  receive(chunk: Buffer): void {
    if (this.state === 'lingering' || this.state === 'closed') return;
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    if (this.#isReadable() && !this.#isYielding) return this.#serve();
    if (!this.#isPaused && this.#pending.length > aheadBytesMax) {
      this.#isPaused = true;
      this.#socket.pause();
    }
    if (this.state === 'writing') this.#host.holdsMore();
  }

  /** Whether bytes of this chunk are still to be read; no others are looked at again. */
  holds(chunk: Buffer): boolean {
    return this.#pending.length > 0 && this.#pending.buffer === chunk.buffer;
  }

  /** The client will send nothing more. */
  ended(): void {
    this.#hasEnded = true;
    if (this.state === 'lingering') this.close();
    else if (this.#isReadable() && !this.#isYielding) this.#serve();
  }

  /** The socket takes bytes again. */
  drained(): void {
    if (this.state !== 'writing') return;
    const written = Math.max(0, this.#socket.write(this.#unsent));
    this.#unsent = this.#unsent.subarray(written);
    if (this.#unsent.length > 0) return;
    this.#unsent = nothing;
    this.#replied();
    if (this.#isReadable()) this.#serve();
  }

  /** The socket is gone, whoever closed it. */
  closed(): void {
    if (this.state === 'closed') return;
    // What is being worked on keeps its room until that has ended.
    if (this.state !== 'answering') this.#leaveRoom();
    this.#pending = nothing;
    this.#unsent = nothing;
    this.#enter('closed');
  }

  /** Ends the connection now; a client in the middle of a request is told why. */
  close(refusal?: HttpReply): void {
    if (this.state === 'closed') return;
    if (refusal !== undefined && (this.state === 'reading' || this.state === 'waiting')) {
      this.#socket.write(renderReply(refusal, 'closed', false));
    }
    if (this.state === 'writing') this.#socket.terminate();
    else this.#socket.end();
    this.closed();
  }

  /** No further request is read after the one under way. */
  closeWhenIdle(): void {
    this.#closesAfter = true;
    if (this.#isReadable() || this.state === 'waiting') this.close();
  }

  /** Serves what has been read, then waits for more; others get their turn after a number of requests. */
  #serve(): void {
    for (let served = 0; served < requestsPerTurn; served += 1) {
      const request = this.#nextRequest();
      if (request === null) return this.#await();
      if (request !== 'refused') this.#answer(request);
      if (!this.#isReadable()) return;
    }
    this.#isYielding = true;
    setImmediate(() => {
      this.#isYielding = false;
      if (this.#isReadable()) this.#serve();
    });
  }

  /** All that has been read is served: the next bytes are the client's turn. */
  #await(): void {
    if (!this.#isReadable()) return;
    if (this.#hasEnded) return this.close();
    if (this.state === 'idle' && (this.#pending.length > 0 || this.#head !== null)) this.#enter('reading');
    // A small rest must not keep the whole chunk in memory.
    if (this.#pending.buffer.byteLength > 2 * this.#pending.length + restBytesMin)
      this.#pending = Buffer.from(this.#pending);
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket.resume();
  }

  /** Begins the answer: now, or where the body is not small and this turn has read another, in a later turn. */
  #answer(request: HttpRequest): void {
    const { turns } = this.#host;
    this.#enter('answering');
    if (request.body.length < pacedBytesMin || turns.take()) {
      const reply = this.#host.answer(request);
      if (!(reply instanceof Promise)) this.#send(reply);
      else this.#resumeWith(reply);
      return;
    }
    // Bytes that lie in what the socket delivered are valid in this turn only.
    const kept = this.#body === null ? { ...request, body: Buffer.from(request.body) } : request;
    turns.queue(() => {
      if (this.state === 'answering') this.#resumeWith(this.#host.answer(kept));
      else this.#leaveRoom();
    });
  }

  #resumeWith(reply: HttpReply | Promise<HttpReply>): void {
    if (!(reply instanceof Promise)) return this.#resume(reply);
    reply.then(
      (outcome) => this.#resume(outcome),
      () => this.#resume(plainRefusal(500, 'internal error')),
    );
  }

  #resume(reply: HttpReply): void {
    if (this.state !== 'answering') return this.#leaveRoom(); // The client is gone.
    this.#send(reply);
    if (this.#isReadable()) this.#serve();
  }

  #leaveRoom(): void {
    this.#body?.release();
    this.#body = null;
    if (!this.#isGuest) return;
    this.#isGuest = false;
    this.#host.room.leave(this);
  }

  /** Whether the body may go on arriving; if not, it waits for room. */
  #hasRoom(length: number | 'chunked', body: RequestBody): boolean {
    if (this.#isGuest) return true;
    if ((length === 'chunked' ? body.bytes.length : length) <= this.#host.roomlessBytesMax) return true;
    this.roomBytes = length === 'chunked' ? this.#host.bodyBytesMax : length;
    this.#isGuest = true;
    if (this.#host.room.enter(this)) return true;
    this.#enter('waiting');
    this.#isPaused = true;
    this.#socket.pause();
    return false;
  }

  #isReadable(): boolean {
    return this.state === 'idle' || this.state === 'reading';
  }

  /** The next whole request; 'refused' when its head was enough to answer it; null when more bytes are needed. */
  #nextRequest(): HttpRequest | 'refused' | null {
    if (this.#pending.length === 0) return null;
    const head = this.#head ?? this.#readHead();
    if (head === null || head === 'refused') return head;
    const whole = this.#wholeBody(head);
    if (whole !== null) return this.#complete(head, whole);
    if (this.state === 'idle') this.#enter('reading');
    const body = (this.#body ??= new RequestBody(head.length, this.#host.bodyBytesMax));
    if (!this.#hasRoom(head.length, body)) return null;
    const heldBytes = body.reservedBytes;
    this.#pending = this.#pending.subarray(body.feed(this.#pending, 0));
    if (body.reservedBytes > heldBytes) this.#host.holdsMore();
    if (!this.#isReadable()) return null; // Closed to make room.
    if (body.state === 'done') return this.#complete(head, body.bytes);
    if (body.state === 'malformed') this.#refuse(plainRefusal(400, 'malformed chunk'));
    else if (body.state === 'too-large') this.#refuse(this.#host.tooLarge(null));
    else this.#pending = nothing;
    return null;
  }

  #complete(head: RequestHead, body: Buffer): HttpRequest {
    this.#closesAfter ||= !head.isKeptAlive;
    return {
      ...head,
      body,
      from: this.#from,
      release: () => this.#body?.release(),
      nextTurn: body.length > steppedBytesMin ? () => new Promise((resolve) => this.#host.turns.queue(resolve)) : null,
    };
  }

  /** The body where all of it lies in what was read: most requests come in one piece. */
  #wholeBody({ length }: RequestHead): Buffer | null {
    if (length === 'chunked' || this.#body !== null || this.#pending.length < length) return null;
    const body = this.#pending.subarray(0, length);
    this.#pending = this.#pending.length === length ? nothing : this.#pending.subarray(length);
    return body;
  }

  #readHead(): RequestHead | 'refused' | null {
    const read = this.#heads.read(this.#pending);
    if (read === null) return null;
    if ('status' in read) {
      this.#refuse(plainRefusal(read.status, read.why));
      return null;
    }
    const head = (this.#head = read.head);
    this.#pending = this.#pending.subarray(read.size);
    const early = this.#host.begin(head);
    if (early === null) {
      if (head.wantsContinue && this.#pending.length === 0) this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      return head;
    }
    this.#closesAfter ||= !head.isKeptAlive;
    if (this.#wholeBody(head) === null) this.#refuse(early);
    else this.#send(early);
    return 'refused';
  }

  #send(reply: HttpReply): void {
    const head = this.#head;
    const isHead = head?.method === 'HEAD';
    const text = renderReply(reply, this.#persistence(), isHead);
    const written = this.#socket.write(text);
    this.#head = null;
    this.#leaveRoom();
    if (written >= Buffer.byteLength(text)) return this.#replied();
    this.#unsent = Buffer.from(text).subarray(Math.max(0, written));
    this.#enter('writing');
    this.#host.holdsMore();
  }

  #persistence(): Persistence {
    if (this.#closesAfter) return 'closed';
    return this.#head?.isOld === true ? 'kept-old' : 'kept';
  }

  /** The reply is out. */
  #replied(): void {
    if (this.#closesAfter) return this.#linger();
    this.#enter(this.#pending.length === 0 ? 'idle' : 'reading');
  }

  /** Replies and reads no further request; what else comes is thrown away, or the client might never see the reply. */
  #refuse(reply: HttpReply): void {
    this.#closesAfter = true;
    this.#send(reply);
  }

  #linger(): void {
    this.#pending = nothing;
    if (this.#hasEnded) return this.close();
    this.#enter('lingering');
    this.#socket.shutdown();
  }

  #enter(state: ConnectionState): void {
    this.state = state;
    this.#host.stateChanged(this);
  }
}
