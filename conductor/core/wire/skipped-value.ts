/**
 * Passes over the value of a key that we do not know, so that later versions (and hashicorp's) can
 * add keys. Nothing of it is kept; depth and bytes are bounded. It can stop anywhere and go on.
 */
import type { ByteQueue } from './byte-queue.ts';
import { Kind, type MsgpackHead } from './msgpack-head.ts';
import { WireError } from './wire-error.ts';

/** What may still be skipped in this message; shared by all skips of it. */
export interface SkipBudget {
  bytesLeft: number;
  readonly depthMax: number;
}

/** A value under an unknown key, with all that is nested in it. */
export class SkippedValue {
  readonly result = null;
  readonly #budget: SkipBudget;
  /** Values still to come, per level of nesting. */
  readonly #left: number[] = [1];
  #bodyLeft = 0;

  constructor(budget: SkipBudget) {
    this.#budget = budget;
  }

  advance(queue: ByteQueue, head: MsgpackHead): boolean {
    for (;;) {
      if (this.#bodyLeft > 0) {
        this.#bodyLeft -= queue.drop(this.#bodyLeft);
        if (this.#bodyLeft > 0) return false;
      }
      while (this.#left.at(-1) === 0) this.#left.pop();
      if (this.#left.length === 0) return true;
      if (!head.peek(queue)) return false;
      this.#enter(head);
      queue.position += head.size;
    }
  }

  #enter(head: MsgpackHead): void {
    const { kind, value } = head;
    this.#left[this.#left.length - 1]! -= 1;
    const hasBody = kind === Kind.raw || kind === Kind.binary || kind === Kind.extension;
    const budget = this.#budget;
    budget.bytesLeft -= head.size + (hasBody ? value : 0);
    if (budget.bytesLeft < 0)
      throw new WireError('over-limit', 'unknown keys of one message hold more bytes than are skipped');
    if (hasBody) {
      this.#bodyLeft = value;
    } else if (kind === Kind.array || kind === Kind.map) {
      if (this.#left.length > budget.depthMax)
        throw new WireError('over-limit', `a value under an unknown key is nested deeper than ${budget.depthMax}`);
      this.#left.push(kind === Kind.map ? 2 * value : value);
    }
  }
}
