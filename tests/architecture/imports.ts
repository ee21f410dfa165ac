/**
 * Finds the imports of a source text: static, dynamic, re-exports, and type-only ones too, since the
 * arrows of the house hold for types as well. A scanner rather than a parser: it knows comments,
 * strings and templates, which is what tells an import from text that looks like one.
 */

/** What an `import()` of something other than a string literal is reported as. */
export const COMPUTED = '(computed)';

/** Specifiers in order of appearance, with repeats. */
export function findImports(source: string): string[] {
  const { code, strings } = maskStrings(source);
  const found: string[] = [];
  // After masking, every literal is `"<number>"`, so nothing inside a string or comment can match.
  const pattern =
    /(?<![.\w$])(?:(?:import|export)\b(?:[\s\w{},*$]*?\bfrom)?\s*"(\d+)"|(?:import|require)\s*\(\s*(?:"(\d+)"\s*[,)])?)/g;
  for (const match of code.matchAll(pattern)) {
    const number = match[1] ?? match[2];
    found.push(number === undefined ? COMPUTED : (strings[Number(number)] ?? COMPUTED));
  }
  return found;
}

/** Comments become spaces, and each string or template without holes becomes its number in `strings`. */
function maskStrings(source: string): { code: string; strings: string[] } {
  const strings: string[] = [];
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*(?=\s*[.,;)\]}:?]|\s*$)/gm;
  const code = source.replace(token, (text) => {
    if (text.startsWith('//') || text.startsWith('/*')) return ' ';
    if (text.startsWith('/')) return '0';
    const isComputed = text.startsWith('`') && text.includes('${');
    if (isComputed) return '0';
    strings.push(text.slice(1, -1));
    return `"${strings.length - 1}"`;
  });
  return { code, strings };
}
