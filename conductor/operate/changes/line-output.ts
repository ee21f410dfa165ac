/**
 * What a devnet says without a terminal: one line of logfmt per change, for people who scroll and
 * programs that parse. Blocks are said every so many.
 */
import type { ClusterEvent } from './cluster-event.ts';

/** Formats one event: t, event, msg, then its fields. */
export function formatEvent(event: ClusterEvent): string {
  const pairs: [string, string | number | boolean][] = [
    ['t', new Date(event.atMs).toISOString()],
    ['event', event.kind],
    ['msg', event.text],
    ...Object.entries(event.fields),
  ];
  return pairs.map(([key, value]) => `${key}=${quote(String(value))}`).join(' ');
}

/** Chooses which blocks are said: the first, and then one in `every`. */
export class BlockThinning {
  readonly #every: number;
  #next = 0;

  constructor(every: number) {
    this.#every = every;
  }

  /** Whether an event should be printed. */
  admits(event: ClusterEvent): boolean {
    if (event.kind !== 'block') return true;
    const number = Number(event.fields['number']);
    if (number < this.#next) return false;
    this.#next = number - (number % this.#every) + this.#every;
    return true;
  }
}

function quote(text: string): string {
  return /^[\w.:/+-]+$/.test(text) ? text : JSON.stringify(text);
}
