import { expect, test } from 'vitest';
import { programWords } from './program-words.ts';

test.each([
  [[], []],
  [['--paused'], ['--paused']],
  [['op-conductor'], []],
  [
    ['op-conductor', '--paused', 'op-conductor'],
    ['--paused', 'op-conductor'],
  ],
  [['/usr/local/bin/op-conductor', '--paused'], ['--paused']],
  [['op-conductor', 'doctor'], ['doctor']],
  [
    ['op-conductor-ops', 'x'],
    ['op-conductor-ops', 'x'],
  ],
  [
    ['run', 'op-conductor'],
    ['run', 'op-conductor'],
  ],
])('of the words %j those after the name of op-conductor count: %j', (given, words) => {
  expect(programWords(['bun', 'main', ...given])).toEqual(words);
});
