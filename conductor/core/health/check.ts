/**
 * What one health check is: a request, and what its answer says. A check that is not in the table of checks.ts is
 * neither asked nor judged; one that is there cannot be forgotten by either.
 */
import type { CallResult, NodeRequest } from '../node/calls.ts';
import type { RollupBoostOptions } from './rollup-boost.ts';
import type { Unhealthy } from './verdict.ts';

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

/** Nothing is switched on that can be off; op-conductor's where it has them, and what must be given as for blocks of two seconds. */
export const HEALTH_DEFAULTS: HealthOptions = {
  unsafeIntervalSeconds: 5,
  isSafeEnabled: false,
  safeIntervalSeconds: 1200,
  minPeerCount: 1,
  executionPeers: null,
  rollupBoost: null,
  timeoutMs: 1000,
};

/** How an execution client's peers are counted where they are, and nobody says by what. */
export const EXECUTION_PEERS_API = 'net';

/** When a round is judged, and by what. */
export interface CheckContext {
  readonly options: HealthOptions;
  /** Wall time, seconds. */
  readonly nowSeconds: number;
  /**
   * The wall time at which the sequencer was last started, or null: for one unsafe interval the lag of its head counts
   * from there (rule 19).
   */
  readonly startedAtSeconds: number | null;
  /** Time of the newest block that the own sequencer has committed, while it goes on; null otherwise. */
  readonly committedSeconds: number | null;
}

/**
 * How much something that is wrong says: `gone` ends the round at once, and like `unusable` leaves nothing else to say;
 * `stale` is the age of the unsafe head, which alone may be nobody's fault; `other` is all else.
 */
export type Weight = 'gone' | 'unusable' | 'stale' | 'other';

/** Something that is wrong. What is `gone` does not depend on the time. */
export interface Finding {
  readonly weight: Weight;
  readonly verdict: Unhealthy;
}

export interface HealthCheck<Name extends string> {
  readonly name: Name;
  /** null where the options do not ask for the check. */
  readonly request: (options: HealthOptions) => NodeRequest | null;
  /** What is wrong, the worst first; nothing when all is well. */
  readonly judge: (answer: CallResult, context: CheckContext) => readonly Finding[];
  /** What is answered where all is well, if that says nothing of the chain: what stands in for a node answers so, unless it knows better. */
  readonly well?: unknown;
}

export function healthCheck<const Name extends string>(
  name: Name,
  request: HealthCheck<Name>['request'],
  judge: HealthCheck<Name>['judge'],
  well?: unknown,
): HealthCheck<Name> {
  return { name, request, judge, well };
}

/** One finding, or none for null. */
export function found(weight: Weight, verdict: Unhealthy | null): readonly Finding[] {
  return verdict === null ? [] : [{ weight, verdict }];
}
