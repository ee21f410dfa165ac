import { expect, test } from 'vitest';
import { findCopies } from './copied-text.ts';

const SENTENCE = 'The sequencer orders transactions and posts them to the chain below every few minutes.';
const FENCE = '```';

function copies(ours: string, theirs: string): string[] {
  const named = (name: string, text: string) => [{ name, text }];
  return findCopies(named('ours.md', ours), named('theirs.md', theirs)).map(({ kind, shared }) => `${kind}: ${shared}`);
}

test('a sentence of theirs is found whatever its markup, case and line breaks, also as part of a longer one', () => {
  const found = ['words: the sequencer orders transactions and posts them to the chain below every few minutes'];
  expect(copies(`Today ${SENTENCE.toLowerCase()}`, SENTENCE)).toEqual(found);
  expect(
    copies(
      SENTENCE,
      '- The **sequencer** [orders](/a) transactions\n  and posts `them` to the chain below every few minutes',
    ),
  ).toEqual(found);
});

test('eleven words, a mnemonic, and words on both sides of a full stop are no copy', () => {
  expect(copies(SENTENCE, SENTENCE.split(' ').slice(0, 11).join(' '))).toEqual([]);
  const mnemonic = 'test test test test test test test test test test test junk';
  expect(copies(mnemonic, mnemonic)).toEqual([]);
  expect(
    copies(
      'one two three four five six. seven eight nine ten eleven twelve',
      'one two three four five six seven. eight nine ten eleven twelve',
    ),
  ).toEqual([]);
});

test('two lines of code that follow each other are found; one line and data are not', () => {
  const code = (lang: string, ...lines: string[]) => [`${FENCE}${lang}`, ...lines, FENCE].join('\n');
  const [first, second] = ['const client = createClient();', 'await client.sendTransaction(tx);'];
  expect(copies(code('ts', first, '}', `  ${second}`), code('js', first, second))).toEqual([
    `code: ${first}\n${second}`,
  ]);
  expect(copies(code('ts', first), code('ts', first, second))).toEqual([]);
  expect(copies(code('json', first, second), code('json', first, second))).toEqual([]);
});
