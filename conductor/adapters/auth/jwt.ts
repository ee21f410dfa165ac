/**
 * JSON Web Tokens as the engine API has them (execution-apis, authentication): HS256 with a shared
 * secret of 32 bytes, issued within 60 s of now. Tools that speak to an engine API, cast among them,
 * can make them. Nothing but HS256 is accepted, whatever a token's header says.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Largest distance of `iat` from our clock, seconds. */
export const issuedWithinSeconds = 60;
/** Longest token looked at, characters. */
const lengthMax = 4096;

/** What a token that holds proves. */
export type JwtVerdict =
  /** `name` is 'jwt', or 'jwt:' and the token's `sub` or `id` where it has one of use. */
  { readonly kind: 'valid'; readonly name: string } | { readonly kind: 'invalid'; readonly message: string };

const encoded = /^[A-Za-z0-9_-]+$/;
const callerName = /^[A-Za-z0-9._@-]{1,64}$/;

/** Parses the secret's file. Throws an Error that holds nothing of it. */
export function parseJwtSecret(text: string): Uint8Array {
  const hex = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text.trim())?.[1];
  if (hex === undefined) throw new Error('it is not 32 bytes as 64 hex digits (make one with: openssl rand -hex 32)');
  return Buffer.from(hex, 'hex');
}

/** Judges a token. `unixSeconds` is the wall clock. */
export function verifyJwt(secret: Uint8Array, token: string, unixSeconds: number): JwtVerdict {
  const [header, claims, signature, ...others] = token.length > lengthMax ? [] : token.split('.');
  const isWhole = header !== undefined && claims !== undefined && signature !== undefined && others.length === 0;
  if (!isWhole || ![header, claims, signature].every((part) => encoded.test(part))) {
    return { kind: 'invalid', message: 'the JWT is malformed' };
  }
  const expected = createHmac('sha256', secret).update(`${header}.${claims}`).digest();
  const presented = Buffer.from(signature, 'base64url');
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) {
    return { kind: 'invalid', message: "the JWT is not signed with this conductor's secret" };
  }
  const { alg, crit } = readPart(header);
  if (alg !== 'HS256' || crit !== undefined) return { kind: 'invalid', message: 'the JWT is not a plain HS256 one' };
  return judgeClaims(readPart(claims), unixSeconds);
}

function judgeClaims(claims: Readonly<Record<string, unknown>>, unixSeconds: number): JwtVerdict {
  const { iat, exp, nbf, sub, id } = claims;
  if (typeof iat !== 'number') return { kind: 'invalid', message: 'the JWT has no iat claim' };
  if (!(Math.abs(unixSeconds - iat) <= issuedWithinSeconds)) {
    const message = `the JWT was not issued within ${issuedWithinSeconds} s of this machine's time: make a new one, or compare the clocks`;
    return { kind: 'invalid', message };
  }
  // Some tools, cast among them, write claims they do not use as null.
  const isOver = isGiven(exp) && !(typeof exp === 'number' && unixSeconds < exp);
  const isEarly = isGiven(nbf) && !(typeof nbf === 'number' && unixSeconds >= nbf - issuedWithinSeconds);
  if (isOver || isEarly) return { kind: 'invalid', message: 'the JWT has expired or is not valid yet' };
  const name = [sub, id].find((one) => typeof one === 'string' && callerName.test(one));
  return { kind: 'valid', name: name === undefined ? 'jwt' : `jwt:${name as string}` };
}

function isGiven(claim: unknown): boolean {
  return claim !== undefined && claim !== null;
}

/** The JSON object of one part; empty for anything else. */
function readPart(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
