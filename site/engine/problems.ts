/**
 * What an author has to put right, each with its place. Nothing stops at the first: every check adds
 * to a list, and the build ends with all of it.
 */
export interface Problem {
  /** Path within the repository. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

/** One line per problem, `file:line: message`, in the order of the files and lines; none twice. */
export function formatProblems(problems: readonly Problem[]): string[] {
  const lines = problems
    .toSorted((a, b) => compareText(a.file, b.file) || a.line - b.line || compareText(a.message, b.message))
    .map((problem) => `${problem.file}:${problem.line}: ${problem.message}`);
  return [...new Set(lines)];
}

/** What was no UTF-8 is read as U+FFFD, which no text of this site has otherwise. */
export function checkEncoding(file: string, text: string): Problem[] {
  const message = 'This line is not UTF-8, or has the character U+FFFD; save the file as UTF-8 and write it again.';
  return text
    .split('\n')
    .flatMap((line, index) => (line.includes('\uFFFD') ? [{ file, line: index + 1, message }] : []));
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
