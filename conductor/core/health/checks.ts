/**
 * The table of health checks, pure: what a round asks, in order, and what verdict the answers add up to.
 * A row is a check by name; its answers, and its place in the verdict, follow it.
 */
import {
  isUnset,
  membersOf,
  question,
  readQuantity,
  readSyncHead,
  syncHeadOf,
  type CallResult,
  type CallTarget,
  type NodeRequest,
} from '../node/calls.ts';
import { aliveProbe, readAlive } from '../node/engine-calls.ts';
import { found, HEALTH_DEFAULTS, healthCheck, type CheckContext, type Finding, type HealthOptions } from './check.ts';
import { isUint64, mistypedPeerStats, mistypedSyncStatus } from './node-answers.ts';
import { rollupBoostState, type PartialTolerance, type RollupBoostOptions } from './rollup-boost.ts';
import { down, unhealthy, unreadable, type Unhealthy, type Verdict } from './verdict.ts';

/**
 * The first requests of a round, in order; rollup-boost is asked after them. The execution client is asked something
 * that it answers whatever it is doing.
 */
export const healthChecks = [
  healthCheck('syncStatus', ({ timeoutMs }) => nodeProbe('optimism_syncStatus', timeoutMs), judgeSyncStatus),
  healthCheck(
    'peerStats',
    ({ timeoutMs }) => nodeProbe('opp2p_peerStats', timeoutMs),
    (answer, { options }) => found('other', judgePeers(options, answer)),
    { connected: 5 },
  ),
  healthCheck(
    'execution',
    ({ timeoutMs }) => ({ ...aliveProbe('execution'), timeoutMs }),
    (answer) => found('gone', judgeClient(answer)),
    '0x1',
  ),
  healthCheck('executionPeers', executionPeersProbe, (answer, { options }) =>
    found('other', judgeExecutionPeers(options, answer)),
  ),
] as const;

export type CheckName = (typeof healthChecks)[number]['name'];
/** Answers of a round; null and absent: not asked, or not answered yet. */
export type Answers = { readonly [Name in CheckName]?: CallResult | null };

/** What a round asks, in order. */
export function questionsOf(
  options: HealthOptions,
): readonly { readonly name: CheckName; readonly request: NodeRequest }[] {
  return healthChecks.flatMap(({ name, request: requestOf }) => {
    const request = requestOf(options);
    return request === null ? [] : [{ name, request }];
  });
}

/** What is answered to what every run asks of a target, by method, where all is well: for what stands in for it. */
export function wellAnswers(target: CallTarget): Readonly<Record<string, unknown>> {
  const answers = healthChecks.flatMap(({ request: requestOf, well }) => {
    const request = requestOf(HEALTH_DEFAULTS);
    return request?.target === target && well !== undefined ? [[request.method, well] as const] : [];
  });
  return Object.fromEntries(answers);
}

/** The verdict on the answers of a round. */
export function judge(answers: Answers, context: CheckContext): Verdict {
  const findings = findingsOf(answers, context);
  const decisive = findings.find(({ weight }) => weight === 'gone' || weight === 'unusable');
  if (decisive !== undefined) return decisive.verdict;
  const stale = findings.find(({ weight }) => weight === 'stale')?.verdict ?? null;
  const other = findings.find(({ weight }) => weight === 'other')?.verdict ?? null;
  const isMinor = other === null || other.cause === 'unhealthy' ? { isMinor: true as const } : {};
  if (stale !== null) return { ...stale, ...isMinor, isStale: true, ...(other === null ? { isOnlyStale: true } : {}) };
  return other === null ? { isHealthy: true } : { ...other, ...isMinor };
}

/** The verdict on a round that need not be waited for: the node's answer is there, and somebody is gone; else null. */
export function judgeEarly(answers: Answers, options: HealthOptions): Unhealthy | null {
  if (answers.syncStatus == null) return null;
  const findings = findingsOf(answers, { options, nowSeconds: 0, startedAtSeconds: null, committedSeconds: null });
  return findings.find(({ weight }) => weight === 'gone')?.verdict ?? null;
}

function findingsOf(answers: Answers, context: CheckContext): readonly Finding[] {
  return healthChecks.flatMap(({ name, judge: judgeAnswer }) => {
    const answer = answers[name];
    return answer == null ? [] : judgeAnswer(answer, context);
  });
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
      return { ...unhealthy('the builder is down', 'rollupBoostPartial'), isMinor: true };
    case 'unhealthy':
      return unhealthy('both the builder and the execution client are down', 'rollupBoostUnhealthy');
    case 'unreadable':
      return unhealthy(state.detail, 'rollupBoostDown');
  }
}

/** The node's unsafe head in an answer of optimism_syncStatus; null where there is none. */
export function unsafeHeadOf(answer: CallResult | null): { readonly number: number; readonly hash: string } | null {
  const head = syncHeadOf(answer, 'unsafe_l2');
  return head === null || isUnset(head) ? null : { number: Number(head.number), hash: head.hash };
}

function judgeSyncStatus(answer: CallResult, context: CheckContext): readonly Finding[] {
  if (answer.kind === 'failed') return found('gone', judgeNode(answer));
  if (answer.kind === 'error') return found('unusable', down('optimism_syncStatus', answer));
  const mistyped = mistypedSyncStatus(answer.value);
  if (mistyped !== null) return found('unusable', unreadable('optimism_syncStatus', mistyped));
  return [
    ...found('stale', judgeUnsafeHead(answer.value, context)),
    ...found('other', judgeSafeHead(answer.value, context)),
  ];
}

function judgeUnsafeHead(status: unknown, context: CheckContext): Unhealthy | null {
  const { options, nowSeconds, startedAtSeconds, committedSeconds } = context;
  const told = timestampOf(status, 'unsafe_l2');
  if (told === null) return unhealthy('optimism_syncStatus has no unsafe_l2 timestamp');
  const head = readSyncHead(status, 'unsafe_l2');
  if (head !== null && isUnset(head))
    return unhealthy('the node has told of no unsafe head yet: it starts, or is being reset');
  const unsafe = Math.max(told, committedSeconds ?? told);
  const isInGrace = startedAtSeconds !== null && nowSeconds - startedAtSeconds <= options.unsafeIntervalSeconds;
  const lag = Math.max(0, nowSeconds - (isInGrace ? Math.max(unsafe, startedAtSeconds) : unsafe));
  if (lag <= options.unsafeIntervalSeconds) return null;
  return unhealthy(`the unsafe head is ${lag} s old, allowed are ${options.unsafeIntervalSeconds}`);
}

function judgeSafeHead(status: unknown, { options, nowSeconds }: CheckContext): Unhealthy | null {
  if (!options.isSafeEnabled) return null;
  const safe = timestampOf(status, 'safe_l2');
  if (safe === null) return unhealthy('optimism_syncStatus has no safe_l2 timestamp');
  const lag = Math.max(0, nowSeconds - safe);
  if (lag <= options.safeIntervalSeconds) return null;
  return unhealthy(`the safe head is ${lag} s old, allowed are ${options.safeIntervalSeconds}`);
}

function judgePeers(options: HealthOptions, answer: CallResult): Unhealthy | null {
  if (answer.kind !== 'result') return down('opp2p_peerStats', answer);
  const mistyped = mistypedPeerStats(answer.value);
  if (mistyped !== null) return unreadable('opp2p_peerStats', mistyped);
  const { connected } = membersOf(answer.value);
  if (typeof connected !== 'number') return unhealthy('opp2p_peerStats has no connected count');
  if (connected >= options.minPeerCount) return null;
  return unhealthy(`the node has ${connected} peers, needed are ${options.minPeerCount}`);
}

function judgeExecutionPeers(options: HealthOptions, answer: CallResult): Unhealthy | null {
  if (options.executionPeers === null) return null;
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

function nodeProbe(method: string, timeoutMs: number): NodeRequest {
  return { ...question('node', method, timeoutMs), isProbe: true };
}

function executionPeersProbe({ executionPeers, timeoutMs }: HealthOptions): NodeRequest | null {
  if (executionPeers === null) return null;
  return { ...question('executionPeers', peersMethod(executionPeers.api), timeoutMs), isProbe: true };
}

/** The timestamp (Unix seconds) of a head in a sync status; null where there is none. */
export function timestampOf(status: unknown, head: string): number | null {
  const { timestamp } = membersOf(membersOf(status)[head]);
  return isUint64(timestamp) ? timestamp : null;
}
