/** What changes a node or its client, beside starts and stops: under a pause or an override both are the operator's. */
import type { NodeRequest } from '#conductor/core/node/calls';

/** Whether a request makes op-node look anew, a client drop blocks, or a sequencer leave transactions out. */
export function changesTheNode({ method, params }: Pick<NodeRequest, 'method' | 'params'>): boolean {
  // Recover mode that is given back was lent before.
  if (method === 'admin_setRecoverMode') return params === '[true]';
  return method === 'admin_resetDerivationPipeline' || method === 'debug_setHead';
}
