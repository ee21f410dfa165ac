import { expect, test } from 'vitest';
import { withoutCredentials } from './logging.ts';

test('user and password of each URL in a text are cut, and nothing else is', () => {
  const text = 'dial ws://a:b@node:8546/x, then https://op@l1.example and http://plain:8545/?to=a@b';
  expect(withoutCredentials(text)).toBe(
    'dial ws://***@node:8546/x, then https://***@l1.example and http://plain:8545/?to=a@b',
  );
  expect(withoutCredentials(7)).toBe(7);
});

test('a word of a megabyte, as of a payload in an error of op-node, is gone through once', () => {
  const word = '0x' + 'ab'.repeat(512 * 1024);
  expect(withoutCredentials(word)).toBe(word);
});
