/**
 * The health checks, pure: which requests one round makes and what verdict the answers add up to.
 * The cause texts appear in a metric label and in alerts, so they are op-conductor's where it has one.
 */
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { readQuantity, readSyncHead } from '../node/calls.ts';
import { aliveProbe, readAlive } from '../node/engine-calls.ts';
import { isUint64, mistypedPeerStats, mistypedSyncStatus } from './node-answers.ts';
import { rollupBoostState, type PartialTolerance, type RollupBoostOptions } from './rollup-boost.ts';

/** Why a round failed, by its text. */
export const causes = {
  unhealthy: 'sequencer is not healthy',
  connectionDown: 'cannot connect to sequencer rpc endpoints',
  executionDown: 'execution-down: the execution client does not answer',
  rollupBoostDown: 'cannot connect to rollup boost rpc endpoints',
  rollupBoostPartial:
    'rollup boost is partially healthy, meaning that rbuilder is not healthy but the execution client is healthy',
  rollupBoostUnhealthy: 'rollup boost is not healthy',
} as const;
export type Cause = keyof typeof causes;

/** The result of one round. `detail` says more than the cause, for logs. */
export type Verdict =
  | { readonly isHealthy: true }
  | {
      readonly isHealthy: false;
      readonly cause: Cause;
      readonly detail: string;
      /** False where the node, or the client without which it carries out no order, does not answer. */
      readonly nodeAnswers: boolean;
      /** Nothing is wrong but the age of the unsafe head, which while nobody builds is nobody's fault. */
      readonly isOnlyStale?: true;
    };

export interface HealthOptions {
  readonly unsafeIntervalSeconds: number;
  readonly isSafeEnabled: boolean;
  readonly safeIntervalSeconds: number;
  readonly minPeerCount: number;
  /** null: the execution client's peers are not counted. */
  readonly executionPeers: { readonly minCount: number; readonly api: 'net' | 'admin' } | null;
  /** null: rollup-boost is not checked. */
  readonly rollupBoost: RollupBoostOptions | null;
  /** Deadline of one request to the node or the execution client, milliseconds. */
  readonly timeoutMs: number;
}

/** Answers of a round, by check; null where the check was not made. */
export interface Answers {
  readonly syncStatus: CallResult;
  readonly peerStats: CallResult;
  readonly execution: CallResult;
  readonly executionPeers: CallResult | null;
}

/**
 * The first requests of a round, in order: sync status, peer count, a question that the execution client answers
 * whatever it is doing, then the optional execution peers.
 */
export function requestsOf(options: HealthOptions): NodeRequest[] {
  const { timeoutMs } = options;
  const requests: NodeRequest[] = [
    { target: 'node', method: 'optimism_syncStatus', params: '[]', timeoutMs, isProbe: true },
    { target: 'node', method: 'opp2p_peerStats', params: '[]', timeoutMs, isProbe: true },
    { ...aliveProbe('execution'), timeoutMs },
  ];
  if (options.executionPeers !== null) {
    const method = peersMethod(options.executionPeers.api);
    requests.push({ target: 'executionPeers', method, params: '[]', timeoutMs, isProbe: true });
  }
  return requests;
}

/**
 * The verdict on those. `nowSeconds` is wall time. `startedAtSeconds` is the wall time at which the sequencer was last
 * started, or null: for one unsafe interval its lag counts from there (rule 19).
 */
export function judge(
  options: HealthOptions,
  answers: Answers,
  nowSeconds: number,
  startedAtSeconds: number | null,
): Verdict {
  const { syncStatus } = answers;
  if (syncStatus.kind !== 'result') return down('optimism_syncStatus', syncStatus);
  const mistyped = mistypedSyncStatus(syncStatus.value);
  if (mistyped !== null) return unreadable('optimism_syncStatus', mistyped);
  const silent = judgeClient(answers.execution);
  if (silent !== null) return silent;
  const stale = judgeUnsafeHead(options, syncStatus.value, nowSeconds, startedAtSeconds);
  const other =
    (options.isSafeEnabled ? judgeSafeHead(options, syncStatus.value, nowSeconds) : null) ??
    judgePeers(options, answers.peerStats) ??
    judgeExecutionPeers(options, answers.executionPeers);
  if (stale !== null && other === null) return { ...stale, isOnlyStale: true };
  return stale ?? other ?? { isHealthy: true };
}

/** The verdict on a node that gave no answer at all to its sync status. */
export function judgeNode(syncStatus: CallResult): Unhealthy | null {
  return syncStatus.kind === 'failed' ? down('optimism_syncStatus', syncStatus) : null;
}

/** The verdict on a client that refuses connections or lets a question run out; null for one that answers anything. */
export function judgeClient(answer: CallResult): Unhealthy | null {
  const alive = readAlive(answer);
  if (answer.kind === 'result' || (alive !== 'refused' && alive !== 'silent')) return null;
  return { ...unhealthy(`eth_blockNumber: ${answer.message}`, 'executionDown'), nodeAnswers: false };
}

/**
 * The verdict of rollup-boost's answer, for a node that is healthy otherwise. A partial answer is
 * counted against `tolerance`.
 */
export function judgeRollupBoost(
  options: RollupBoostOptions,
  answer: CallResult,
  tolerance: PartialTolerance,
  nowSeconds: number,
): Verdict {
  const state = rollupBoostState(options, answer);
  switch (state.kind) {
    case 'healthy':
      return { isHealthy: true };
    case 'partial':
      if (tolerance.forgives(nowSeconds)) return { isHealthy: true };
      return unhealthy('the builder is down', 'rollupBoostPartial');
    case 'unhealthy':
      return unhealthy('both the builder and the execution client are down', 'rollupBoostUnhealthy');
    case 'unreadable':
      return unhealthy(state.detail, 'rollupBoostDown');
  }
}

/** The node's unsafe head in an answer of optimism_syncStatus; null where there is none. */
export function unsafeHeadOf(answer: CallResult): { readonly number: number; readonly hash: string } | null {
  const head = answer.kind === 'result' ? readSyncHead(answer.value, 'unsafe_l2') : null;
  return head === null ? null : { number: Number(head.number), hash: head.hash };
}

export type Unhealthy = Extract<Verdict, { isHealthy: false }>;

function judgeUnsafeHead(
  options: HealthOptions,
  status: unknown,
  nowSeconds: number,
  startedAtSeconds: number | null,
): Unhealthy | null {
  const unsafe = timestampOf(status, 'unsafe_l2');
  if (unsafe === null) return unhealthy('optimism_syncStatus has no unsafe_l2 timestamp');
  const isInGrace = startedAtSeconds !== null && nowSeconds - startedAtSeconds <= options.unsafeIntervalSeconds;
  const lag = Math.max(0, nowSeconds - (isInGrace ? Math.max(unsafe, startedAtSeconds) : unsafe));
  if (lag <= options.unsafeIntervalSeconds) return null;
  return unhealthy(`the unsafe head is ${lag} s old, allowed are ${options.unsafeIntervalSeconds}`);
}

function judgeSafeHead(options: HealthOptions, status: unknown, nowSeconds: number): Verdict | null {
  const safe = timestampOf(status, 'safe_l2');
  if (safe === null) return unhealthy('optimism_syncStatus has no safe_l2 timestamp');
  const lag = Math.max(0, nowSeconds - safe);
  if (lag <= options.safeIntervalSeconds) return null;
  return unhealthy(`the safe head is ${lag} s old, allowed are ${options.safeIntervalSeconds}`);
}

function judgePeers(options: HealthOptions, answer: CallResult): Verdict | null {
  if (answer.kind !== 'result') return down('opp2p_peerStats', answer);
  const mistyped = mistypedPeerStats(answer.value);
  if (mistyped !== null) return unreadable('opp2p_peerStats', mistyped);
  const connected = fieldOf(answer.value, 'connected');
  if (typeof connected !== 'number') return unhealthy('opp2p_peerStats has no connected count');
  if (connected >= options.minPeerCount) return null;
  return unhealthy(`the node has ${connected} peers, needed are ${options.minPeerCount}`);
}

function judgeExecutionPeers(options: HealthOptions, answer: CallResult | null): Verdict | null {
  if (options.executionPeers === null || answer === null) return null;
  const { api, minCount } = options.executionPeers;
  if (answer.kind !== 'result') return unhealthy(`${peersMethod(api)}: ${answer.message}`, 'connectionDown');
  const count = api === 'net' ? readQuantity(answer.value) : Array.isArray(answer.value) ? answer.value.length : null;
  if (count === null) return unhealthy('the execution client did not say how many peers it has');
  if (count >= minCount) return null;
  return unhealthy(`the execution client has ${count} peers, needed are ${minCount}`);
}

function peersMethod(api: 'net' | 'admin'): string {
  return api === 'net' ? 'net_peerCount' : 'admin_peers';
}

function down(method: string, answer: Exclude<CallResult, { kind: 'result' }>): Unhealthy {
  return { isHealthy: false, cause: 'connectionDown', detail: `${method}: ${answer.message}`, nodeAnswers: false };
}

/** The node answers, but not what op-node answers: op-conductor counts that as no answer. */
function unreadable(method: string, field: string): Unhealthy {
  return unhealthy(`${method}: ${field} is of another type than op-node's`, 'connectionDown');
}

function unhealthy(detail: string, cause: Cause = 'unhealthy'): Unhealthy {
  return { isHealthy: false, cause, detail, nodeAnswers: true };
}

/** The timestamp (Unix seconds) of a head in a sync status; null where there is none. */
export function timestampOf(status: unknown, head: string): number | null {
  const timestamp = fieldOf(fieldOf(status, head), 'timestamp');
  return isUint64(timestamp) ? timestamp : null;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
