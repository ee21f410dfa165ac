/**
 * A transport with a memory, for tests: keeps every event, answers requests if told how, and waits
 * for what a test expects, with a deadline. Started as a program it is an endpoint that answers
 * everything, sends one heartbeat to the address it is given and prints its port, so that a test can kill it.
 */
import type { OutboundRequest, TransportEvent } from '#conductor/core/ports';
import type {
  AppendEntriesRequest,
  AppendEntriesResponse,
  Entry,
  RpcRequest,
  RpcResponse,
} from '#conductor/core/raft/types';
import { openTransport, type TcpTransport, type TcpTransportOptions } from '../transport.ts';

export type Answer = (request: RpcRequest) => RpcResponse | null;
type EventOf<K extends TransportEvent['kind']> = Extract<TransportEvent, { readonly kind: K }>;

const HOST = '127.0.0.1';
const WAIT_MS = 5000;
const POLL_MS = 2;
const header = { protocolVersion: 3, address: 'peer.test:50050' };
const time = new Uint8Array(15);
time[0] = 1;

/** Waits until `probe` gives something other than null, undefined or false; throws after `ms`. */
export async function eventually<T>(what: string, probe: () => T | null | undefined | false, ms = WAIT_MS): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    const found = probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited ${ms} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** An append of `entryBytes` (none: a heartbeat); `mark` comes back in `lastLog` of `acknowledge`'s answer. */
export function append(mark: number, entryBytes?: number, id = 'a'): AppendEntriesRequest {
  const entry = (bytes: number): Entry => ({
    index: mark + 1,
    term: 1,
    type: 0,
    data: new Uint8Array(bytes).fill(mark),
    extensions: null,
    appendedAt: time,
  });
  const entries = entryBytes === undefined ? null : [entry(entryBytes)];
  return {
    ...header,
    kind: 'append',
    id,
    leader: null,
    term: 1,
    prevLogIndex: mark,
    prevLogTerm: 0,
    entries,
    leaderCommit: 0,
  };
}

/** The answer that accepts `request`. */
export function acknowledge(request: RpcRequest, id = 'b'): RpcResponse {
  const sender = { ...header, id };
  switch (request.kind) {
    case 'append':
      return appendResponse(request.prevLogIndex, id);
    case 'vote':
    case 'prevote':
      return { ...sender, kind: request.kind, term: request.term, granted: true };
    case 'snapshot':
      return { ...sender, kind: 'snapshot', term: request.term, success: true };
    case 'timeoutNow':
      return { ...sender, kind: 'timeoutNow' };
    case 'validate':
      return { ...sender, kind: 'validate', term: request.term, verdict: 1, message: '' };
  }
}

export function appendResponse(lastLog: number, id = 'b'): AppendEntriesResponse {
  return { ...header, id, kind: 'append', term: 1, lastLog, success: true, noRetryBackoff: false };
}

/** A transport on a free port of 127.0.0.1 and what it told. */
export class Endpoint {
  readonly events: TransportEvent[] = [];
  /** Set to answer requests; what it returns null for stays unanswered. */
  answer: Answer = () => null;
  /** Called with each event, after it was kept. */
  observe: (event: TransportEvent) => void = () => undefined;
  #transport: TcpTransport | null = null;
  #lastRequestId = 0;

  static async open(options: Partial<TcpTransportOptions> = {}): Promise<Endpoint> {
    const endpoint = new Endpoint();
    endpoint.#transport = await openTransport({
      listen: { hostname: HOST, port: 0 },
      now: () => performance.now(),
      onEvent: (event) => endpoint.#onEvent(event),
      ...options,
    });
    return endpoint;
  }

  get transport(): TcpTransport {
    return this.#transport!;
  }

  get address(): string {
    return `${HOST}:${this.transport.port}`;
  }

  /** Sends to `address` (default: a heartbeat to peer 'b') and returns the request's id. */
  send(address: string, message: Partial<OutboundRequest> = {}): number {
    this.#lastRequestId += 1;
    const requestId = this.#lastRequestId;
    const request = append(requestId);
    this.transport.send({
      requestId,
      peerId: 'b',
      address,
      channel: 'heartbeat',
      timeoutMs: WAIT_MS,
      request,
      ...message,
    });
    return requestId;
  }

  of<K extends TransportEvent['kind']>(kind: K): EventOf<K>[] {
    return this.events.filter((event): event is EventOf<K> => event.kind === kind);
  }

  /** Waits for the response or failure of one request. */
  async outcome(requestId: number): Promise<EventOf<'response'> | EventOf<'failed'>> {
    return eventually(`an outcome of request ${requestId}`, () =>
      [...this.of('response'), ...this.of('failed')].find((event) => event.requestId === requestId),
    );
  }

  /** Waits until `count` events of a kind came; returns them. */
  async received<K extends TransportEvent['kind']>(kind: K, count = 1): Promise<EventOf<K>[]> {
    return eventually(`${count} × ${kind}, seen ${this.of(kind).length}`, () => {
      const found = this.of(kind);
      return found.length >= count && found;
    });
  }

  #onEvent(event: TransportEvent): void {
    this.events.push(event);
    if (event.kind === 'request') {
      const response = this.answer(event.request);
      if (response !== null) this.transport.reply(event.inboundId, response);
    }
    this.observe(event);
  }
}

if (import.meta.main) {
  const endpoint = await Endpoint.open();
  endpoint.answer = acknowledge;
  const [, , address] = process.argv;
  if (address !== undefined) endpoint.send(address);
  console.log(endpoint.transport.port);
}
