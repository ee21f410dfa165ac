/** Finds what somebody may have meant who mistyped a word of a known list. */

/** Edits beyond this share of the word make another word. */
const editsShareMax = 0.34;

/** The closest candidate that is close enough to be worth naming, or null. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let bestEdits = Math.floor(word.length * editsShareMax) + 1;
  for (const candidate of candidates) {
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestEdits);
    if (edits < bestEdits) [best, bestEdits] = [candidate, edits];
  }
  return best ?? bySharedWord(word, candidates);
}

/** The first candidate with the same last word: --port for --rpc.port. */
function bySharedWord(word: string, candidates: readonly string[]): string | null {
  const last = word.split(/[.-]/).at(-1);
  return candidates.find((candidate) => candidate.split(/[.-]/).at(-1) === last) ?? null;
}

/** Insertions, deletions, replacements and swaps of neighbours; `limit` or more where it is surely not below. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let edits = Math.min(
        (previous[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (previous[j - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) edits = Math.min(edits, (beforePrevious[j - 2] as number) + 1);
      row.push(edits);
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length] as number;
}
