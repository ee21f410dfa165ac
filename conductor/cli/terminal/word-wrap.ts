/** Sentences in lines between words, for help texts and reports on a terminal. */

/** Lines of at most `width` columns, each with the indent in front; longer words stand alone. */
export function wordWrap(text: string, before: string, width: number): string[] {
  const lines: string[] = [];
  let line = before;
  for (const word of text.split(' ')) {
    const isFirst = line === before;
    if (!isFirst && line.length + 1 + word.length > width) {
      lines.push(line);
      line = before + word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line];
}
