/** How unlike two words are, for those who mistyped one: commands, flags, addresses of pages. */

/**
 * Insertions, deletions, replacements and swaps of neighbours that make `a` of `b` (optimal string alignment); `limit`
 * or more where it is surely not below.
 */
export function editDistance(a: string, b: string, limit = Infinity): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(replaced, previous[j]! + 1, row[j - 1]! + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) edits = Math.min(edits, beforePrevious[j - 2]! + 1);
      row.push(edits);
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length]!;
}
