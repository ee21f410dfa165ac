/**
 * Speaks to the execution client's engine API: a fresh token for each request, kept-alive connections, and bounds on
 * what is sent and what waits. A token that is refused is a matter of clocks or of the secret, never of the client's
 * health: the secret's file is read again, and who looks at the log is told once.
 */
import type { CallResult, NodeRequest } from '#conductor/core/node/calls';
import type { Logger, Metrics } from '#conductor/core/ports';
import { parseJwtSecret } from '../auth/jwt.ts';
import { SecretFile } from '../auth/secret-file.ts';
import { fileWatchMs } from '../system/file-watch.ts';
import { postCall } from '../sequencer/json-rpc-post.ts';
import { engineToken } from './engine-token.ts';
import { Lane } from './lane.ts';

/** Largest body that is sent, in characters, all of them ASCII: what op-geth takes (engineAPIBodyLimit). */
const requestLengthMax = 128 * 1024 * 1024;
/** The same of all requests that wait or are under way. */
const outstandingLengthMax = 256 * 1024 * 1024;
/** A client executes one payload at a time; a few more are on their way meanwhile. */
const payloadBounds = { runningMax: 4, waitingMax: 64 };
/** Questions do not wait behind payloads. */
const questionBounds = { runningMax: 16, waitingMax: 64 };

export interface EngineClientOptions {
  readonly url: string;
  /** Path of the file with the secret. */
  readonly jwtSecretFile: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Wall clock, Unix milliseconds. */
  unixMs(): number;
  /** Monotonic milliseconds. */
  now(): number;
}

export class EngineClient {
  readonly #options: EngineClientOptions;
  readonly #secret: SecretFile<Uint8Array>;
  readonly #payloads = new Lane(payloadBounds);
  readonly #questions = new Lane(questionBounds);
  #outstandingLength = 0;
  #lookedAtMs: number;
  #isRefused = false;

  /** Reads the secret; throws ConfigError when it cannot be used. */
  constructor(options: EngineClientOptions) {
    this.#options = options;
    const { jwtSecretFile: path, logger } = options;
    const flag = 'execution.jwt-secret';
    this.#secret = new SecretFile({ flag, path, logger, parse: parseJwtSecret, reloaded: () => undefined });
    this.#lookedAtMs = options.now();
  }

  /** Runs one request to its end; never rejects. */
  async execute(request: NodeRequest): Promise<CallResult> {
    const { metrics, now } = this.#options;
    const began = now();
    const result = await this.#bounded(request);
    const outcome = result.kind === 'failed' ? result.reason : result.kind;
    metrics.count('engine_requests_total', { method: request.method, outcome });
    metrics.observe('engine_request_seconds', (now() - began) / 1000, { method: request.method });
    return result;
  }

  /** Reads the secret's file now, changed or not. */
  reload(): void {
    this.#secret.reload();
  }

  async #bounded(request: NodeRequest): Promise<CallResult> {
    const { length } = request.params;
    if (length > requestLengthMax)
      return overflow(request, `has ${length} bytes, at most ${requestLengthMax} are sent`);
    if (this.#outstandingLength + length > outstandingLengthMax)
      return overflow(request, `and those before it have more than ${outstandingLengthMax} bytes`);
    const endsAtMs = this.#options.now() + request.timeoutMs;
    const lane = request.method.startsWith('engine_newPayload') ? this.#payloads : this.#questions;
    this.#outstandingLength += length;
    try {
      const turn = await lane.enter(request.timeoutMs);
      if (turn === 'full') return overflow(request, 'is one too many: the engine API does not keep up');
      if (turn === 'timeout') return late(request);
      try {
        return await this.#authorized(request, endsAtMs);
      } finally {
        lane.leave();
      }
    } finally {
      this.#outstandingLength -= length;
    }
  }

  /** With the secret that is in force; once more where the file holds another since. */
  async #authorized(request: NodeRequest, endsAtMs: number): Promise<CallResult> {
    this.#lookAtSecret();
    let result = await this.#post(request, endsAtMs);
    if (isUnauthorized(result) && this.#secret.reread((left, right) => Buffer.compare(left, right) === 0))
      result = await this.#post(request, endsAtMs);
    this.#tell(result);
    return result;
  }

  async #post(request: NodeRequest, endsAtMs: number): Promise<CallResult> {
    const { url, unixMs, now } = this.#options;
    const timeoutMs = Math.ceil(endsAtMs - now());
    if (timeoutMs <= 0) return late(request);
    const token = engineToken(this.#secret.content, unixMs() / 1000);
    return postCall(url, { ...request, timeoutMs }, { headers: { Authorization: `Bearer ${token}` } });
  }

  #lookAtSecret(): void {
    const nowMs = this.#options.now();
    if (nowMs - this.#lookedAtMs < fileWatchMs) return;
    this.#lookedAtMs = nowMs;
    this.#secret.poll();
  }

  /** A line when tokens begin to be refused, and one when that is over. */
  #tell(result: CallResult): void {
    const isRefused = isUnauthorized(result);
    const isAnswer = result.kind !== 'failed';
    if (isRefused === this.#isRefused || !(isRefused || isAnswer)) return;
    this.#isRefused = isRefused;
    const { logger } = this.#options;
    if (!isRefused) return logger.log('info', 'the engine API takes our tokens again');
    const compare = 'compare the secrets, and the clocks of both machines';
    const isHost = isHostRefused(result);
    const text = isHost
      ? `the engine API refuses our requests: is the host of --execution.engine-rpc one of its virtual hosts (op-geth: --authrpc.vhosts)? Else ${compare}`
      : `the engine API refuses our tokens: ${compare}`;
    logger.log('error', text, {
      err: result.kind === 'failed' ? result.message : '',
      flag: isHost ? 'execution.engine-rpc' : 'execution.jwt-secret',
    });
  }
}

/** Status 403: op-geth looks at the host that is asked for after the token, and refuses it so; some refuse tokens so, too. */
export function isHostRefused(result: CallResult): boolean {
  return result.kind === 'failed' && result.reason === 'unauthorized' && result.message.startsWith('403 ');
}

function isUnauthorized(result: CallResult): boolean {
  return result.kind === 'failed' && result.reason === 'unauthorized';
}

function overflow(request: NodeRequest, why: string): CallResult {
  return { kind: 'failed', reason: 'overflow', message: `${request.method} was not sent: its request ${why}` };
}

function late(request: NodeRequest): CallResult {
  const message = `${request.method} had no turn at the engine API within ${Math.ceil(request.timeoutMs)} ms`;
  return { kind: 'failed', reason: 'timeout', message };
}
