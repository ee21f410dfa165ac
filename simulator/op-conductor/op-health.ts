/** A round of op-conductor's health check: the age of the unsafe head, and how many peers the node has. */
import type { HealthOptions } from '#conductor/core/health/check';
import type { NodeRequest } from '#conductor/core/node/calls';
import { call, type Steps } from '#conductor/core/node/effects';
import type { Health } from './op-control.ts';

export function* healthOf(options: HealthOptions, unixMs: () => number): Steps<Health> {
  const { unsafeIntervalSeconds, minPeerCount, timeoutMs } = options;
  const status = yield* call(probe('optimism_syncStatus', timeoutMs));
  if (status.kind !== 'result') return 'connection down';
  const { unsafe_l2: head } = status.value as { readonly unsafe_l2: { readonly timestamp: number } };
  if (Math.floor(unixMs() / 1000) - head.timestamp > unsafeIntervalSeconds) return 'unhealthy';
  const stats = yield* call(probe('opp2p_peerStats', timeoutMs));
  if (stats.kind !== 'result') return 'connection down';
  return (stats.value as { readonly connected: number }).connected < minPeerCount ? 'unhealthy' : 'healthy';
}

function probe(method: string, timeoutMs: number): NodeRequest {
  return { target: 'node', method, params: '[]', timeoutMs, isProbe: true };
}
