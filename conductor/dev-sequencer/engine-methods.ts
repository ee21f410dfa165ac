/**
 * The engine API of a development sequencer (execution-apis, engine): payloads and forkchoice updates as op-geth takes
 * them on a chain whose every fork up to Jovian is active, so payloads come as version 4. It builds for its own node
 * only: payload attributes are refused.
 */
import { BadHashError, blockFromEnvelope, type DevBlock } from './block.ts';
import type { ExecutionClient, PayloadStatus } from './execution-client.ts';
import { RpcError, type RpcMethods } from './json-rpc-server.ts';
import { hashParam } from './params.ts';

/** Codes of the engine API. */
const INVALID_PARAMS = -32602;
const INVALID_ATTRIBUTES = -38003;
const UNSUPPORTED_FORK = -38005;

/** The methods of the engine port, besides the eth methods. */
export function engineMethods(client: ExecutionClient): RpcMethods {
  const methods: RpcMethods = {
    engine_newPayloadV1: () => unsupported('newPayloadV1'),
    engine_newPayloadV2: () => unsupported('newPayloadV2'),
    engine_newPayloadV3: () => unsupported('newPayloadV3'),
    engine_newPayloadV4: (params) => newPayload(client, params),
    engine_forkchoiceUpdatedV1: () => unsupported('forkchoiceUpdatedV1'),
    engine_forkchoiceUpdatedV2: () => unsupported('forkchoiceUpdatedV2'),
    engine_forkchoiceUpdatedV3: ([state, attributes]) => forkchoiceUpdated(client, state, attributes),
    engine_getClientVersionV1: () => [
      { code: 'CD', name: 'conductor-dev-sequencer', version: '0', commit: '0x00000000' },
    ],
  };
  const names = [...Object.keys(methods), 'engine_exchangeCapabilities'];
  return { ...methods, engine_exchangeCapabilities: () => names };
}

async function newPayload(client: ExecutionClient, params: readonly unknown[]): Promise<PayloadStatus> {
  const [executionPayload, versionedHashes, parentBeaconBlockRoot, requests] = params;
  if (!Array.isArray(versionedHashes)) throw new RpcError('nil versionedHashes post-cancun', INVALID_PARAMS);
  if (parentBeaconBlockRoot === undefined || parentBeaconBlockRoot === null)
    throw new RpcError('nil beaconRoot post-cancun', INVALID_PARAMS);
  if (!Array.isArray(requests)) throw new RpcError('nil executionRequests post-prague', INVALID_PARAMS);
  let block: DevBlock;
  try {
    block = blockFromEnvelope({ parentBeaconBlockRoot, executionPayload });
  } catch (error) {
    if (!(error instanceof BadHashError)) throw error;
    return { status: 'INVALID', latestValidHash: null, validationError: error.message };
  }
  return client.newPayload(block);
}

function forkchoiceUpdated(client: ExecutionClient, state: unknown, attributes: unknown): Record<string, unknown> {
  if (attributes !== undefined && attributes !== null)
    throw new RpcError('Invalid payload attributes: this client builds for its own node only', INVALID_ATTRIBUTES);
  const head = hashParam((state as { headBlockHash?: unknown } | null)?.headBlockHash, 0);
  const isKnown = client.setHead(head);
  const payloadStatus: PayloadStatus = isKnown
    ? { status: 'VALID', latestValidHash: head, validationError: null }
    : { status: 'SYNCING', latestValidHash: null, validationError: null };
  return { payloadStatus, payloadId: null };
}

function unsupported(method: string): never {
  throw new RpcError(`Unsupported fork: ${method} must not be called on this chain`, UNSUPPORTED_FORK);
}
