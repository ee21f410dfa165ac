/** British and American spellings of one word. The pages mix them, and so do their readers. */

/** Each way of writing an ending, and the other. */
const ENDINGS: readonly (readonly [british: RegExp, american: string])[] = [
  [/is(e|ed|es|er|ers|ing|able|ation|ations)$/, 'iz$1'],
  [/ys(e|ed|es|er|ers|ing)$/, 'yz$1'],
  [/our(s|ed|ing|ite|able)?$/, 'or$1'],
  [/tre(s|d)?$/, 'ter$1'],
  [/ence(s|d)?$/, 'ense$1'],
  [/ogue(s)?$/, 'og$1'],
  [/ll(ed|ing|er|ers)$/, 'l$1'],
  [/iz(e|ed|es|er|ers|ing|able|ation|ations)$/, 'is$1'],
  [/yz(e|ed|es|er|ers|ing)$/, 'ys$1'],
  [/or(s|ed|ing|ite|able)?$/, 'our$1'],
  [/ter(s|ed)?$/, 'tre$1'],
  [/ense(s|d)?$/, 'ence$1'],
  [/og(s)?$/, 'ogue$1'],
  [/l(ed|ing|er|ers)$/, 'll$1'],
];
const LENGTH_MIN = 5;

/** How else a lower-case word may be written; most of what comes out is no word, so ask whether it is known. */
export function otherSpellings(word: string): string[] {
  if (word.length < LENGTH_MIN || !/^[a-z]+$/.test(word)) return [];
  return ENDINGS.filter(([ending]) => ending.test(word)).map(([ending, other]) => word.replace(ending, other));
}
