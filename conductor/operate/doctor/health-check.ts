/**
 * The health check that the conductor makes every few seconds, made once by the same code: whatever the flags demand
 * of op-node, of the execution client's peers and of rollup-boost, this is the verdict.
 */
import { executeRequest, type Endpoints } from '#conductor/adapters/sequencer/sequencer';
import type { HealthOptions } from '#conductor/core/health/check';
import { judge, questionsOf, type Answers } from '#conductor/core/health/checks';
import { rollupBoostRequest, rollupBoostState } from '#conductor/core/health/rollup-boost';
import { findingsOf, flagLink, sectionLink, type Finding } from './finding.ts';
import type { Subject } from './subject.ts';

const { good, warning, bad } = findingsOf('health');

/** Nothing is said where op-node does not answer: that is a finding of its own. Never rejects. */
export async function checkHealth({ config }: Subject, nowMs: number): Promise<Finding[]> {
  const { health, nodeUrl = '', executionUrl = '', executionPeersUrl = '', rollupBoostUrl = '' } = config ?? {};
  if (health === undefined || nodeUrl === '') return [];
  const endpoints = {
    node: nodeUrl,
    execution: executionUrl,
    executionPeers: executionPeersUrl,
    rollupBoost: rollupBoostUrl,
  };
  const [verdict, builder] = await Promise.all([judgeNode(health, endpoints, nowMs), judgeBuilder(health, endpoints)]);
  return [...verdict, ...builder];
}

async function judgeNode(health: HealthOptions, endpoints: Endpoints, nowMs: number): Promise<Finding[]> {
  const asked = questionsOf(health).map(
    async ({ name, request }) => [name, await executeRequest(endpoints, request)] as const,
  );
  const answers: Answers = Object.fromEntries(await Promise.all(asked));
  if (answers.syncStatus?.kind === 'failed') return [];
  const nowSeconds = Math.floor(nowMs / 1000);
  const verdict = judge(answers, { options: health, nowSeconds, startedAtSeconds: null, committedSeconds: null });
  if (verdict.isHealthy) return [good('the health check, made as the conductor makes it, is passed')];
  const says = `the health check is failed: ${verdict.detail}`;
  if (verdict.isOnlyStale === true)
    return [
      warning(
        says,
        'It is syncing, cut off from its peers, or nobody sequences. See conductor status.',
        sectionLink('health'),
      ),
    ];
  return [bad(says, 'Repair that, or set the flag to what is there on a bad day.', sectionLink('health'))];
}

async function judgeBuilder({ rollupBoost: options }: HealthOptions, endpoints: Endpoints): Promise<Finding[]> {
  if (options === null) return [];
  const state = rollupBoostState(options, await executeRequest(endpoints, rollupBoostRequest(options)));
  const link = flagLink(options.kind === 'next' ? 'rollup-boost.next-enabled' : 'rollup-boost.enabled');
  switch (state.kind) {
    case 'healthy':
      return [good('rollup-boost is healthy')];
    case 'partial':
      return [warning('rollup-boost says that its builder is down', 'Look at the builder.', link)];
    case 'unhealthy':
      return [bad('rollup-boost says that builder and execution client are down', 'Look at both.', link)];
    case 'unreadable':
      return [bad(`rollup-boost does not tell its health: ${state.detail}`, 'Is the URL its own?', link)];
  }
}
