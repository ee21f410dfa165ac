/**
 * What a row of the proof table is: a law, where the code keeps it, how to take that out, and the
 * test that then fails. The rows are data, by area, in the files beside this one.
 */

/** One way to break one law. */
export interface Mutant {
  /** The rule ('rule 1' … 'rule 34'), known failure or extra of `subjects.ts` that it belongs to. */
  readonly id: string;
  /** What must hold, in a sentence; it is broken by the replacement. */
  readonly law: string;
  /** Source file, from the repository's root. */
  readonly file: string;
  /** Text that occurs in it exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Test files, from the repository's root. */
  readonly tests: readonly string[];
  /** Title of the test that must fail, as written in one of them; placeholders of `test.each` stand for anything. */
  readonly testName: string;
}

/** All that the rows of one file and test have in common. */
export function mutantsOf(file: string, test: string, rows: readonly Omit<Mutant, 'file' | 'tests'>[]): Mutant[] {
  return rows.map((row) => ({ ...row, file, tests: [test] }));
}

/** Matches full test names that end with the title. */
export function titlePattern(title: string): string {
  return title
    .split(/%[sijdfop]|\$[a-zA-Z]+/)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join('.*');
}

/** The source with the law taken out; throws when it is not there exactly once. */
export function mutate(source: string, mutant: Mutant): string {
  const parts = source.split(mutant.find);
  if (parts.length !== 2) throw new Error(`${mutant.file} holds the text of "${mutant.law}" ${parts.length - 1} times`);
  return parts.join(mutant.replace);
}
