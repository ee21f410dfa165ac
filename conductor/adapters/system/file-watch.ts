/**
 * Notices that small files have changed, by looking now and then: also files that are replaced, or
 * lie behind a link that is switched, which notifications of the system miss.
 */
import { statSync } from 'node:fs';
import { messageOf } from '#conductor/core/errors';

/** How often to look, milliseconds. */
export const fileWatchMs = 1000;

export class FileWatch {
  readonly #paths: readonly string[];
  /** States of the files: the one the caller knows, and the one seen at the last look. */
  #known: string;
  #seen: string;

  /** What lies there now counts as known. */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.#known = this.#look();
    this.#seen = this.#known;
  }

  /**
   * Looks; true once per change, when two looks have seen the same, lest half-written files be read. A
   * file that is gone is a change too.
   */
  hasChanged(): boolean {
    const found = this.#look();
    const isSettled = found === this.#seen;
    this.#seen = found;
    if (!isSettled || found === this.#known) return false;
    this.#known = found;
    return true;
  }

  /** What lies there now counts as known: for a caller that reads the files now. */
  know(): void {
    this.#known = this.#look();
    this.#seen = this.#known;
  }

  #look(): string {
    return this.#paths.map(fingerprint).join('\n');
  }
}

function fingerprint(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (thrown) {
    return messageOf(thrown);
  }
}
