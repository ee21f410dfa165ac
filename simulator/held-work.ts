/** What is done at once or, while it is held up, later and in order: orders to an executor that is busy, or the work of a process that is stopped. */
export class HeldWork {
  readonly #isHeld: () => boolean;
  #waiting: (() => void)[] = [];

  constructor(isHeld: () => boolean) {
    this.#isHeld = isHeld;
  }

  do(deed: () => void): void {
    if (this.#isHeld()) this.#waiting.push(deed);
    else deed();
  }

  /** To be called when it may not be held up any more. */
  goOn(): void {
    if (this.#isHeld()) return;
    for (const deed of this.#waiting.splice(0)) deed();
  }

  forget(): void {
    this.#waiting = [];
  }
}
