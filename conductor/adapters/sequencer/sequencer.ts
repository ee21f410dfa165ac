/**
 * Carries out the conductor's requests to the own op-node, execution client and L1 client over HTTP (the engine API
 * has a client of its own, engine/), and dials peers for the membership methods.
 */
import type { CallResult, NodeRequest } from '#conductor/core/node/calls';
import { postCall } from './json-rpc-post.ts';
import { dialPeer } from './peer-dial.ts';

export interface Endpoints {
  readonly node: string;
  readonly execution: string;
  readonly executionPeers: string;
  /** Absent or '' where none is configured. */
  readonly l1?: string;
  /** Whole URL of rollup-boost's health check; fetched only when that check is on. */
  readonly rollupBoost: string;
}

/** Runs one request to its end; never rejects. */
export async function executeRequest(
  endpoints: Endpoints,
  request: NodeRequest,
  cancel?: AbortSignal,
): Promise<CallResult> {
  const { target, method } = request;
  if (target === 'peer') return dialPeer(request);
  const url = target === 'engine' ? '' : (endpoints[target] ?? '');
  if (url === '' && (target === 'engine' || target === 'l1')) {
    const flag = target === 'engine' ? '--execution.engine-rpc' : '--l1.rpc';
    return { kind: 'failed', reason: 'unreachable', message: `${method} needs ${flag}, which is not given` };
  }
  return postCall(url, request, cancel === undefined ? {} : { cancel });
}
