/** Sentences in lines between words, for help texts and reports on a terminal. */

/** Lines of at most `width` columns, each with the indent in front; longer words stand alone, or are cut if `isHard`. */
export function wordWrap(text: string, before: string, width: number, isHard = false): string[] {
  const columns = Math.max(1, width - before.length);
  return Bun.wrapAnsi(text, columns, { hard: isHard })
    .split('\n')
    .map((line) => before + line);
}
