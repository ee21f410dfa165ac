/**
 * What the tool asks of one op-node and tells it to do. Reads come in one request; what a node does not tell
 * (older op-nodes know no admin_conductorEnabled) is null.
 */
import { unsafeHeadOf, type NodeState } from './node-state.ts';
import { RpcCallError, RpcEndpoint, type Answer } from './rpc-endpoint.ts';

/** Longest wait for a start or a stop, milliseconds: a stop waits for the block in the making. */
const CHANGE_MS_MAX = 20_000;
const HASH = /^0x[0-9a-fA-F]{64}$/;

/** Changes throw RpcCallError with the node's words. */
export interface NodeClient {
  state(timeoutMs: number): Promise<NodeState>;
  /** Seconds from one block to the next; null when the node does not tell. */
  blockSeconds(timeoutMs: number): Promise<number | null>;
  /** Starts sequencing on top of the block with this hash. */
  startSequencer(hash: string): Promise<void>;
  /** Stops sequencing; the hash of the last block it made. `timeoutMs`: how long is waited for that. */
  stopSequencer(timeoutMs?: number): Promise<string>;
}

const reads = ['optimism_syncStatus', 'admin_sequencerActive', 'admin_conductorEnabled', 'opp2p_peerStats'] as const;

/** A client for the op-node at `url`. */
export function createNodeClient(url: string): NodeClient {
  const endpoint = new RpcEndpoint(url);
  return {
    state: async (timeoutMs) => readState(await endpoint.batch(reads, timeoutMs)),
    async blockSeconds(timeoutMs) {
      const config = await endpoint.call('optimism_rollupConfig', [], timeoutMs);
      const { block_time } = (config ?? {}) as { block_time?: unknown };
      return typeof block_time === 'number' && block_time > 0 ? block_time : null;
    },
    async startSequencer(hash) {
      await endpoint.call('admin_startSequencer', [hash], CHANGE_MS_MAX);
    },
    async stopSequencer(timeoutMs = CHANGE_MS_MAX) {
      const hash = await endpoint.call('admin_stopSequencer', [], timeoutMs);
      if (typeof hash === 'string' && HASH.test(hash)) return hash.toLowerCase();
      throw new RpcCallError('admin_stopSequencer was not answered with the hash of a block', null);
    },
  };
}

function readState(answers: readonly Answer[]): NodeState {
  const [status, isSequencing, isConductorEnabled, peers] = answers.map((answer) =>
    answer.kind === 'result' ? answer.result : null,
  );
  const { connected } = (peers ?? {}) as { connected?: unknown };
  return {
    unsafeHead: unsafeHeadOf(status),
    isSequencing: typeof isSequencing === 'boolean' ? isSequencing : null,
    isConductorEnabled: typeof isConductorEnabled === 'boolean' ? isConductorEnabled : null,
    peerCount: typeof connected === 'number' ? connected : null,
  };
}
