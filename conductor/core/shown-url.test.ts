import { expect, test } from 'vitest';
import { shownUrl, withoutPathOf } from './shown-url.ts';

test.each([
  ['http://c:4318', 'http://c:4318'],
  ['http://c:80/v1', 'http://c:80'],
  ['https://user:secret@c/p?at=a@b', 'https://c'],
  ['https://c?key=secret', 'https://c'],
  ['https://c/v3/secret#secret', 'https://c'],
  ['http://user:half@half@c', 'http://c'],
  ['http://c/path@home', 'http://c'],
  ['wss://[::1]:8546/secret', 'wss://[::1]:8546'],
  ['https:\\\\c\\secret', 'https:\\\\c'],
  ['https:c/secret', 'https:c'],
  ['c:8545/v3/secret', 'c:8545'],
  ['/data/geth.ipc', '/data/geth.ipc'],
  ['no URL', 'no URL'],
  ['', ''],
])('%s is shown as %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});

test.each([
  ['http://c/v3/secret?k=1', 'Cannot POST /v3/secret?k=1', 'Cannot POST /…'],
  ['http://c/v3/secret?k=1', 'no such path: /v3/secret', 'no such path: /…'],
  ['http://c/?k=secret', 'Cannot POST /?k=secret', 'Cannot POST /…'],
  ['http://c:1', 'Cannot POST /', 'Cannot POST /'],
  ['http://c:1/', 'Cannot POST /', 'Cannot POST /'],
])('what the server at %s says, %j, is shown as %j', (url, text, shown) => {
  expect(withoutPathOf(url, text)).toBe(shown);
});
