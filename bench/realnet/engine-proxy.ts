/**
 * Stands between one op-geth's engine API and its users, op-node and conductor, and passes everything on, except for what
 * its orders spoil: seals with a wrong state root, which every client refuses, blocks that this client alone refuses,
 * slow answers, seals that fail. A client that is gone is gone here too: the connection is closed without an answer.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { blockHash } from '#conductor/core/payload/block-hash';
import { prefixedHex } from '#conductor/core/payload/hex';
import { parseEnvelope } from '#conductor/core/payload/parse-envelope';
import { pause } from '../../tests/cluster/wait.ts';

/** A block as its builder hands it out. */
export interface Seal {
  /** Of the job: the same attributes on the same parent give the same id. */
  readonly payloadId: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly number: number;
  /** Holds more than deposits. */
  readonly isFull: boolean;
}

/** What is spoilt; an absent order changes nothing. */
export interface EngineOrders {
  /** Called for every seal; true gives it a wrong state root and the hash that goes with it. */
  readonly spoils?: (seal: Seal) => boolean;
  /** Blocks that this client calls INVALID, without executing them. */
  readonly refuses?: (block: { readonly hash: string; readonly parentHash: string }) => boolean;
  /** Called with every block that is handed out, spoilt or not. */
  readonly onSeal?: (seal: Seal) => void;
  /** engine_newPayload is answered so much later. */
  readonly delayMs?: number;
  /** engine_getPayload is answered with an error: the head stands while everything answers. */
  readonly failsToSeal?: boolean;
  /** Requests are taken, and wait until there is no such order any more. */
  readonly hangs?: boolean;
}

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface PayloadJson {
  stateRoot: string;
  blockHash: string;
  readonly parentHash: string;
  readonly blockNumber: string;
  readonly transactions: readonly string[];
}

interface Sealed {
  readonly executionPayload: PayloadJson;
  readonly parentBeaconBlockRoot: string;
}

/** Whether a request that waits may go on is looked at so often. */
const HUNG_LOOK_MS = 20;
/** First byte of a deposit, which is in every block. */
const DEPOSIT = '0x7e';

export class EngineProxy implements AsyncDisposable {
  orders: EngineOrders = {};
  /** Hashes that op-node had this client execute: what it was given by gossip. A conductor of ours may ask about others. */
  readonly asked = new Set<string>();
  readonly #engineUrl: string;
  readonly #server: Server;

  constructor(port: number, engineUrl: string) {
    this.#engineUrl = engineUrl;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.listen(port, '127.0.0.1');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    while (this.orders.hangs === true && !response.destroyed) await pause(HUNG_LOOK_MS);
    if (response.destroyed) return;
    try {
      const call = JSON.parse(body) as Call;
      const isOurs = request.headers['user-agent']?.startsWith('Bun/') === true;
      const refusal = await this.#refusalOf(call, isOurs);
      if (refusal !== null) return answer(response, 200, JSON.stringify({ jsonrpc: '2.0', id: call.id, ...refusal }));
      const passed = await fetch(this.#engineUrl, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: request.headers.authorization ?? '' },
        body,
        signal: abortedWith(response),
      });
      const text = await passed.text();
      if (call.method.startsWith('engine_newPayload')) await pause(this.orders.delayMs ?? 0);
      const isSeal = call.method.startsWith('engine_getPayload');
      answer(response, passed.status, isSeal ? this.#sealed(String(call.params[0]), text) : text);
    } catch {
      // As a client that is gone: no status, no answer.
      request.socket.destroy();
    }
  }

  /** What is answered without asking the client; null where it is asked. */
  async #refusalOf({ method, params }: Call, isOurs: boolean): Promise<object | null> {
    if (method.startsWith('engine_getPayload') && this.orders.failsToSeal === true)
      return { error: { code: -32_000, message: 'the builder is out of order' } };
    if (!method.startsWith('engine_newPayload')) return null;
    const { blockHash: hash, parentHash } = params[0] as PayloadJson;
    if (!isOurs) this.asked.add(hash);
    if (this.orders.refuses?.({ hash, parentHash }) !== true) return null;
    await pause(this.orders.delayMs ?? 0);
    return { result: { status: 'INVALID', latestValidHash: null, validationError: 'refused by order' } };
  }

  #sealed(payloadId: string, text: string): string {
    const whole = JSON.parse(text) as { result?: Sealed };
    if (whole.result === undefined) return text;
    const payload = whole.result.executionPayload;
    const seal = (): Seal => ({
      payloadId,
      hash: payload.blockHash,
      parentHash: payload.parentHash,
      number: Number(payload.blockNumber),
      isFull: payload.transactions.some((transaction) => !transaction.startsWith(DEPOSIT)),
    });
    const isSpoilt = this.orders.spoils?.(seal()) === true;
    if (isSpoilt) spoil(whole.result);
    this.orders.onSeal?.(seal());
    return isSpoilt ? JSON.stringify(whole) : text;
  }
}

/** Flips the last bit of the state root, and makes the hash that of the fields again: only execution shows it. */
function spoil(sealed: Sealed): void {
  const { executionPayload: payload } = sealed;
  const last = Number.parseInt(payload.stateRoot.slice(-1), 16);
  payload.stateRoot = payload.stateRoot.slice(0, -1) + (last ^ 1).toString(16);
  const envelope = parseEnvelope({
    executionPayload: payload,
    parentBeaconBlockRoot: sealed.parentBeaconBlockRoot,
  });
  if (envelope instanceof Error) throw envelope;
  payload.blockHash = prefixedHex(blockHash(envelope));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part as Uint8Array);
  return Buffer.concat(parts).toString();
}

/** Gives up asking the client when its own user has given up. */
function abortedWith(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
}
