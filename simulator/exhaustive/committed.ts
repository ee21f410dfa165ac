/** What was ever known to be committed on a path: for each index the entry, and the lowest term of a server that knew. Numbered. */
import type { LocalState } from './local-states.ts';

interface CommittedEntry {
  /** Its term, type and data. */
  readonly entry: string;
  readonly knownInTerm: number;
}

export class Committed {
  readonly #numbers = new Map<string, number>();
  readonly #lists: (readonly CommittedEntry[])[] = [];

  /** Number of the list of nothing. */
  readonly nothing = this.#number([]);

  get(number: number): readonly CommittedEntry[] {
    return this.#lists[number]!;
  }

  /** Takes in what a server knows; a message where it contradicts what was known. */
  advance(number: number, { commitIndex, log, term }: LocalState): number | string {
    const known = this.get(number);
    let list: CommittedEntry[] | null = null;
    for (let at = 0; at < commitIndex; at++) {
      const entry = log[at] ?? 'nothing';
      const before = known[at];
      if (before !== undefined && before.entry !== entry)
        return `index ${at + 1} is committed as ${before.entry} and as ${entry}`;
      if (before !== undefined && before.knownInTerm <= term) continue;
      list ??= [...known];
      list[at] = { entry, knownInTerm: term };
    }
    return list === null ? number : this.#number(list);
  }

  #number(list: readonly CommittedEntry[]): number {
    const key = list.map(({ entry, knownInTerm }) => `${entry} ${knownInTerm}`).join('|');
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#lists.push(list) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}
