/**
 * The listening side: accepts, bounds and observes inbound connections, and finds the one that a
 * reply belongs to. An idle connection costs nothing but its memory and has no time limit, unless there are too many.
 */
import type { Logger, TransportEvent } from '#conductor/core/ports';
import type { RpcRequest, RpcResponse } from '#conductor/core/raft/types';
import { TLS_HANDSHAKE } from '#conductor/core/wire/rpc-type';
import { callerAddress } from '../system/every-interface.ts';
import { ConnectionQuota } from './connection-quota.ts';
import { InboundConnection, type InboundContext } from './inbound-connection.ts';
import type { TcpLimits } from './limits.ts';
import { listenOn, type ListenAddress } from './listen-on.ts';
import { LogLimiter } from './log-limiter.ts';
import type { RejectionReason, TcpMetrics } from './tcp-metrics.ts';
import { TlsCarrier } from './tls-carrier.ts';
import { usableTlsMaterial } from './tls-check.ts';
import type { TlsRelay } from './tls-relay.ts';
import { peerNames, type TlsMaterial, type TlsSettings } from './tls.ts';

export interface InboundOptions {
  readonly hostname: string;
  readonly port: number;
  readonly limits: TcpLimits;
  readonly tls: TlsSettings | null;
  readonly now: () => number;
  readonly metrics: TcpMetrics;
  readonly logger: Logger | null;
  readonly emit: (event: TransportEvent) => void;
}

type Accepted = InboundConnection | TlsRelay | null;
type AcceptedSocket = Bun.Socket<Accepted>;

/** Where TLS is taken in mixed mode: nobody but the carrier knows the port, and others would need a certificate. */
const INNER = { hostname: '127.0.0.1', port: 0 };
/** Connections whose request does not come on are looked for this often per firstRequestMs. */
const CHECKS_PER_WINDOW = 4;

export class Inbound {
  readonly #options: InboundOptions;
  readonly #context: InboundContext;
  readonly #connections = new Map<number, InboundConnection>();
  /** Who waits for which reply. */
  readonly #awaiting = new Map<number, InboundConnection>();
  readonly #log: LogLimiter;
  readonly #quota: ConnectionQuota;
  #listener: Bun.TCPSocketListener<Accepted>;
  /** The port is closed, and these are to be used when it can be opened again; null while it is open. */
  #unlistened: TlsMaterial | null = null;
  /** In mixed mode, where connections that begin with a handshake go. */
  readonly #carrier: TlsCarrier | null;
  #stallCheck: ReturnType<typeof setInterval> | null = null;
  #lastConnectionId = 0;
  #lastInboundId = 0;
  #heldBytes = 0;
  #allGone: (() => void) | null = null;

  /** Starts listening. Throws StartupError if the address cannot be listened on, ConfigError for TLS files. */
  constructor(options: InboundOptions) {
    this.#options = options;
    this.#log = new LogLimiter(options.logger, options.now);
    this.#quota = new ConnectionQuota(options.limits);
    this.#context = {
      limits: options.limits,
      metrics: options.metrics,
      now: options.now,
      deliver: (connection, request) => this.#deliver(connection, request),
      heldChanged: (change) => {
        this.#heldBytes += change;
        if (change > 0) this.#shed();
      },
      malformed: (connection, code, message) => this.#malformed(connection, code, message),
      unauthorized: (connection, message) => this.#rejected(connection, 'unauthorized', message),
    };
    const { hostname, port, tls } = options;
    const material = tls === null ? null : usableTlsMaterial(tls);
    const isMixed = tls?.isMixed === true && material !== null;
    this.#carrier = isMixed ? new TlsCarrier(this.#listen(INNER, material)) : null;
    this.#listener = this.#listen({ hostname, port }, isMixed ? null : material);
  }

  /** The port listened on. */
  get port(): number {
    return this.#listener.port;
  }

  reply(inboundId: number, response: RpcResponse): void {
    const connection = this.#awaiting.get(inboundId);
    if (connection === undefined) return;
    this.#awaiting.delete(inboundId);
    connection.awaitedId = null;
    connection.reply(response);
  }

  closeConnection(connectionId: number): void {
    this.#connections.get(connectionId)?.close('end');
  }

  /**
   * Reads the TLS files again, for connections accepted from now on; those that are open stay. Throws
   * ConfigError and changes nothing if the files cannot be used; StartupError if the port cannot be opened
   * again, which `isListening` tells from then on.
   */
  reload(): void {
    const { tls } = this.#options;
    if (tls === null) return;
    const material = usableTlsMaterial(tls);
    if (this.#carrier !== null) {
      this.#carrier.replace(this.#listen(INNER, material));
      return;
    }
    this.#listener.stop(false);
    this.#unlistened = material;
    this.listenAgain();
  }

  /** False after a reload that could not open the port again. */
  get isListening(): boolean {
    return this.#unlistened === null;
  }

  /** Opens a port that a reload has lost, with the files as they were read then. Throws StartupError. */
  listenAgain(): void {
    if (this.#unlistened === null) return;
    const { hostname } = this.#options;
    this.#listener = this.#listen({ hostname, port: this.#listener.port }, this.#unlistened);
    this.#unlistened = null;
  }

  /** Stops listening and closes all connections; resolves when the last is gone, after `deadlineMs` at the latest. */
  async close(deadlineMs: number): Promise<void> {
    this.#listener.stop(false);
    this.#carrier?.close();
    if (this.#stallCheck !== null) clearInterval(this.#stallCheck);
    this.#stallCheck = null;
    const open = [...this.#connections.values()];
    for (const connection of open) connection.close('end');
    if (this.#connections.size === 0) return;
    const gone = new Promise<void>((resolve) => {
      this.#allGone = resolve;
    });
    const timer = setTimeout(() => {
      for (const connection of open) connection.destroy();
      this.#allGone?.();
    }, deadlineMs);
    await gone;
    clearTimeout(timer);
  }

  #listen(at: ListenAddress, tls: TlsMaterial | null): Bun.TCPSocketListener<Accepted> {
    return listenOn(at, tls, this.#handlers(tls !== null));
  }

  #handlers(isTls: boolean): Bun.SocketHandler<Accepted> {
    const handlers: Bun.SocketHandler<Accepted> = {
      binaryType: 'uint8array',
      open: (socket) => this.#accepted(socket, isTls),
      data: (socket, chunk) => this.#received(socket, chunk),
      drain: (socket) => socket.data?.drained(),
      close: ({ data }) => {
        if (data instanceof InboundConnection) this.#gone(data);
        else data?.gone();
      },
      // Followed by close, which is all that matters here.
      error: () => undefined,
    };
    if (isTls) handlers.handshake = (socket, _success, error) => this.#shookHands(socket, error);
    return handlers;
  }

  #received(socket: AcceptedSocket, chunk: Uint8Array): void {
    const { data } = socket;
    const isFirst = data instanceof InboundConnection && !data.isTls && data.isSilent;
    if (this.#carrier === null || !isFirst || chunk[0] !== TLS_HANDSHAKE) {
      data?.received(chunk);
      return;
    }
    socket.data = this.#carrier.carry(socket, chunk);
    this.#gone(data);
  }

  #accepted(socket: AcceptedSocket, isTls: boolean): void {
    const { limits, metrics } = this.#options;
    socket.data = null;
    if (!this.#makeRoom(callerAddress(socket.remoteAddress))) {
      socket.terminate();
      return;
    }
    this.#lastConnectionId += 1;
    const connection = new InboundConnection(socket, { id: this.#lastConnectionId, isTls }, this.#context);
    socket.data = connection;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, limits.keepAliveMs);
    this.#connections.set(connection.id, connection);
    this.#quota.opened(connection.remoteAddress);
    metrics.opened('in', isTls);
    this.#stallCheck ??= setInterval(() => this.#closeStalled(), limits.firstRequestMs / CHECKS_PER_WINDOW);
  }

  /** False when there is none. */
  #makeRoom(address: string): boolean {
    const verdict = this.#quota.judge(address, this.#connections, this.#options.now());
    if (verdict.kind === 'free') return true;
    const { max } = verdict;
    if (verdict.kind === 'full') {
      this.#options.metrics.rejected('limit');
      this.#log.warn(address, 'raft connection closed: too many are open', { max });
      return false;
    }
    const { connection } = verdict;
    const why = connection.hasDelivered ? 'it has been silent the longest' : 'it never sent a request';
    connection.close('terminate');
    this.#rejected(connection, 'displaced', `${why}, and more than ${max} are open`);
    return true;
  }

  #shookHands(socket: AcceptedSocket, error: Error | null): void {
    const connection = socket.data;
    if (!(connection instanceof InboundConnection)) return;
    const names = peerNames(socket);
    if (names.length > 0) {
      connection.authorize(names);
      return;
    }
    connection.close('terminate');
    this.#rejected(connection, 'unauthorized', error?.message ?? 'no certificate that the CA signed');
  }

  #deliver(connection: InboundConnection, request: RpcRequest): void {
    this.#lastInboundId += 1;
    const inboundId = this.#lastInboundId;
    connection.awaitedId = inboundId;
    this.#awaiting.set(inboundId, connection);
    this.#options.emit({ kind: 'request', connectionId: connection.id, inboundId, request });
  }

  #gone(connection: InboundConnection): void {
    connection.ended();
    if (!this.#connections.delete(connection.id)) return;
    this.#quota.closed(connection.remoteAddress);
    if (connection.awaitedId !== null) this.#awaiting.delete(connection.awaitedId);
    this.#options.metrics.closed('in', connection.isTls);
    if (connection.hasDelivered) this.#options.emit({ kind: 'inboundClosed', connectionId: connection.id });
    if (this.#connections.size > 0) return;
    if (this.#stallCheck !== null) clearInterval(this.#stallCheck);
    this.#stallCheck = null;
    this.#allGone?.();
  }

  #malformed(connection: InboundConnection, code: string, message: string): void {
    this.#options.metrics.malformed(code);
    this.#log.warn(connection.remoteAddress, 'raft connection closed: malformed request', { code, error: message });
  }

  #rejected(connection: InboundConnection, reason: RejectionReason, message: string): void {
    this.#options.metrics.rejected(reason);
    this.#log.warn(connection.remoteAddress, `raft connection closed: ${reason}`, { error: message });
  }

  /** Connections whose first request, or a large one, does not come on (a slow loris, or a handshake that nobody ends). */
  #closeStalled(): void {
    const nowMs = this.#options.now();
    for (const connection of this.#connections.values()) {
      if (!connection.isStalled(nowMs)) continue;
      connection.close('terminate');
      this.#rejected(connection, 'stalled', 'its request stays incomplete');
    }
  }

  /** Closes connections with unfinished requests, the longest unfinished first, until the rest fits; one alone has more room. */
  #shed(): void {
    const { incompleteBytesMax, loneRequestBytesMax } = this.#options.limits;
    while (this.#heldBytes > incompleteBytesMax) {
      const holders = [...this.#connections.values()].filter((one) => one.heldBytes > 0);
      if (holders.length < 2 && this.#heldBytes <= loneRequestBytesMax) return;
      const oldest = holders.reduce((first, one) => (one.requestBeganMs < first.requestBeganMs ? one : first));
      oldest.close('terminate');
      this.#rejected(oldest, 'memory', 'unfinished requests hold too many bytes');
    }
  }
}
