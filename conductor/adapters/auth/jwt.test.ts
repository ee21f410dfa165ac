import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { issuedWithinSeconds, parseJwtSecret, verifyJwt } from './jwt.ts';

const secretHex = '0x4f3c2b1a'.padEnd(66, '7');
const secret = parseJwtSecret(secretHex);
const now = 1_800_000_000;

function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

/** Signed with `key` whatever its header says. */
function token(claims: unknown, header: unknown = { alg: 'HS256', typ: 'JWT' }, key = secret): string {
  const body = `${encode(header)}.${encode(claims)}`;
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`;
}

const verdict = (text: string) => verifyJwt(secret, text, now);

describe('a JWT', () => {
  test('is valid when the secret signed it within a minute of now, on either side', () => {
    for (const iat of [now, now - issuedWithinSeconds, now + issuedWithinSeconds, now - 0.5]) {
      expect(verdict(token({ iat }))).toEqual({ kind: 'valid', name: 'jwt' });
    }
    for (const iat of [now - issuedWithinSeconds - 1, now + issuedWithinSeconds + 1, 0, 1e308]) {
      expect(verdict(token({ iat }))).toMatchObject({
        kind: 'invalid',
        message: expect.stringContaining('60 s') as string,
      });
    }
  });

  test('of the known example (RFC 7515, A.1) is signed as we compute it, and is long over', () => {
    const key = Buffer.from(
      'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
      'base64url',
    );
    const example =
      'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    expect(verifyJwt(key, example, now)).toEqual({ kind: 'invalid', message: 'the JWT has no iat claim' });
    expect(verifyJwt(secret, example, now)).toMatchObject({ message: expect.stringContaining('not signed') as string });
  });

  test('names its caller by sub or id where these are short and plain', () => {
    expect(verdict(token({ iat: now, sub: 'alice' }))).toEqual({ kind: 'valid', name: 'jwt:alice' });
    expect(verdict(token({ iat: now, id: 'node-1' }))).toEqual({ kind: 'valid', name: 'jwt:node-1' });
    expect(verdict(token({ iat: now, sub: 'a b\nlvl=crit' }))).toEqual({ kind: 'valid', name: 'jwt' });
  });

  test('says nothing by claims that are null, as cast writes them', () => {
    expect(verdict(token({ iat: now, exp: null, nbf: null, sub: null })).kind).toBe('valid');
  });

  test.each([
    ['another secret', token({ iat: now }, undefined, new Uint8Array(32).fill(1))],
    ['no iat', token({})],
    ['iat as text', token({ iat: String(now) })],
    ['an end in the past', token({ iat: now, exp: now - 1 })],
    ['an end that is no number', token({ iat: now, exp: 'never' })],
    ['a beginning in the future', token({ iat: now, nbf: now + 3600 })],
    ['alg none', token({ iat: now }, { alg: 'none' })],
    ['alg none and no signature', `${encode({ alg: 'none' })}.${encode({ iat: now })}.`],
    ['alg HS512 in its header', token({ iat: now }, { alg: 'HS512' })],
    ['a critical extension', token({ iat: now }, { alg: 'HS256', crit: ['exp'] })],
    ['claims that are no object', token('5')],
    ['claims that are no JSON', token('{')],
    ['claims that are null', token('null')],
    ['a header that is no JSON', token({ iat: now }, '{')],
    ['padding', `${token({ iat: now })}=`],
    ['a fourth part', `${token({ iat: now })}.x`],
    ['no parts', ''],
    ['too many characters', token({ iat: now, x: 'x'.repeat(5000) })],
  ])('with %s is refused', (_, text) => expect(verdict(text).kind).toBe('invalid'));

  test('that was changed anywhere is refused, and no text whatever is more than refused', () => {
    const good = token({ iat: now, sub: 'alice' });
    const change = fc.tuple(fc.nat(good.length - 1), fc.stringMatching(/^[A-Za-z0-9_.-]$/));
    fc.assert(
      fc.property(change, ([at, character]) => {
        const changed = good.slice(0, at) + character + good.slice(at + 1);
        // The last character carries two bits that no byte has.
        const isSame = Buffer.from(changed.split('.')[2] ?? '', 'base64url').equals(
          Buffer.from(good.split('.')[2] as string, 'base64url'),
        );
        const isBodySame = changed.slice(0, changed.lastIndexOf('.')) === good.slice(0, good.lastIndexOf('.'));
        expect(verdict(changed).kind).toBe(isSame && isBodySame ? 'valid' : 'invalid');
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(verdict(text).kind).toBe('invalid');
      }),
    );
  });

  test('signed by the secret may hold anything and is judged without a crash', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (header, claims) => {
        expect(verdict(token(claims, header)).kind).toBe('invalid');
      }),
    );
  });
});

describe('a secret file', () => {
  test('holds 32 bytes as hex, with or without 0x, with white space around', () => {
    expect(parseJwtSecret(`${secretHex.slice(2)}\n`)).toEqual(secret);
    expect(secret).toHaveLength(32);
  });
  test.each(['', '0x', 'aa', secretHex.slice(0, -1), `${secretHex}0`, `zz${'0'.repeat(62)}`])(
    '%j is refused without being repeated',
    (text) => {
      expect(() => parseJwtSecret(text)).toThrow('32 bytes');
      if (text.length > 2) expect(() => parseJwtSecret(text)).not.toThrow(text);
    },
  );
});
