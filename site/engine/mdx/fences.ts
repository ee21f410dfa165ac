/**
 * Which lines of a text are Markdown, and which are code between fences. For what looks at lines before
 * anything is parsed.
 */
const FENCE = /^\s*(`{3,}|~{3,})/;

/** One entry per line: true outside of fences; the fences themselves count as inside. */
export function linesOutsideFences(lines: readonly string[]): boolean[] {
  let fence: string | null = null;
  return lines.map((line) => {
    const marker = FENCE.exec(line)?.[1];
    if (fence === null) {
      fence = marker ?? null;
      return fence === null;
    }
    if (marker?.startsWith(fence) === true && line.trim() === marker) fence = null;
    return false;
  });
}
