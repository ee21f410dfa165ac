/**
 * A second client of the L1, which one node asks: it follows the chain that the others see, until it is parted from it and
 * makes blocks of its own, as a client on a minority's branch does; joined again it goes back to the others' chain.
 */
import type { ChildProcess } from '../../tests/cluster/child-process.ts';
import { L1Driver, type L1Block, type L1DriverOptions } from './l1-driver.ts';

/** Whoever is paid, the block is another one. */
const PAID_THERE = `0x${'0'.repeat(39)}2`;

export class OtherL1 implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly url: string;
  readonly #options: L1DriverOptions;
  /** Blocks of the others' chain that it has not been given since it was parted; null while it follows. */
  #missed: L1Block[] | null = null;
  #own: L1Driver | null = null;
  #given: Promise<void> = Promise.resolve();

  constructor(child: ChildProcess, url: string, options: L1DriverOptions) {
    this.child = child;
    this.url = url;
    this.#options = options;
  }

  /** A block of the others' chain, their new head. */
  follow(block: L1Block): void {
    if (this.#missed !== null) this.#missed.push(block);
    else this.#give([block]);
  }

  /** From now on it has another block at every height; `chain` are the latest hashes of the common one, the head last. */
  async part(chain: readonly string[]): Promise<void> {
    this.#missed = [];
    await this.#given;
    this.#own = new L1Driver({ ...this.#options, chain, paid: PAID_THERE });
  }

  async join(): Promise<void> {
    await this.#own?.stop();
    this.#own = null;
    const missed = this.#missed ?? [];
    this.#missed = null;
    this.#give(missed);
    await this.#given;
  }

  #give(blocks: readonly L1Block[]): void {
    this.#given = this.#given.then(() => L1Driver.give(this.#options, blocks));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#own?.stop();
    await this.#given.catch(() => undefined);
    await this.child.kill();
  }
}
