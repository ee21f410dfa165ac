/**
 * Watches what each op-geth of a net holds as its head, for as long as it lives: when each height was seen first on any
 * client, and under which hashes. Two hashes at one height mean that a published block was moved back or doubled.
 */
import { pause } from '../../tests/cluster/wait.ts';
import { callRpc } from '../realnet/json-rpc.ts';
import { quantity } from '../realnet/net-constants.ts';

const LOOK_EVERY_MS = 15;
/** A client that answers nothing for so long is asked anew. */
const ANSWER_MS_MAX = 1000;

/** An execution client to look at. */
export interface WatchedClient {
  readonly executionUrl: string;
}

interface Head {
  readonly number: string;
  readonly hash: string;
}

export class ChainWatch {
  readonly #nodes: readonly WatchedClient[];
  /** When each new height was seen first, in order. */
  readonly #heights: { readonly number: number; readonly atMs: number }[] = [];
  readonly #hashes = new Map<number, Set<string>>();
  readonly #heads = new Map<WatchedClient, number>();
  #hasEnded = false;
  readonly #runs: readonly Promise<void>[];

  constructor(nodes: readonly WatchedClient[]) {
    this.#nodes = nodes;
    this.#runs = nodes.map((node) => this.#look(node));
  }

  /** The highest block of any client so far; -1 before the first answer. */
  get head(): number {
    return this.#heights.at(-1)?.number ?? -1;
  }

  /** What that client said last; -1 before its first answer. */
  headOf(node: WatchedClient): number {
    return this.#heads.get(node) ?? -1;
  }

  /** When the first height came that was new after the given moment of performance.now(); null while none has. */
  firstAfter(ms: number): number | null {
    return this.#heights.find(({ atMs }) => atMs > ms)?.atMs ?? null;
  }

  /** Moments at which there was a new height after the given one. */
  countSince(ms: number): number {
    return this.#heights.filter(({ atMs }) => atMs > ms).length;
  }

  /** Longest time between two new heights of which the later came after the given moment; until now where none did. */
  longestGapMs(sinceMs: number): number {
    const times = [...this.#heights.map(({ atMs }) => atMs), performance.now()];
    return Math.max(...times.map((atMs, at) => (at === 0 || atMs <= sinceMs ? 0 : atMs - (times[at - 1] as number))));
  }

  /** Asks every client that answers for the blocks it was not seen to make its head; then the heights with two hashes. */
  async doubled(): Promise<string[]> {
    const lowest = this.#heights[0]?.number ?? 0;
    await Promise.all(
      this.#nodes.map(async (node) => {
        for (let number = lowest; number <= this.headOf(node); number += 1) {
          const block = await this.#blockOf(node, quantity(number)).catch(() => undefined);
          // One that does not answer now would not answer for the next height either.
          if (block === undefined) return;
          if (block !== null) this.#note(block);
        }
      }),
    );
    return [...this.#hashes]
      .filter(([, hashes]) => hashes.size > 1)
      .map(([number, hashes]) => `block ${number} was seen as ${[...hashes].toSorted().join(' and ')}`);
  }

  async stop(): Promise<void> {
    this.#hasEnded = true;
    await Promise.all(this.#runs);
  }

  async #look(node: WatchedClient): Promise<void> {
    for (; !this.#hasEnded; await pause(LOOK_EVERY_MS)) {
      const block = await this.#blockOf(node, 'latest').catch(() => null);
      if (block === null) continue;
      const number = Number(block.number);
      this.#heads.set(node, number);
      if (number > this.head) this.#heights.push({ number, atMs: performance.now() });
      this.#note(block);
    }
  }

  async #blockOf(node: WatchedClient, which: string): Promise<Head | null> {
    const call = callRpc(node.executionUrl, 'eth_getBlockByNumber', [which, false], { timeoutMs: ANSWER_MS_MAX });
    return (await call) as Head | null;
  }

  #note({ number, hash }: Head): void {
    const hashes = this.#hashes.get(Number(number)) ?? new Set<string>();
    this.#hashes.set(Number(number), hashes.add(hash));
  }
}
