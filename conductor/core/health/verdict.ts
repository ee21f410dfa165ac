/** The result of a round of health checks, and why it is bad: the cause texts appear in a metric label and in alerts. */
import type { CallResult } from '../node/calls.ts';

/** Why a round failed, by its text; op-conductor's where it has one. */
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
      /** Nothing is wrong that keeps a sequencer from building: heads that are old, too few peers, a builder that is down. */
      readonly isMinor?: true;
      /** The unsafe head is old. */
      readonly isStale?: true;
      /** Nobody listens at the client's port, and nothing has been committed for two block times. */
      readonly clientIsGone?: true;
    };

export type Unhealthy = Extract<Verdict, { isHealthy: false }>;

export function unhealthy(detail: string, cause: Cause = 'unhealthy'): Unhealthy {
  return { isHealthy: false, cause, detail, nodeAnswers: true };
}

/** No answer, or an error, where there is nothing without one. */
export function down(method: string, answer: Exclude<CallResult, { kind: 'result' }>): Unhealthy {
  return { isHealthy: false, cause: 'connectionDown', detail: `${method}: ${answer.message}`, nodeAnswers: false };
}

/** The node answers, but not what op-node answers: op-conductor counts that as no answer. */
export function unreadable(method: string, field: string): Unhealthy {
  return unhealthy(`${method}: ${field} is of another type than op-node's`, 'connectionDown');
}
