/** Reads which of the numbered rules (content/pages/conductor/rules.mdx) a text names: "rule 6", "rules 9, 10 and 12", "rules 16 to 19". */

const REFERENCE = /\brules? (\d+)((?:(?:, (?:and )?| and | or )\d+)*)(?: to (\d+))?/gi;

/** Their numbers in the order of the text, with repeats. */
export function rulesNamed(text: string): number[] {
  return [...text.matchAll(REFERENCE)].flatMap(([whole, first = '', more = '', last]) => {
    // A single rule is followed by other numbers than those of rules.
    const others = /^rules/i.test(whole) ? [...more.matchAll(/\d+/g)].map(Number) : [];
    const from = Number(first);
    const through = last === undefined ? [] : Array.from({ length: Number(last) - from }, (_, at) => from + 1 + at);
    return [from, ...others, ...through];
  });
}
