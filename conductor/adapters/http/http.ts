/**
 * The JSON-RPC service as a Hono app: HTTP forms, status codes and headers as the server we replace (geth's rpc),
 * with bodies and answers bounded. Calls of a batch run in order; /healthz and /readyz answer probes.
 */
import { Hono } from 'hono';
import { answerBatch, answerItem } from '#conductor/core/rpc/dispatch';
import type { Logger } from '#conductor/core/ports';
import type { Call, Outcome } from '#conductor/core/rpc/message';
import { readBody, readBodySteps, type ReadBody } from '#conductor/core/rpc/read-body';
import type { ReceivedBody } from './arrival.ts';
import { ArrivingBodies } from './arriving-bodies.ts';
import { batchTurns } from './batch-turns.ts';
import type { ArrivalTimes } from './arrival-times.ts';
import { binaryCommits } from './binary-commit.ts';
import { answerUnread, isProbe, tooLarge } from './body-limit.ts';
import { BodyTurns, pacedBytesMin, steppedBytesMin } from './body-turns.ts';
import { Caller, identifier, runCall, type CallOptions } from './calls.ts';
import { elsewhere, jsonInitFor, landing, plain, probes, type PageFacts } from './pages.ts';
import { idleSeconds, listenHttp, pathOf, type HttpEnv, type HttpListener } from './server.ts';
import { UnreadAnswers } from './unread-answers.ts';
import type { EventRing } from '../events/event-ring.ts';
import { EventStreams } from '../events/event-stream.ts';
import { callerAddress } from '../system/every-interface.ts';
import { refusal } from './well-formed.ts';

export interface HttpOptions extends CallOptions, PageFacts {
  readonly hostname: string;
  readonly port: number;
  readonly bodyBytesMax: number;
  readonly batchItemsMax: number;
  /** What this conductor publishes; absent: there is no such page. */
  readonly events?: EventRing;
  /** Monotonic milliseconds, for deadlines of bodies and answers; the runtime's by default. */
  readonly now?: () => number;
  /** Is told of a node that posts to a path that is not served; absent: nobody is. */
  readonly logger?: Logger;
}

/** Memory for answers that clients do not read, in bytes; one alone, as a proxied block, may be larger. */
const unreadBytesMax = 32 * 1024 * 1024;

/** Starts the server; throws when the port is taken. */
export function serveHttp(options: HttpOptions): HttpListener {
  const service = new JsonRpcService(options);
  const refused = (status: number): void => service.refused(status);
  const app = new Hono<HttpEnv>({ getPath: pathOf });
  app.onError(() => {
    refused(500);
    return plain(500, 'internal error\n');
  });
  app.route('/', probes(options));
  app.get('/events', ({ req: { raw }, env }) => service.events(raw, env));
  // One handler and no middleware: Hono then joins nothing, which a read of a tenth of a millisecond would feel.
  const limits = { bodyBytesMax: options.bodyBytesMax, refused };
  app.all('/', ({ req: { raw }, env }) => {
    const unread = answerUnread(raw, limits);
    if (unread !== null) return unread;
    return isProbe(raw) ? landing(options, raw) : service.answer(raw, env);
  });
  if (options.logger !== undefined)
    app.route('/', binaryCommits(options.logger, options.now ?? (() => performance.now())));
  app.notFound(({ req: { raw } }) => elsewhere(raw));
  const listener = listenHttp({ ...options, app, headRefused: refused });
  return {
    port: listener.port,
    stop: async (deadlineMs) => {
      service.endStreams();
      await listener.stop(deadlineMs);
      service.close();
    },
  };
}

/** What all requests of a server have in common. */
class JsonRpcService {
  readonly #options: HttpOptions;
  readonly #now: () => number;
  readonly #bodies: ArrivingBodies;
  readonly #answers: UnreadAnswers;
  readonly #bodyTurns = new BodyTurns();
  readonly #batchTurns = batchTurns();
  readonly #identify: ReturnType<typeof identifier>;
  readonly #events: EventStreams | null;

  constructor(options: HttpOptions) {
    const { bodyBytesMax, metrics, now = () => performance.now() } = options;
    const shed = (reason: 'memory' | 'slow'): void => metrics.count('http_connections_shed_total', { reason });
    this.#options = options;
    this.#now = now;
    this.#bodies = new ArrivingBodies({ bodyBytesMax, now, shed });
    this.#answers = new UnreadAnswers({ bytesMax: unreadBytesMax, now, shed });
    this.#identify = identifier(options.gate, options.hostname);
    this.#events =
      options.events === undefined ? null : new EventStreams({ ring: options.events, now, shed: () => shed('slow') });
  }

  /** Counts a request that was refused before its calls were read. */
  refused(status: number): void {
    this.#options.metrics.count('http_rejected_total', { status: String(status) });
  }

  close(): void {
    this.#bodies.close();
    this.#answers.close();
  }

  /** Ends the streams of events, which would otherwise hold up the end. */
  endStreams(): void {
    this.#events?.close();
  }

  /** `GET /events`, for whoever may change this conductor; not for web pages, which cannot prove that they may. */
  events(request: Request, server: Bun.Server<undefined>): Response {
    if (this.#events === null) return elsewhere(request);
    // Hono asks for HEAD as for GET, and would leave the stream open.
    if (request.method === 'HEAD') {
      this.refused(405);
      return plain(405, 'events are asked for with GET\n');
    }
    const caller = this.#identify(request.headers, 'proof');
    if (caller.kind === 'refused') {
      this.refused(401);
      return new Response(`${caller.message}\n`, {
        status: 401,
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'WWW-Authenticate': 'Bearer realm="conductor events"' },
      });
    }
    server.timeout(request, 0);
    const address = callerAddress(server.requestIP(request)?.address ?? '');
    return this.#events.answer(request.headers.get('last-event-id'), address);
  }

  async answer(request: Request, server: Bun.Server<undefined>): Promise<Response> {
    const arrivedMs = this.#now();
    const received = await this.#bodies.receive(request, server, arrivedMs);
    const wholeMs = this.#now();
    if (received.kind !== 'whole') return this.#withoutBody(received);
    try {
      const body = this.#read(request, received.bytes);
      const read = body instanceof Promise ? await body : body;
      const { length } = received.bytes;
      received.release();
      if (read === null) return unseen();
      if (read.kind === 'empty') return new Response('', jsonInitFor(request));
      if (read.kind === 'failed') return new Response(read.text, jsonInitFor(request));
      if (read.kind === 'too-large') return this.#tooLarge(read.bytesMax, length);
      // A small one is read in less time than is worth a look at the clock.
      const readMs = length < pacedBytesMin ? wholeMs : this.#now();
      const response = this.#run(request, server, read, { arrivedMs, wholeMs, readMs }, received.isOverdue);
      return response instanceof Promise ? await response : response;
    } finally {
      received.release();
      received.leave();
    }
  }

  #withoutBody(received: Exclude<ReceivedBody, { kind: 'whole' }>): Response {
    if (received.kind === 'too-large') return this.#tooLarge(this.#options.bodyBytesMax, null);
    if (received.kind === 'gone') return unseen();
    return received.why === 'slow'
      ? refusal(408, 'the request did not arrive in time')
      : refusal(503, 'too many bodies arrive at once');
  }

  #tooLarge(bytesMax: number, bytes: number | null): Response {
    this.refused(413);
    return tooLarge(bytesMax, bytes);
  }

  /** Reads a body: a small one now, others in later turns, large ones in many; null when the client has gone before. */
  #read(request: Request, bytes: Uint8Array): ReadBody | Promise<ReadBody | null> {
    const { batchItemsMax } = this.#options;
    if (bytes.length < pacedBytesMin || (bytes.length <= steppedBytesMin && this.#bodyTurns.take()))
      return readBody(bytes, batchItemsMax);
    return this.#readInTurns(request, bytes);
  }

  async #readInTurns(request: Request, bytes: Uint8Array): Promise<ReadBody | null> {
    const { batchItemsMax } = this.#options;
    const nextTurn = (): Promise<void> => new Promise((resolve) => this.#bodyTurns.queue(resolve));
    if (!this.#bodyTurns.take()) await nextTurn();
    if (request.signal.aborted) return null;
    if (bytes.length <= steppedBytesMin) return readBody(bytes, batchItemsMax);
    const reading = readBodySteps(bytes, batchItemsMax);
    for (;;) {
      const step = reading.next();
      if (step.done === true) return step.value;
      await nextTurn();
    }
  }

  #run(
    request: Request,
    server: Bun.Server<undefined>,
    body: Extract<ReadBody, { kind: 'single' | 'batch' }>,
    times: ArrivalTimes,
    isOverdue: () => boolean,
  ): Response | Promise<Response> {
    const isBatch = body.kind === 'batch';
    const caller = new Caller(request, server, this.#identify, times);
    const run = (call: Call): Outcome | Promise<Outcome> =>
      runCall(this.#options, call, caller, isBatch ? this.#now() : times.readMs);
    // Asked for its signal a request becomes more expensive, which only batches are worth.
    const answered = isBatch
      ? answerBatch(body.items, run, this.#batchTurns, () => request.signal.aborted || isOverdue())
      : answerItem(body.item, run);
    const respond = (text: string): Response => {
      const init = jsonInitFor(request);
      return new Response(this.#answers.body(text), caller.isRefused && !isBatch ? unauthorized(init) : init);
    };
    return typeof answered === 'string' ? respond(answered) : this.#unhurried(request, server, answered).then(respond);
  }

  /** Calls have deadlines of their own: the connection's does not run while they are worked on. */
  async #unhurried(request: Request, server: Bun.Server<undefined>, answered: Promise<string>): Promise<string> {
    server.timeout(request, 0);
    const text = await answered;
    server.timeout(request, idleSeconds);
    return text;
  }
}

/** The answer to a client that has gone. */
function unseen(): Response {
  return refusal(400, 'the client has gone');
}

/** The answers to a batch may differ, so only a call on its own takes its status from its outcome. */
function unauthorized(init: { readonly headers: Headers }): ResponseInit {
  const headers = new Headers(init.headers);
  headers.set('WWW-Authenticate', 'Bearer realm="conductor admin methods"');
  return { status: 401, headers };
}
