/** What is printed must be what the page shows, but for hashes and numbers of blocks. */
import { expect, test } from 'vitest';
import { checkOutput } from './recording.ts';

test('an output of another shape fails, with the name of its command', () => {
  expect(() => checkOutput('page', 'some/call', { printed: 'true\n', shown: 'false' })).toThrow(
    /some\/call printed something else/,
  );
  expect(() => checkOutput('page', 'some/call', { printed: 'null\nnull\n', shown: 'null' })).toThrow('some/call');
});

test('another block number does not', () => {
  expect(() =>
    checkOutput('page', 'some/call', { printed: '"number":"0x2a"\n', shown: '"number":"0x8"' }),
  ).not.toThrow();
});
