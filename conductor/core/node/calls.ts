/**
 * Requests to the own op-node and execution client, as values, and readers of their answers.
 * Every answer is untrusted: a reader returns null for anything that is not of the expected shape.
 */

/**
 * Who is asked. 'engine' is the execution client's authenticated engine API, 'l1' an L1 client: neither need be
 * configured (engine-calls.ts). 'peer' is only ever dialled: method 'dial', params the address, nothing is sent.
 * 'rollupBoost' is only ever fetched: method 'GET', no params, and its result is an HttpAnswer.
 */
export type CallTarget = 'node' | 'execution' | 'executionPeers' | 'engine' | 'l1' | 'rollupBoost' | 'peer';

export interface NodeRequest {
  readonly target: CallTarget;
  readonly method: string;
  /** JSON text of the params array. */
  readonly params: string;
  readonly timeoutMs: number;
  /** A health probe: its own connection, so that a half-dead one is not reused. */
  readonly isProbe?: boolean;
  /** The result's value is wanted as its JSON text, for passing on: no number of it is rounded. */
  readonly isVerbatim?: boolean;
}

/**
 * How a request ended. 'error' is the server's own JSON-RPC error; 'failed' means that none was read: 'unauthorized'
 * is HTTP status 401 or 403, of the engine API whatever the body says, 'overflow' a bound of our own, at which nothing
 * was sent.
 */
export type CallResult =
  | { readonly kind: 'result'; readonly value: unknown }
  | {
      readonly kind: 'error';
      readonly code: number;
      readonly message: string;
      /** JSON text of the error's data, where it had any. */
      readonly data?: string;
    }
  | {
      readonly kind: 'failed';
      readonly reason: FailedReason;
      readonly message: string;
    };

export type FailedReason =
  | 'refused'
  | 'timeout'
  | 'unreachable'
  | 'unauthorized'
  | 'malformed'
  | 'overflow'
  | 'cancelled';

/** What a fetched URL answered, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** A block by height and hash (0x, lower case). */
export interface BlockRef {
  readonly number: bigint;
  readonly hash: string;
}

export interface BlockHeader extends BlockRef {
  readonly parentHash: string;
}

/** Deadlines of single requests, milliseconds. */
const headTimeoutMs = 2000;
const startTimeoutMs = 5000;
export const stopTimeoutMs = 5000;
const postTimeoutMs = 5000;
const activeTimeoutMs = 2000;

/** A question without parameters. */
export function question(target: CallTarget, method: string, timeoutMs: number): NodeRequest {
  return { target, method, params: '[]', timeoutMs };
}

export const latestBlock: NodeRequest = {
  target: 'execution',
  method: 'eth_getBlockByNumber',
  params: '["latest",false]',
  timeoutMs: headTimeoutMs,
};

export const sequencerActive = question('node', 'admin_sequencerActive', activeTimeoutMs);

export const syncStatus = question('node', 'optimism_syncStatus', headTimeoutMs);

/** Asks for a header by hash. */
export function blockByHash(hash: string): NodeRequest {
  return { target: 'execution', method: 'eth_getBlockByHash', params: `["${hash}",false]`, timeoutMs: headTimeoutMs };
}

/** Asks for the header at a height of the node's own chain. */
export function blockByNumber(number: bigint): NodeRequest {
  const params = `["0x${number.toString(16)}",false]`;
  return { target: 'execution', method: 'eth_getBlockByNumber', params, timeoutMs: headTimeoutMs };
}

/** Answered by a client that has the state of its head, and so can execute what follows it. */
export const stateOfHead: NodeRequest = {
  target: 'execution',
  method: 'eth_getBalance',
  params: `["0x${'0'.repeat(40)}","latest"]`,
  timeoutMs: headTimeoutMs,
};

/**
 * Answered by op-node's driver loop, between events: answers in a row show that what was queued before the first is
 * handled. `number` is a block of its chain that is not finalized yet.
 */
export function outputAtBlock(number: bigint): NodeRequest {
  const params = `["0x${number.toString(16)}"]`;
  return { target: 'node', method: 'optimism_outputAtBlock', params, timeoutMs: headTimeoutMs };
}

/** Hash of the L1 origin that such an answer names, lower case; null where it names none. */
export function readOutputOrigin(output: unknown): string | null {
  const { hash } = membersOf(membersOf(membersOf(output)['blockRef'])['l1origin']);
  return isHash(hash) ? hash.toLowerCase() : null;
}

/** Starts the sequencer on top of `hash`. */
export function startSequencer(hash: string): NodeRequest {
  return { target: 'node', method: 'admin_startSequencer', params: `["${hash}"]`, timeoutMs: startTimeoutMs };
}

/** Stops the sequencer; the answer is the hash of its head. */
export function stopSequencer(timeoutMs: number = stopTimeoutMs): NodeRequest {
  return question('node', 'admin_stopSequencer', timeoutMs);
}

/** Switches op-node's recover mode: blocks without the pool's transactions, each with the next L1 origin. */
export function setRecoverMode(isOn: boolean): NodeRequest {
  return { target: 'node', method: 'admin_setRecoverMode', params: `[${isOn}]`, timeoutMs: activeTimeoutMs };
}

/** Has op-node look in its client where the chain ends, and go on from there; it believes in its own head otherwise. */
export const resetPipeline = question('node', 'admin_resetDerivationPipeline', headTimeoutMs);

/** Hands a payload envelope (JSON text) to the node, as if it had come by gossip. */
export function postPayload(envelopeJson: string): NodeRequest {
  return { target: 'node', method: 'admin_postUnsafePayload', params: `[${envelopeJson}]`, timeoutMs: postTimeoutMs };
}

/** The header in an answer of eth_getBlockBy…, or null. */
export function readHeader(value: unknown): BlockHeader | null {
  const { number, hash, parentHash } = membersOf(value);
  const height = readQuantity(number);
  if (height === null || !isHash(hash) || !isHash(parentHash)) return null;
  return { number: height, hash: hash.toLowerCase(), parentHash: parentHash.toLowerCase() };
}

/** Whether an answer to `latestBlock` names the block of that hash. */
export function isHead(answer: CallResult, hash: string): boolean {
  return answer.kind === 'result' && readHeader(answer.value)?.hash === hash;
}

/** The heads in an answer of optimism_syncStatus. */
type SyncHead = 'unsafe_l2' | 'safe_l2' | 'head_l1' | 'finalized_l1';

/** A head that op-node told when it was asked for its status; null where it told none, or did not answer. */
export function syncHeadOf(answer: CallResult | null | undefined, name: SyncHead): BlockRef | null {
  return answer?.kind === 'result' ? readSyncHead(answer.value, name) : null;
}

/** A head in an answer of optimism_syncStatus, whose numbers are plain; null where there is none. */
export function readSyncHead(status: unknown, name: SyncHead): BlockRef | null {
  const { number, hash } = membersOf(membersOf(status)[name]);
  if (!Number.isSafeInteger(number) || (number as number) < 0 || !isHash(hash)) return null;
  return { number: BigInt(number as number), hash: hash.toLowerCase() };
}

/** Whether it is no head at all: op-node tells of none, in zeros, while its derivation is being reset and before its first head. */
export function isUnset({ hash }: Pick<BlockRef, 'hash'>): boolean {
  return /^0x0*$/.test(hash);
}

/** Height of the newest L1 block in an answer of optimism_syncStatus; null where there is none. */
export function readL1Number(status: unknown): bigint | null {
  const { number } = membersOf(membersOf(status)['head_l1']);
  return Number.isSafeInteger(number) && (number as number) >= 0 ? BigInt(number as number) : null;
}

/** The members of an answer, or of a part of one; none where it is no object. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A hex quantity (0x…, at most 64 bits), or null. */
export function readQuantity(value: unknown): bigint | null {
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value) ? BigInt(value) : null;
}

/** What went wrong, for logs; null when nothing did. */
export function failureOf(result: CallResult): string | null {
  return result.kind === 'result' ? null : result.message;
}

/** "0x" and 64 hex digits. */
export function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);
}
