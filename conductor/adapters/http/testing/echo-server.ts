/** The JSON-RPC service over real sockets, with a method that answers what it was given, and its clients. */
import type { Outcome } from '#conductor/core/rpc/message';
import { createMetrics } from '../../metrics/prometheus.ts';
import type { Invocation } from '../calls.ts';
import { serveHttp } from '../http.ts';
import { post, RawClient } from './raw-client.ts';

export interface EchoOptions {
  readonly port?: number;
  readonly bodyBytesMax?: number;
  readonly now?: () => number;
  readonly invoke?: (invocation: Invocation) => Outcome | Promise<Outcome>;
}

const method = 'conductor_removeServer';

export class EchoServer implements AsyncDisposable {
  readonly metrics = createMetrics('v0');
  readonly #server: ReturnType<typeof serveHttp>;
  readonly #clients: RawClient[] = [];

  constructor({ port = 0, bodyBytesMax = 1024 * 1024, now, invoke = echo }: EchoOptions = {}) {
    this.#server = serveHttp({
      hostname: '127.0.0.1',
      port,
      bodyBytesMax,
      batchItemsMax: 10,
      dispatch: { isAdminEnabled: true, isProxyEnabled: true, version: 'v0' },
      version: 'v0',
      metrics: this.metrics,
      invoke,
      readiness: () => '',
      ...(now === undefined ? {} : { now }),
    });
  }

  get port(): number {
    return this.#server.port;
  }

  client(): RawClient {
    const client = new RawClient(this.port);
    this.#clients.push(client);
    return client;
  }

  /** How often a connection was closed at a bound. */
  async shed(reason: 'memory' | 'slow'): Promise<number> {
    const line = new RegExp(`^op_conductor_http_connections_shed_total\\{reason="${reason}"\\} (\\d+)$`, 'm');
    return Number(line.exec(await this.metrics.page())?.[1] ?? 0);
  }

  stop(deadlineMs: number): Promise<void> {
    return this.#server.stop(deadlineMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.destroy();
    await this.#server.stop(0);
  }
}

/** The body of a call that is answered with what it was given. */
export function call(text: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [text, 0] });
}

/** The request around it. */
export function asked(text: string): string {
  return post(call(text));
}

/** What is answered to it. */
export function said(text: string): string {
  return `${text.length} ${Bun.hash(text)};`;
}

/** What was answered, in order. */
export function answers(received: string): string[] {
  return received.match(/\d+ \d+;/g) ?? [];
}

function echo({ values }: Invocation): Outcome {
  return { kind: 'result', json: JSON.stringify(said(String(values[0]))) };
}
