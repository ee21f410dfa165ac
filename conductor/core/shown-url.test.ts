import { expect, test } from 'vitest';
import { withoutUser } from './shown-url.ts';

test.each([
  ['http://c:4318/v1', 'http://c:4318/v1'],
  ['https://user:secret@c/p?at=a@b', 'https://c/p?at=a@b'],
  ['http://user:half@half@c', 'http://c'],
  ['http://c/path@home', 'http://c/path@home'],
  ['no URL', 'no URL'],
])('%s is shown as %s', (url, shown) => {
  expect(withoutUser(url)).toBe(shown);
});
