/** When each block is the head of one op-geth, by the wall clock that slots are told in. */
import { pause } from '../../tests/cluster/wait.ts';
import type { RealNode } from '../realnet/real-node.ts';

const LOOK_EVERY_MS = 10;

export interface SeenBlock {
  readonly number: number;
  readonly bytes: number;
  /** Since the Unix epoch. */
  readonly atMs: number;
  /** After the beginning of its slot. */
  readonly lateMs: number;
}

export class SlotWatch {
  readonly seen: SeenBlock[] = [];
  readonly #node: RealNode;
  readonly #onBlocks: (count: number) => void;
  #hasEnded = false;
  readonly #run: Promise<void>;

  /** `onBlocks` is told how many blocks have come since it was told last. */
  constructor(node: RealNode, onBlocks: (count: number) => void) {
    this.#node = node;
    this.#onBlocks = onBlocks;
    this.#run = this.#look();
  }

  async stop(): Promise<void> {
    this.#hasEnded = true;
    await this.#run;
  }

  async #look(): Promise<void> {
    for (let head = -1; !this.#hasEnded; await pause(LOOK_EVERY_MS)) {
      const number = await this.#node.head();
      const atMs = Date.now();
      if (number <= head) continue;
      const passed = head < 0 ? 1 : number - head;
      head = number;
      const answer = await this.#node.callGeth('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
      const { size, timestamp } = answer as { readonly size: string; readonly timestamp: string };
      const block = { number, bytes: Number(size), atMs, lateMs: atMs - Number(timestamp) * 1000 };
      this.seen.push(block);
      this.#onBlocks(passed);
    }
  }
}
