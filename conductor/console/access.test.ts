/** Who gets in, and the attacks that pages of other places try. */
import { expect, test } from 'vitest';
import { TokenList } from '#conductor/adapters/auth/token-list';
import { Access } from './access.ts';

function accessOf({ publicUrl = '', hasTokens = false, isLocal = true, isOpenToLook = false } = {}) {
  const renewed: string[] = [];
  const clock = { nowMs: 0 };
  const list = { content: new TokenList('alice alice-token-0123456789\n') };
  const access = new Access({
    tokens: hasTokens ? list : null,
    publicUrl: publicUrl === '' ? null : new URL(publicUrl),
    isLocal,
    isEncrypted: false,
    isOpenToLook,
    linkName: 'operator',
    nowMs: () => clock.nowMs,
    renewed: (token) => void renewed.push(token),
  });
  return { access, renewed, clock, list };
}

const request = (headers: Record<string, string>, method = 'GET') => ({ method, headers: new Headers(headers) });
const withCookie = (cookie: string): Headers => new Headers({ cookie: cookie.split(';')[0]! });

test('the link lets in once; the next one is told, and differs', () => {
  const { access, renewed } = accessOf();
  const token = access.linkToken;
  const cookie = access.enter(token);
  expect(cookie).toMatch(/^conductor-console-\w{8}=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  expect(access.enter(token)).toBeNull();
  expect(renewed).toEqual([access.linkToken]);
  expect(access.linkToken).not.toBe(token);
});

test('a session is known by its cookie alone, has the name of whoever has the link, and ends', () => {
  const { access, clock } = accessOf();
  const headers = withCookie(access.enter(access.linkToken)!);
  expect(access.session(headers)).toMatchObject({ name: 'operator' });
  expect(access.session(new Headers({ cookie: `${headers.get('cookie')!.slice(0, -1)}` }))).toBeNull();
  expect(access.session(new Headers())).toBeNull();
  clock.nowMs = 13 * 3600 * 1000;
  expect(access.session(headers)).toBeNull();
});

test('consoles on several ports of one machine have cookies of their own', () => {
  const name = ({ access }: ReturnType<typeof accessOf>): string => access.enter(access.linkToken)!.split('=')[0]!;
  expect(name(accessOf())).not.toBe(name(accessOf()));
});

test('however many only look, nobody with a name loses a session', () => {
  const { access } = accessOf({ isLocal: false, isOpenToLook: true });
  const named = withCookie(access.enter(access.linkToken)!);
  const first = withCookie(access.look(new Headers())!);
  for (let session = 0; session < 300; session += 1) access.look(new Headers());
  expect([access.session(named)?.name, access.session(first)]).toEqual(['operator', null]);
});

test('on loopback another name is refused with tokens, too; beyond it names are not known', () => {
  const headers = { host: 'evil.example:8560' };
  expect(accessOf({ hasTokens: true }).access.refusal(request(headers))).toContain('no name of this machine');
  expect(accessOf({ hasTokens: true, isLocal: false }).access.refusal(request(headers))).toBeNull();
});

test('leaving ends the session, not only the cookie', () => {
  const { access } = accessOf();
  const headers = withCookie(access.enter(access.linkToken)!);
  expect(access.leave(headers)).toContain('Max-Age=0');
  expect(access.session(headers)).toBeNull();
});

test('a token of the list lets in by its name, another one does not', () => {
  const { access } = accessOf({ hasTokens: true });
  const cookie = access.enter('alice-token-0123456789');
  expect(access.session(withCookie(cookie!))).toMatchObject({ name: 'alice' });
  expect(access.enter('alice-token-0123456780')).toBeNull();
});

test('a token that is taken out of the list, or given to somebody else, ends the sessions that it began', () => {
  const { access, list } = accessOf({ hasTokens: true });
  const linked = withCookie(access.enter(access.linkToken)!);
  for (const next of ['bob bobs-own-token-0123456789\n', 'bob alice-token-0123456789\n']) {
    list.content = new TokenList('alice alice-token-0123456789\n');
    const headers = withCookie(access.enter('alice-token-0123456789')!);
    list.content = new TokenList(`# renewed\nalice alice-token-0123456789\nbob bobs-own-token-0123456789\n`);
    expect(access.session(headers)).toEqual({ name: 'alice', proof: expect.any(String) });
    list.content = new TokenList(next);
    expect(access.session(headers)).toBeNull();
  }
  expect(access.session(linked)).toMatchObject({ name: 'operator' });
});

test.each<[Record<string, string>, RegExp]>([
  [{ host: 'evil.example:8560' }, /no name of this machine/],
  [{ host: 'localhost:8560', origin: 'http://evil.example' }, /evil\.example/],
  [{ host: 'localhost:8560', origin: 'null' }, /null/],
  [{ host: 'localhost:8560', origin: 'http://localhost:9999' }, /localhost:9999/],
  [{ host: 'localhost:8560', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, /another site/],
  [{ host: 'localhost:8560', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, /another site/],
])('a request of another page is refused: %j', (headers, why) => {
  expect(accessOf().access.refusal(request(headers))).toMatch(why);
});

test.each<[Record<string, string>]>([
  [{ host: 'localhost:8560' }],
  [{ host: '127.0.0.1:8560', origin: 'http://127.0.0.1:8560' }],
  [{ host: '[::1]:8560', 'sec-fetch-site': 'same-origin' }],
  [{ host: 'localhost:8560', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
])('a request of our own page, or of nobody, is not: %j', (headers) => {
  expect(accessOf().access.refusal(request(headers))).toBeNull();
});

test('a form of another site is refused although it navigates', () => {
  const headers = { host: 'localhost:8560', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  expect(accessOf().access.refusal(request(headers, 'POST'))).toMatch(/another site/);
});

test('behind a proxy the public address counts: host, origin, path and a secure cookie', () => {
  const { access } = accessOf({ publicUrl: 'https://ops.example.com/conductor/', hasTokens: true });
  expect(access.refusal(request({ host: 'ops.example.com', origin: 'https://ops.example.com' }))).toBeNull();
  expect(access.refusal(request({ host: 'ops.example.com', origin: 'https://other.example.com' }))).not.toBeNull();
  expect(access.refusal(request({ host: 'evil.example' }))).not.toBeNull();
  expect(access.enter(access.linkToken)).toMatch(/; Path=\/conductor\/; .*SameSite=Strict; Secure$/);
});

test('what changes something needs the proof of its own session', () => {
  const { access } = accessOf();
  const session = access.session(withCookie(access.enter(access.linkToken)!))!;
  const other = access.session(withCookie(access.enter(access.linkToken)!))!;
  expect(access.isProved(new Headers({ 'x-console-proof': session.proof }), session)).toBe(true);
  expect(access.isProved(new Headers({ 'x-console-proof': other.proof }), session)).toBe(false);
  expect(access.isProved(new Headers(), session)).toBe(false);
});
