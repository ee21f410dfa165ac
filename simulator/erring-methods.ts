/** Methods that are answered with an error, counted by method, so that faults overlap and end in any order. */
import type { CallResult } from '#conductor/core/node/calls';

/** What op-node says while a caller's time runs out, or its engine is busy. */
const ERROR: CallResult = { kind: 'error', code: -32000, message: 'context deadline exceeded' };

/** What op-node is asked, and its client: each bit of an amount is one of these. */
export const NODE_READS = [
  ['optimism_syncStatus'],
  ['opp2p_peerStats'],
  ['admin_sequencerActive'],
  ['optimism_outputAtBlock'],
] as const;
export const CLIENT_READS = [
  ['eth_blockNumber'],
  ['eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getBalance'],
  ['eth_syncing'],
  ['debug_getBadBlocks'],
  ['net_peerCount', 'admin_peers'],
] as const;

/** What op-node is told to do, and its client by the conductor. */
export const NODE_ORDERS = [
  ['admin_setRecoverMode'],
  ['admin_resetDerivationPipeline'],
  ['admin_postUnsafePayload'],
  ['admin_stopSequencer'],
  ['admin_startSequencer'],
] as const;
export const ENGINE_CALLS = [
  [1, 2, 3, 4].map((version) => `engine_newPayloadV${version}`),
  ['engine_forkchoiceUpdatedV3'],
  ['debug_setHead'],
] as const;

/** The methods of the bits of an amount, at least one of them. */
export function methodsOf(groups: readonly (readonly string[])[], amount: number): readonly string[] {
  const bits = 1 + (amount % (2 ** groups.length - 1));
  return groups.filter((_, at) => ((bits >> at) & 1) === 1).flat();
}

/** Whether those of op-node that an amount names are asked for with each check. */
export function isChecked(amount: number): boolean {
  return methodsOf(NODE_READS, amount).some(
    (method) => method === 'optimism_syncStatus' || method === 'opp2p_peerStats',
  );
}

export class ErringMethods {
  readonly #counts = new Map<string, number>();

  /** One more fault of these methods, or with `by` −1 one less. */
  change(methods: readonly string[], by: 1 | -1): void {
    for (const method of methods) this.#counts.set(method, (this.#counts.get(method) ?? 0) + by);
  }

  /** What is answered to a method in place of what it asks for; null where it is answered. */
  errorOf(method: string): CallResult | null {
    return (this.#counts.get(method) ?? 0) > 0 ? ERROR : null;
  }
}
