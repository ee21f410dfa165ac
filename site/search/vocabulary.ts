/**
 * The tokens of the index that are known so far, and in how many sections each stands. It answers what an index cannot: which
 * known words a misspelt one may mean, which share its stem, and whether two words are one.
 */
import { singular } from './tokenize.ts';

/** A token that may be meant, and how sure that is: 0 < weight ≤ 1. */
export interface Likeness {
  readonly token: string;
  readonly weight: number;
}

const ENDINGS = [
  '',
  's',
  'es',
  'e',
  'ed',
  'ing',
  'er',
  'ers',
  'or',
  'al',
  'als',
  'ion',
  'ions',
  'ation',
  'ment',
  'able',
  'ly',
  'ity',
  'y',
  'ize',
  'ized',
];
/** Shorter stems are shared by words that have nothing in common. */
const STEM_LENGTH_MIN = 4;
const LIKENESSES_MAX = 4;
const SLIPS_MAX = 2;
/** Two slips make any word of up to so many letters another one. */
const SHORT_LENGTH = 4;

export class Vocabulary {
  readonly #sections = new Map<string, number>();
  #byLength: string[][] | null = null;
  #sorted: string[] | null = null;

  /** Says in how many sections a token stands. */
  set(token: string, sections: number): void {
    this.#sections.set(token, sections);
    this.#byLength = null;
    this.#sorted = null;
  }

  has(token: string): boolean {
    return this.#sections.has(token);
  }

  /** The commonest tokens that begin so, without the prefix itself. */
  completions(prefix: string, most: number): string[] {
    this.#sorted ??= [...this.#sections.keys()].sort();
    const found: string[] = [];
    for (let at = firstNotBefore(this.#sorted, prefix); this.#sorted[at]?.startsWith(prefix) === true; at += 1) {
      if (this.#sorted[at] !== prefix) found.push(this.#sorted[at]!);
    }
    return found.sort((a, b) => this.count(b) - this.count(a) || a.length - b.length).slice(0, most);
  }

  /** Sections that hold the token. */
  count(token: string): number {
    return this.#sections.get(token) ?? 0;
  }

  /** Known words with the same stem and another ending: estimate, estimating, estimation. */
  relatives(word: string): string[] {
    if (!/^[a-z]+$/.test(word)) return [];
    const relatives = new Set<string>();
    for (const ending of ENDINGS) {
      if (!word.endsWith(ending)) continue;
      const stem = word.slice(0, word.length - ending.length);
      if (stem.length < STEM_LENGTH_MIN) continue;
      for (const other of ENDINGS) {
        for (const candidate of [stem + other, doubled(stem) + other]) {
          if (candidate !== word && this.has(candidate)) relatives.add(candidate);
        }
      }
    }
    return [...relatives];
  }

  /** The two known words that a word typed without a space may be: snapsync → snap, sync. */
  halves(word: string): readonly [string, string] | null {
    if (!/^[a-z0-9]+$/.test(word)) return null;
    let best: readonly [string, string] | null = null;
    let most = 0;
    for (let at = 2; at <= word.length - 2; at += 1) {
      const halves = [word.slice(0, at), word.slice(at)] as const;
      const rarer = Math.min(this.count(halves[0]), this.count(halves[1]));
      if (rarer > most) [best, most] = [halves, rarer];
    }
    return best;
  }

  /** Known words that differ by a slip or two of the fingers, the likeliest first. Plurals are compared as singulars. */
  near(typed: string): Likeness[] {
    const word = typed.length > SHORT_LENGTH ? singular(typed) : typed;
    const allowed = slipsAllowed(word.length);
    const found = this.#within(word, allowed);
    return found.length === 0 && word.length > SHORT_LENGTH ? this.#within(word, SLIPS_MAX) : found;
  }

  #within(word: string, allowed: number): Likeness[] {
    if (allowed === 0) return [];
    const found: { token: string; slips: number; count: number }[] = [];
    this.#byLength ??= this.#sortedByLength();
    for (let length = word.length - allowed; length <= word.length + allowed; length += 1) {
      for (const token of this.#byLength[length] ?? []) {
        const slips = slipsBetween(word, token, allowed);
        // Whoever mistypes the first letter sees it; such words are mostly others.
        const cost = slips + (token[0] === word[0] ? 0 : 0.5);
        if (slips > 0 && slips <= allowed) found.push({ token, slips: cost, count: this.count(token) });
      }
    }
    found.sort((a, b) => a.slips - b.slips || b.count - a.count);
    const fewest = found[0]?.slips ?? 0;
    return found
      .filter(({ slips }) => slips <= fewest + 0.5)
      .slice(0, LIKENESSES_MAX)
      .map(({ token, slips }) => ({ token, weight: Math.max(0.2, 0.75 - 0.15 * slips) }));
  }

  #sortedByLength(): string[][] {
    const byLength: string[][] = [];
    for (const token of this.#sections.keys()) {
      // A plural differs from its singular by a slip; one of them is enough.
      if (!/[a-z]/.test(token) || (singular(token) !== token && this.has(singular(token)))) continue;
      (byLength[token.length] ??= []).push(token);
    }
    return byLength;
  }
}

/** Position of the first of the sorted texts that does not come before this one. */
function firstNotBefore(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function doubled(stem: string): string {
  return stem + (stem.at(-1) ?? '');
}

function slipsAllowed(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : SLIPS_MAX;
}

/**
 * Letters to insert, drop, replace or swap with their neighbour to get from one word to the other
 * (optimal string alignment), or anything above `most` when it takes more.
 */
export function slipsBetween(a: string, b: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = last[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      let cost = Math.min(replaced, last[column]! + 1, current[column - 1]! + 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) cost = Math.min(cost, before[column - 2]! + 1);
      current.push(cost);
    }
    if (Math.min(...current) > most) return most + 1;
    [before, last] = [last, current];
  }
  return last[b.length]!;
}
