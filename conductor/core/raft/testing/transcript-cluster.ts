/**
 * The cluster of a transcript. Nothing moves by itself: a command lets clocks run, or delivers what is on its way, in
 * the order in which it was sent. Heartbeats and their answers are delivered like all else, and left out of the text; so
 * is, while all clocks run, what says the same again.
 */
import type { FailureReason, OutboundRequest } from '../../ports.ts';
import type { RaftCommand, RaftOptions } from '../events.ts';
import type { RpcResponse } from '../types.ts';
import { MemoryStore } from './memory-store.ts';
import { requestText, responseText } from './message-text.ts';
import { configurationEntry, storeWith, voters } from './messages.ts';
import { TranscriptServer } from './transcript-server.ts';

/** A request without an answer; it is on its way, with the receiver, or its answer is on the way back. */
interface Exchange {
  readonly from: string;
  readonly message: OutboundRequest;
  /** By the sender's clock. */
  readonly deadlineMs: number;
}

/** Something on its way. */
interface Flight {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly isQuiet: boolean;
  readonly arrive: () => void;
}

/** Passes in which messages give rise to others; more never end. */
const PASSES_MAX = 200;
/** `pass` lets all clocks run in steps of this. */
const STEP_MS = 10;

type WithoutId<Command> = Command extends RaftCommand ? Omit<Command, 'requestId'> : never;
/** A command without the id, which the cluster chooses. */
export type TranscriptCommand = WithoutId<RaftCommand>;

export class TranscriptCluster {
  readonly #lines: string[] = [];
  readonly #servers = new Map<string, TranscriptServer>();
  readonly #options: Partial<RaftOptions>;
  #flights: Flight[] = [];
  /** By inbound id. */
  readonly #exchanges = new Map<number, Exchange>();
  /** "sender receiver channel" → connection id. */
  readonly #connections = new Map<string, number>();
  readonly #cut = new Set<string>();
  readonly #asked = new Map<number, string>();
  /** While all clocks run: "from → to" → what was shown last. */
  #shown: Map<string, string> | null = null;
  #nextId = 1;

  constructor(options: Partial<RaftOptions> = {}) {
    this.#options = options;
  }

  /** What has happened since it was last taken, a line each. */
  takeLines(): string[] {
    return this.#lines.splice(0);
  }

  /** Adds a line of the reader's own. */
  say(text: string): void {
    this.#lines.push(text);
  }

  /** Starts voters that know each other: their configuration is at index 1, of term 1. */
  found(ids: readonly string[]): void {
    for (const id of ids) this.add(id, storeWith([configurationEntry(1, 1, voters(...ids))]));
  }

  /** Starts a server; with an empty disk unless told. */
  add(id: string, store = new MemoryStore()): void {
    const server = new TranscriptServer(id, store, this.#options, {
      line: (text) => this.#lines.push(text),
      send: (message) => this.#send(id, message),
      reply: (inboundId, response) => this.#reply(id, inboundId, response),
      nextTimeoutMs: () => this.#nextTimeoutMs(id),
      failOverdue: () =>
        this.#failWhere('timeout', ({ from, deadlineMs }) => from === id && deadlineMs <= server.nowMs),
      asked: (requestId) => this.#asked.get(requestId) ?? `request ${requestId}`,
    });
    this.#servers.set(id, server);
    server.start();
  }

  get servers(): Iterable<TranscriptServer> {
    return this.#servers.values();
  }

  server(id: string): TranscriptServer {
    const server = this.#servers.get(id);
    if (server === undefined) throw new Error(`there is no server ${id}`);
    return server;
  }

  command(id: string, command: TranscriptCommand, text: string): void {
    const requestId = this.#nextId++;
    this.#asked.set(requestId, text);
    this.server(id).handle({ ...command, requestId } as RaftCommand);
  }

  /** Lets one clock run until that server asks for votes. */
  timeout(id: string): void {
    const asks = (): boolean => this.#flights.some(({ from, text }) => from === id && /^(pre-)?vote /.test(text));
    this.server(id).wait(60_000, asks);
    if (!asks()) throw new Error(`${id} asks for no votes within a minute`);
  }

  /** Lets all clocks run, delivering what is sent. */
  pass(ms: number): void {
    this.#shown = new Map();
    for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
      for (const server of this.#servers.values()) server.wait(STEP_MS);
      this.settle();
    }
    this.#shown = null;
  }

  /** Delivers what is on its way now, to one server or to all; what that gives rise to waits. */
  deliver(to: string | null): void {
    const due = this.#flights.filter((flight) => to === null || flight.to === to);
    this.#flights = this.#flights.filter((flight) => !due.includes(flight));
    for (const flight of due) {
      const isLost = this.#cut.has(`${flight.from} ${flight.to}`);
      if (!flight.isQuiet) this.#show(`${flight.from} → ${flight.to}`, `${flight.text}${isLost ? ' (lost)' : ''}`);
      if (!isLost) flight.arrive();
    }
  }

  /** Delivers until nothing is on its way. */
  settle(): void {
    for (let pass = 0; this.#flights.length > 0; pass++) {
      if (pass > PASSES_MAX) throw new Error('the servers never come to rest');
      this.deliver(null);
    }
  }

  /** From now on what `from` sends to `to` is lost. */
  cut(from: string, to: string): void {
    this.#cut.add(`${from} ${to}`);
  }

  heal(): void {
    this.#cut.clear();
  }

  /** All connections that `from` has opened to `to` break; what was on its way on them is gone. */
  disconnect(from: string, to: string): void {
    this.#flights = this.#flights.filter((flight) => ![flight.from, flight.to].every((id) => id === from || id === to));
    this.#failWhere('reset', (exchange) => exchange.from === from && exchange.message.peerId === to);
    this.#closeWhere((sender, receiver) => sender === from && receiver === to);
  }

  /** kill -9: its connections close, and what was on its way to or from it is gone. */
  crash(id: string): void {
    this.server(id).stop();
    this.#flights = this.#flights.filter(({ from, to }) => from !== id && to !== id);
    for (const [inboundId, { from }] of this.#exchanges) if (from === id) this.#exchanges.delete(inboundId);
    this.#failWhere('reset', ({ message }) => message.peerId === id);
    this.#closeWhere((sender, receiver) => sender === id || receiver === id);
  }

  #closeWhere(isMeant: (sender: string, receiver: string) => boolean): void {
    for (const [key, connectionId] of this.#connections) {
      const [sender, receiver] = key.split(' ') as [string, string];
      if (!isMeant(sender, receiver)) continue;
      this.#connections.delete(key);
      this.server(receiver).handle({ kind: 'inboundClosed', connectionId });
    }
  }

  #show(way: string, text: string): void {
    if (this.#shown?.get(way) === text) return;
    this.#shown?.set(way, text);
    this.#lines.push(`${way} ${text}`);
  }

  #send(from: string, message: OutboundRequest): void {
    const { peerId: to, channel, request } = message;
    const inboundId = this.#nextId++;
    const deadlineMs = this.server(from).nowMs + message.timeoutMs;
    this.#exchanges.set(inboundId, { from, message, deadlineMs });
    const arrive = (): void => {
      if (!this.#exchanges.has(inboundId)) return;
      const server = this.#servers.get(to);
      if (!server?.isRunning) return this.#fail(inboundId, 'refused');
      const key = `${from} ${to} ${channel}`;
      const connectionId = this.#connections.get(key) ?? this.#nextId++;
      this.#connections.set(key, connectionId);
      server.handle({ kind: 'request', connectionId, inboundId, request });
    };
    this.#flights.push({ from, to, text: requestText(request), isQuiet: isHeartbeat(message), arrive });
  }

  #reply(from: string, inboundId: number, response: RpcResponse): void {
    const exchange = this.#exchanges.get(inboundId);
    if (exchange === undefined) return;
    const { requestId } = exchange.message;
    const arrive = (): void => {
      if (!this.#exchanges.delete(inboundId)) return;
      this.server(exchange.from).handle({ kind: 'response', requestId, response });
    };
    const isQuiet = isHeartbeat(exchange.message);
    this.#flights.push({ from, to: exchange.from, text: responseText(response), isQuiet, arrive });
  }

  #nextTimeoutMs(id: string): number {
    const own = [...this.#exchanges.values()].filter(({ from }) => from === id);
    return Math.min(...own.map(({ deadlineMs }) => deadlineMs));
  }

  #failWhere(reason: FailureReason, isMeant: (exchange: Exchange) => boolean): void {
    for (const [inboundId, exchange] of [...this.#exchanges]) if (isMeant(exchange)) this.#fail(inboundId, reason);
  }

  #fail(inboundId: number, reason: FailureReason): void {
    const { from, message } = this.#exchanges.get(inboundId)!;
    this.#exchanges.delete(inboundId);
    if (!isHeartbeat(message)) this.#show(`${from} → ${message.peerId}`, reason);
    this.server(from).handle({ kind: 'failed', requestId: message.requestId, reason, message: reason });
  }
}

/** What keeps leaders in office fills pages and says nothing. */
function isHeartbeat({ channel, request }: OutboundRequest): boolean {
  return channel === 'heartbeat' && request.kind === 'append';
}
