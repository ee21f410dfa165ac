/**
 * The Transport of ports.ts over TCP on Bun's sockets: hashicorp/raft's requests and responses
 * between servers, optionally under mutual TLS. It knows no raft: it carries messages, keeps
 * deadlines and bounds, and reports at once what the kernel says about a peer.
 */
import type { Logger, Metrics, OutboundRequest, Transport, TransportEvent } from '#conductor/core/ports';
import type { RpcResponse } from '#conductor/core/raft/types';
import { DeadlineTimer } from './deadline-timer.ts';
import { systemResolve, type Resolve } from './dial.ts';
import { EventSink } from './event-sink.ts';
import { Inbound } from './inbound.ts';
import { DEFAULT_TCP_LIMITS, type TcpLimits } from './limits.ts';
import { Outbound } from './outbound.ts';
import { PlainPeers } from './plain-peers.ts';
import { TcpMetrics } from './tcp-metrics.ts';
import type { TlsSettings } from './tls.ts';

export interface TcpTransportOptions {
  /** Where peers reach us; port 0 takes a free one. */
  readonly listen: { readonly hostname: string; readonly port: number };
  /** Gets every event, never inside a call of the transport. What it throws ends the process. */
  readonly onEvent: (event: TransportEvent) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly limits?: Partial<TcpLimits>;
  readonly tls?: TlsSettings;
  readonly metrics?: Metrics;
  readonly logger?: Logger;
  /** How names become addresses, at each dial; default the system's resolver. */
  readonly resolve?: Resolve;
}

/** How long `close` lets connections end in order. */
const CLOSE_MS = 1000;

/** Starts listening. Rejects with StartupError if the address cannot be used, ConfigError for unreadable TLS files. */
export async function openTransport(options: TcpTransportOptions): Promise<TcpTransport> {
  return new TcpTransport(options);
}

export class TcpTransport implements Transport {
  readonly #events: EventSink;
  readonly #metrics: TcpMetrics;
  readonly #inbound: Inbound;
  readonly #outbound: Outbound;
  readonly #deadlines: DeadlineTimer;

  constructor(options: TcpTransportOptions) {
    const { now } = options;
    const limits = { ...DEFAULT_TCP_LIMITS, ...options.limits };
    const tls = options.tls ?? null;
    const events = new EventSink(options.onEvent);
    const metrics = new TcpMetrics(options.metrics, now);
    const emit = (event: TransportEvent): void => events.emit(event);
    this.#events = events;
    this.#metrics = metrics;
    this.#deadlines = new DeadlineTimer(now, (nowMs) => this.#outbound.expire(nowMs));
    const plainPeers = new PlainPeers(tls?.isMixed === true, now);
    this.#outbound = new Outbound(
      { limits, tls, plainPeers, now, metrics, emit, resolve: options.resolve ?? systemResolve },
      (dueMs) => this.#deadlines.at(dueMs),
    );
    this.#inbound = new Inbound({ ...options.listen, limits, tls, now, metrics, emit, logger: options.logger ?? null });
  }

  /** The port listened on. */
  get port(): number {
    return this.#inbound.port;
  }

  send(message: OutboundRequest): void {
    this.#events.during(() => this.#outbound.send(message));
  }

  reply(inboundId: number, response: RpcResponse): void {
    this.#events.during(() => this.#inbound.reply(inboundId, response));
  }

  closeInbound(connectionId: number): void {
    this.#events.during(() => this.#inbound.closeConnection(connectionId));
  }

  forget(peerId: string): void {
    this.#events.during(() => this.#outbound.forget(peerId));
  }

  /** Reads the TLS files again for new inbound connections (outbound ones read them at each dial). See Inbound.reload. */
  reload(): void {
    this.#events.during(() => this.#inbound.reload());
  }

  /** False after a reload that has lost the port. */
  get isListening(): boolean {
    return this.#inbound.isListening;
  }

  /** See Inbound.listenAgain. */
  listenAgain(): void {
    this.#events.during(() => this.#inbound.listenAgain());
  }

  /**
   * Stops listening, fails what is pending with 'cancelled' and closes every connection. Resolves
   * within a second or so; no event comes after that.
   */
  async close(): Promise<void> {
    this.#deadlines.stop();
    this.#events.during(() => this.#outbound.close());
    await this.#events.during(() => this.#inbound.close(CLOSE_MS));
    this.#events.silence();
    this.#metrics.flush();
  }
}
