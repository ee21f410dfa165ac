/** How an execution client answers on its two ports, and L1 on its own: what the answers are, not when they come. */
import { wellAnswers } from '#conductor/core/health/checks';
import type { CallResult } from '#conductor/core/node/calls';
import type { Block, Blocks } from './blocks.ts';
import type { ExecutionClient, PayloadStatus } from './execution-client.ts';
import type { L1, L1View } from './l1.ts';

const wellOfClient = wellAnswers('execution');

export interface ClientMethodsHost {
  readonly blocks: Blocks;
  readonly client: ExecutionClient;
  readonly l1: L1;
  readonly l1View: L1View;
  /** The same of the endpoint that its conductor asks, which may be another one than op-node's. */
  readonly endpointView: L1View;
  readonly nowMs: number;
  /** The client has said of a payload what it takes for the truth, to its conductor. */
  judged(block: Block, status: PayloadStatus): void;
}

/** What both ports answer: the chain as the client sees it, side blocks included. */
export function answerOfClient(host: ClientMethodsHost, method: string, params: readonly unknown[]): CallResult {
  const { client, blocks } = host;
  switch (method) {
    case 'eth_blockNumber':
      return result(quantity(client.head.number));
    case 'eth_getBlockByNumber': {
      if (params[0] === 'latest') return result(headerOf(client.head));
      const block = client.at(Number(params[0]));
      return result(block === null ? null : headerOf(block));
    }
    case 'debug_setHead':
      // op-reth answers without doing anything.
      if (!client.isReth) client.setHead(Number(params[0]));
      return result(null);
    case 'eth_getBlockByHash': {
      const block = blocks.find(params[0] as string);
      return result(block !== null && client.tellsOf(block) ? headerOf(block) : null);
    }
    case 'eth_getBalance':
      return client.hasStateOfHead ? result('0x0') : { kind: 'error', code: -32000, message: 'missing trie node' };
    case 'eth_syncing':
      return result(progressOf(client));
    case 'web3_clientVersion':
      return result('simulated');
    case 'debug_getBadBlocks':
      return result(client.badBlocks.map((block) => ({ hash: block.hash, block: headerOf(block) })));
    default: {
      const well = wellOfClient[method];
      return well === undefined ? unknownMethod(method) : result(well);
    }
  }
}

/** The engine API: `engine_newPayload` in all its versions, and what the other port answers, too. */
export function answerOfEngine(host: ClientMethodsHost, method: string, params: readonly unknown[]): CallResult {
  if (method === 'engine_forkchoiceUpdatedV3') {
    const head = host.blocks.find((params[0] as { headBlockHash: string }).headBlockHash);
    const status = head !== null && host.client.adopt(head) ? 'VALID' : 'SYNCING';
    return result({ payloadStatus: { status, latestValidHash: null, validationError: null }, payloadId: null });
  }
  if (!/^engine_newPayloadV[1-4]$/.test(method)) return answerOfClient(host, method, params);
  const block = payloadOf(host.blocks, params);
  if (block === null) return { kind: 'error', code: -32602, message: 'invalid parameters' };
  const status = host.client.newPayload(block);
  host.judged(block, status);
  return result({
    status,
    latestValidHash: status === 'VALID' ? block.hash : status === 'INVALID' ? block.parentHash : null,
    validationError: status === 'INVALID' ? 'invalid merkle root' : null,
  });
}

/** How long the engine API takes for that, milliseconds: a payload is executed before it is answered. */
export function engineDelayMs(
  { blocks, client }: ClientMethodsHost,
  method: string,
  params: readonly unknown[],
): number {
  const block = method.startsWith('engine_newPayload') ? payloadOf(blocks, params) : null;
  return block === null ? 0 : client.delayMs(block);
}

/** What the L1 endpoint shows that the machine's conductor asks. */
export function answerOfL1(
  { l1, endpointView, nowMs }: ClientMethodsHost,
  method: string,
  params: readonly unknown[],
): CallResult {
  if (method === 'eth_blockNumber') return result(quantity(l1.headAt(nowMs)));
  if (method !== 'eth_getBlockByNumber') return unknownMethod(method);
  const named: Readonly<Record<string, number>> = { latest: l1.headAt(nowMs), finalized: l1.finalizedAt(nowMs) };
  const header = l1.headerAt(named[params[0] as string] ?? Number(params[0]), endpointView, nowMs);
  if (header === null) return result(null);
  const { number, hash, parentHash, timestamp } = header;
  return result({ number: quantity(number), hash, parentHash, timestamp: quantity(timestamp) });
}

function payloadOf(blocks: Blocks, [payload]: readonly unknown[]): Block | null {
  const hash = typeof payload === 'object' && payload !== null ? (payload as { blockHash?: unknown }).blockHash : null;
  return typeof hash === 'string' ? blocks.find(hash) : null;
}

/** What it tells of its sync; false for none. op-reth names its head twice, and the blocks where its stages are. */
function progressOf({ isReth, isSyncing, saysItSyncs, head }: ExecutionClient): unknown {
  if (!isSyncing && !saysItSyncs) return false;
  const currentBlock = quantity(head.number);
  if (!isReth) return { currentBlock };
  const stages = [
    { name: 'Headers', block: quantity(head.number + (isSyncing ? 1 : 0)) },
    { name: 'Finish', block: currentBlock },
  ];
  return { currentBlock, highestBlock: currentBlock, stages };
}

function headerOf({ number, hash, parentHash }: Block): unknown {
  return { number: quantity(number), hash, parentHash };
}

function quantity(number: number): string {
  return `0x${number.toString(16)}`;
}

function result(value: unknown): CallResult {
  return { kind: 'result', value };
}

function unknownMethod(method: string): CallResult {
  return { kind: 'error', code: -32601, message: `the method ${method} does not exist` };
}
