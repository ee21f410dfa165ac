/**
 * Client of the control API that both test nodes serve on loopback (see README.md here).
 * One connection per client object; calls on it queue behind each other.
 */
import { HttpConnection, HttpConnectionError, requestBytes, type HttpResponse } from './http-connection.ts';
import { decodeRecords, type OperationRecord } from './operation.ts';

const DEFAULT_TIMEOUT_MS = 6000;

/** What GET /status answers. */
export interface NodeStatus {
  readonly id: string;
  readonly state: 'follower' | 'candidate' | 'leader' | 'shutdown';
  readonly term: number;
  /** Term and candidate of the latest durable vote; 0 and '' before any. */
  readonly votedTerm: number;
  readonly votedFor: string;
  /** '' while none is known, as is the address. */
  readonly leaderId: string;
  readonly leaderAddress: string;
  readonly commitIndex: number;
  readonly appliedIndex: number;
  readonly lastIndex: number;
  readonly firstIndex: number;
  readonly snapshotIndex: number;
  readonly configurationIndex: number;
  readonly servers: readonly {
    readonly id: string;
    readonly address: string;
    readonly suffrage: 'voter' | 'nonvoter';
  }[];
}

/** Outcome of an operation (rule 5): refused is surely not committed, unknown may still be. */
export type Outcome =
  | { readonly kind: 'committed'; readonly index: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A membership change; `previous` 0 is unconditional. */
export interface Change {
  readonly id: string;
  readonly address?: string;
  readonly previous?: number;
}

export class ControlClient {
  readonly #connection: HttpConnection;
  #last: Promise<unknown> = Promise.resolve();

  constructor(port: number) {
    this.#connection = new HttpConnection(port);
  }

  /** Sends a prebuilt request for a change of the log. Never rejects: a lost connection is an outcome. */
  async outcome(request: Uint8Array, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<Outcome> {
    try {
      return toOutcome(await this.#exchange(request, timeoutMs));
    } catch (error) {
      if (!(error instanceof HttpConnectionError)) throw error;
      return { kind: error.sent ? 'unknown' : 'refused', reason: error.message };
    }
  }

  apply(command: Uint8Array, timeoutMs?: number): Promise<Outcome> {
    return this.outcome(requestBytes('POST', '/apply', command), timeoutMs);
  }

  barrier(): Promise<Outcome> {
    return this.#post('/barrier');
  }

  /** A linearizable read; the index is one that everything committed before the call is at or below. */
  read(): Promise<Outcome> {
    return this.#post('/read');
  }

  /** Hands leadership to a named server, or to the best peer. */
  transfer(target?: { readonly id: string; readonly address: string }): Promise<Outcome> {
    return this.#post('/transfer', target);
  }

  addVoter(change: Change): Promise<Outcome> {
    return this.#post('/add-voter', change);
  }

  addNonvoter(change: Change): Promise<Outcome> {
    return this.#post('/add-nonvoter', change);
  }

  remove(change: Change): Promise<Outcome> {
    return this.#post('/remove', change);
  }

  demote(change: Change): Promise<Outcome> {
    return this.#post('/demote', change);
  }

  snapshot(): Promise<Outcome> {
    return this.#post('/snapshot');
  }

  /** Rejects when the node does not answer. */
  async status(timeoutMs = DEFAULT_TIMEOUT_MS): Promise<NodeStatus> {
    const response = await this.#exchange(requestBytes('GET', '/status'), timeoutMs);
    return JSON.parse(response.body.toString()) as NodeStatus;
  }

  /** Operations with index ≥ `from`, in order. Rejects when the node does not answer. */
  async operations(from: number, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<OperationRecord[]> {
    return decodeRecords((await this.#exchange(requestBytes('GET', `/operations?from=${from}`), timeoutMs)).body);
  }

  close(): void {
    this.#connection.close();
  }

  #post(path: string, parameters: object = {}): Promise<Outcome> {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]) => [name, String(value)] as [string, string]),
    ).toString();
    return this.outcome(requestBytes('POST', query === '' ? path : `${path}?${query}`));
  }

  #exchange(request: Uint8Array, timeoutMs: number): Promise<HttpResponse> {
    const turn = this.#last.then(() => this.#connection.request(request, timeoutMs));
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

function toOutcome(response: HttpResponse): Outcome {
  const body = JSON.parse(response.body.toString()) as { index?: number; error?: string; message?: string };
  if (response.status === 200) return { kind: 'committed', index: body.index ?? 0 };
  const reason = `${body.error ?? 'unknown'}: ${body.message ?? ''}`;
  return { kind: response.status === 409 ? 'refused' : 'unknown', reason };
}
