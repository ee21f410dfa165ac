/**
 * A raft server on Bun by itself: RaftNode over a store and the TCP transport, with promises for commands.
 * The whole conductor is hosted the same way (see Pump); this one serves tests, benchmarks and tools.
 */
import type { Logger, Metrics, StateMachine } from '#conductor/core/ports';
import type { RaftCommand, RaftNotice, RaftOptions, RaftResult, Ready } from '#conductor/core/raft/events';
import { RaftNode } from '#conductor/core/raft/node';
import type { RaftStatus } from '#conductor/core/raft/status';
import { createRandom, monotonicMs, wallClock } from '#conductor/adapters/clock/clock';
import { Pump, type TidyStore } from '../pump.ts';
import type { TlsSettings } from '#conductor/adapters/tcp/tls';
import { openTransport, type TcpTransport } from '#conductor/adapters/tcp/transport';

export interface RaftHostOptions {
  readonly options: RaftOptions;
  readonly store: TidyStore;
  readonly stateMachine: StateMachine;
  readonly listen: { readonly hostname: string; readonly port: number };
  readonly tls?: TlsSettings;
  readonly version?: string;
  readonly metrics?: Metrics;
  readonly logger?: Logger;
  readonly onNotice?: (notice: RaftNotice) => void;
  /** The store failed or an invariant broke; default: print the error and exit 1 shortly after. */
  readonly onFatal?: (error: unknown) => void;
}

/** A command without its id, which the host chooses. */
export type HostCommand = RaftCommand extends infer C ? (C extends RaftCommand ? Omit<C, 'requestId'> : never) : never;

/** How long a failed node may still hand leadership over before it exits. */
const SHUTDOWN_GRACE_MS = 200;

export class RaftHost {
  readonly #options: RaftHostOptions;
  readonly #waiting = new Map<number, (result: RaftResult) => void>();
  #node: RaftNode | undefined;
  #pump: Pump<never, Ready> | undefined;
  #transport: TcpTransport | undefined;
  #nextRequestId = 1;

  constructor(options: RaftHostOptions) {
    this.#options = options;
  }

  /** Listens and joins in; rejects when the port is taken or the store cannot be loaded. */
  async start(): Promise<void> {
    const { options, store, stateMachine, listen, tls, metrics, logger } = this.#options;
    const ports = { store, stateMachine, random: createRandom(), wallClock, version: this.#options.version ?? '0' };
    const node = new RaftNode(options, ports, monotonicMs());
    const transport = await openTransport({
      listen,
      onEvent: (event) => this.#pump?.push(event),
      now: monotonicMs,
      ...(tls ? { tls } : {}),
      ...(metrics ? { metrics } : {}),
      ...(logger ? { logger } : {}),
    });
    this.#node = node;
    this.#transport = transport;
    this.#pump = new Pump<never, Ready>({
      core: node,
      store,
      transport,
      onReady: (ready) => this.#onReady(ready),
      onStoreFailed: (error) => this.#onFatal(error),
      onFatal: (error) => this.#onFatal(error),
      onDamage: (error) => this.#options.logger?.log('error', error.message),
    });
    this.#pump.push({ kind: 'tick' });
  }

  /** Resolves with the outcome; never rejects. */
  command(command: HostCommand): Promise<RaftResult> {
    const requestId = this.#nextRequestId++;
    return new Promise((resolve) => {
      if (!this.#pump)
        return resolve({ kind: 'refused', requestId, reason: 'not-leader', message: 'this node is not running' });
      this.#waiting.set(requestId, resolve);
      this.#pump.push({ ...command, requestId } as RaftCommand);
    });
  }

  status(): RaftStatus {
    return this.#node!.status();
  }

  /** Snapshots now; false where there is nothing to snapshot. */
  takeSnapshot(): boolean {
    const taken = this.#node!.takeSnapshot();
    this.#pump!.schedule();
    return taken;
  }

  async stop(): Promise<void> {
    this.#pump?.end();
    this.#pump = undefined;
    await this.#transport?.close();
    this.#options.store.close();
    for (const [requestId, resolve] of this.#waiting)
      resolve({ kind: 'unknown', requestId, reason: 'the node was stopped', index: 0, term: 0 });
    this.#waiting.clear();
  }

  #onReady(ready: Ready): void {
    for (const result of ready.results) {
      this.#waiting.get(result.requestId)?.(result);
      this.#waiting.delete(result.requestId);
    }
    for (const notice of ready.notices) this.#options.onNotice?.(notice);
  }

  #onFatal(error: unknown): void {
    if (this.#options.onFatal) return this.#options.onFatal(error);
    console.error(error);
    setTimeout(() => process.exit(1), SHUTDOWN_GRACE_MS);
  }
}
