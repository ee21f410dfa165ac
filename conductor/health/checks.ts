/**
 * The health checks, pure: which requests one round makes and what verdict the answers add up to.
 * The five cause texts appear in a metric label and in alerts, so they are op-conductor's.
 */
import type { CallResult, NodeRequest } from '../control/calls.ts';
import { readQuantity } from '../control/calls.ts';

/** Why a round failed, by its text. The three about rollup-boost belong to checks of the execution path. */
export const causes = {
  unhealthy: 'sequencer is not healthy',
  connectionDown: 'cannot connect to sequencer rpc endpoints',
  rollupBoostDown: 'cannot connect to rollup boost rpc endpoints',
  rollupBoostPartial: 'rollup boost is partially healthy (does not produce blocks with the builder)',
  rollupBoostUnhealthy: 'rollup boost is not healthy',
} as const;
export type Cause = keyof typeof causes;

/** The result of one round. `detail` says more than the cause, for logs. */
export type Verdict =
  | { readonly isHealthy: true }
  | { readonly isHealthy: false; readonly cause: Cause; readonly detail: string };

export interface HealthOptions {
  readonly unsafeIntervalSeconds: number;
  readonly isSafeEnabled: boolean;
  readonly safeIntervalSeconds: number;
  readonly minPeerCount: number;
  /** null: the execution client's peers are not counted. */
  readonly executionPeers: { readonly minCount: number; readonly api: 'net' | 'admin' } | null;
  /** Deadline of one request, milliseconds. */
  readonly timeoutMs: number;
}

/** Answers of a round, by check; null where the check was not made. */
export interface Answers {
  readonly syncStatus: CallResult;
  readonly peerStats: CallResult;
  readonly executionPeers: CallResult | null;
}

/** The requests of a round, in order: sync status, peer count, then the optional execution peers. */
export function requestsOf(options: HealthOptions): NodeRequest[] {
  const { timeoutMs } = options;
  const requests: NodeRequest[] = [
    { target: 'node', method: 'optimism_syncStatus', params: '[]', timeoutMs, isProbe: true },
    { target: 'node', method: 'opp2p_peerStats', params: '[]', timeoutMs, isProbe: true },
  ];
  if (options.executionPeers !== null) {
    const method = options.executionPeers.api === 'net' ? 'net_peerCount' : 'admin_peers';
    requests.push({ target: 'executionPeers', method, params: '[]', timeoutMs, isProbe: true });
  }
  return requests;
}

/**
 * The verdict. `nowSeconds` is wall time. `graceSeconds` is the wall time at which the sequencer was last
 * started, or null: for one unsafe interval its lag counts from there (rule 19).
 */
export function judge(
  options: HealthOptions,
  answers: Answers,
  nowSeconds: number,
  startedAtSeconds: number | null,
): Verdict {
  return (
    judgeHeads(options, answers.syncStatus, nowSeconds, startedAtSeconds) ??
    judgePeers(options, answers.peerStats) ??
    judgeExecutionPeers(options, answers.executionPeers) ?? { isHealthy: true }
  );
}

/** The node's unsafe head in an answer of optimism_syncStatus; null where there is none. */
export function unsafeHeadOf(answer: CallResult): { readonly number: number; readonly hash: string } | null {
  if (answer.kind !== 'result') return null;
  const head = fieldOf(answer.value, 'unsafe_l2');
  const number = fieldOf(head, 'number');
  const hash = fieldOf(head, 'hash');
  const isHead =
    Number.isSafeInteger(number) &&
    (number as number) >= 0 &&
    typeof hash === 'string' &&
    /^0x[0-9a-f]{64}$/i.test(hash);
  return isHead ? { number: number as number, hash } : null;
}

function judgeHeads(
  options: HealthOptions,
  answer: CallResult,
  nowSeconds: number,
  startedAtSeconds: number | null,
): Verdict | null {
  if (answer.kind !== 'result') return down('optimism_syncStatus', answer);
  const unsafe = timestampOf(answer.value, 'unsafe_l2');
  const safe = timestampOf(answer.value, 'safe_l2');
  if (unsafe === null || safe === null) return unhealthy('optimism_syncStatus has no unsafe_l2 and safe_l2 timestamps');
  const isInGrace = startedAtSeconds !== null && nowSeconds - startedAtSeconds <= options.unsafeIntervalSeconds;
  const lag = Math.max(0, nowSeconds - (isInGrace ? Math.max(unsafe, startedAtSeconds) : unsafe));
  if (lag > options.unsafeIntervalSeconds) {
    return unhealthy(`the unsafe head is ${lag} s old, allowed are ${options.unsafeIntervalSeconds}`);
  }
  const safeLag = Math.max(0, nowSeconds - safe);
  if (options.isSafeEnabled && safeLag > options.safeIntervalSeconds) {
    return unhealthy(`the safe head is ${safeLag} s old, allowed are ${options.safeIntervalSeconds}`);
  }
  return null;
}

function judgePeers(options: HealthOptions, answer: CallResult): Verdict | null {
  if (answer.kind !== 'result') return down('opp2p_peerStats', answer);
  const connected = fieldOf(answer.value, 'connected');
  if (typeof connected !== 'number') return unhealthy('opp2p_peerStats has no connected count');
  if (connected >= options.minPeerCount) return null;
  return unhealthy(`the node has ${connected} peers, needed are ${options.minPeerCount}`);
}

function judgeExecutionPeers(options: HealthOptions, answer: CallResult | null): Verdict | null {
  if (options.executionPeers === null || answer === null) return null;
  const { api, minCount } = options.executionPeers;
  if (answer.kind !== 'result') return down(api === 'net' ? 'net_peerCount' : 'admin_peers', answer);
  const count = api === 'net' ? readQuantity(answer.value) : Array.isArray(answer.value) ? answer.value.length : null;
  if (count === null) return unhealthy('the execution client did not say how many peers it has');
  if (count >= minCount) return null;
  return unhealthy(`the execution client has ${count} peers, needed are ${minCount}`);
}

function down(method: string, answer: Exclude<CallResult, { kind: 'result' }>): Verdict {
  return { isHealthy: false, cause: 'connectionDown', detail: `${method}: ${answer.message}` };
}

function unhealthy(detail: string): Verdict {
  return { isHealthy: false, cause: 'unhealthy', detail };
}

function timestampOf(status: unknown, head: string): number | null {
  const timestamp = fieldOf(fieldOf(status, head), 'timestamp');
  return typeof timestamp === 'number' && Number.isFinite(timestamp) ? timestamp : null;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
