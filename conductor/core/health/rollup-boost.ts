/**
 * The check of rollup-boost, pure: what to ask, how to read the answer, and how many partial answers
 * (the builder is down, the execution client is not) are forgiven. Two kinds of servers exist: older
 * ones speak by HTTP status, newer ones ("next") by a JSON field.
 */
import { question, type CallResult, type HttpAnswer, type NodeRequest } from '../node/calls.ts';

export interface RollupBoostOptions {
  /** By HTTP status, or by the JSON field rollup_boost_health. */
  readonly kind: 'status' | 'next';
  /** Deadline of the request, milliseconds. */
  readonly timeoutMs: number;
  /** Partial answers forgiven in each window; 0 forgives none. */
  readonly toleratedPartials: number;
  /** Length of a window, seconds; > 0 where partial answers are tolerated. */
  readonly toleranceWindowSeconds: number;
}

/** What rollup-boost says of itself; `unreadable` is anything that is not one of its answers. */
export type RollupBoostState =
  | { readonly kind: 'healthy' | 'partial' | 'unhealthy' }
  | { readonly kind: 'unreadable'; readonly detail: string };

const statesByStatus: ReadonlyMap<number, RollupBoostState> = new Map([
  [200, { kind: 'healthy' }],
  [206, { kind: 'partial' }],
  [503, { kind: 'unhealthy' }],
]);

const statesByWord: ReadonlyMap<unknown, RollupBoostState> = new Map([
  ['Healthy', { kind: 'healthy' }],
  ['PartialContent', { kind: 'partial' }],
  ['ServiceUnavailable', { kind: 'unhealthy' }],
]);

/** Characters of an unknown word shown in a detail. */
const shownWordMax = 60;

export function rollupBoostRequest({ timeoutMs }: RollupBoostOptions): NodeRequest {
  return { ...question('rollupBoost', 'GET', timeoutMs), isProbe: true };
}

/** Reads the answer to `rollupBoostRequest`. */
export function rollupBoostState({ kind }: RollupBoostOptions, result: CallResult): RollupBoostState {
  if (result.kind !== 'result') return unreadable(result.message);
  const { status, body } = result.value as HttpAnswer;
  if (kind === 'status') return statesByStatus.get(status) ?? unreadable(`unexpected status code: ${status}`);
  if (status !== 200) return unreadable(`unexpected status code: ${status}`);
  const word = healthWord(body);
  return (
    statesByWord.get(word) ??
    unreadable(`unexpected rollup_boost_health: ${(JSON.stringify(word) ?? 'none').slice(0, shownWordMax)}`)
  );
}

/**
 * Counts forgiven partial answers in windows of wall time: window k lasts from k × length to
 * (k + 1) × length seconds since 1970, as op-conductor's, so the count starts anew at its bounds.
 */
export class PartialTolerance {
  readonly #limit: number;
  readonly #windowSeconds: number;
  #window = 0;
  #count = 0;

  constructor({ toleratedPartials, toleranceWindowSeconds }: RollupBoostOptions) {
    this.#limit = toleratedPartials;
    this.#windowSeconds = toleranceWindowSeconds;
  }

  /** Whether one more partial answer is forgiven at `nowSeconds`; counts it if so. */
  forgives(nowSeconds: number): boolean {
    if (this.#limit === 0) return false;
    const window = Math.floor(nowSeconds / this.#windowSeconds);
    if (window !== this.#window) {
      this.#window = window;
      this.#count = 0;
    }
    if (this.#count >= this.#limit) return false;
    this.#count += 1;
    return true;
  }
}

function healthWord(body: string): unknown {
  try {
    const answer: unknown = JSON.parse(body);
    return typeof answer === 'object' && answer !== null
      ? (answer as Record<string, unknown>)['rollup_boost_health']
      : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(detail: string): RollupBoostState {
  return { kind: 'unreadable', detail };
}
