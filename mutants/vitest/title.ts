/** Titles of tests as mutants name them. */

/** Matches full test names that end with the title; placeholders of `test.each` stand for anything. */
export function titlePattern(title: string): string {
  return title
    .split(/%[sijdfop]|\$[a-zA-Z]+/)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join('.*');
}
