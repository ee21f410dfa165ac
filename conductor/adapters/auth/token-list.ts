/**
 * The file of --rpc.auth.tokens-file: one `name token` per line, # begins a comment line. A token is
 * given plainly or as `sha256:` and the hex digest of it, so that the file alone opens nothing. Tokens
 * are compared by digest, each with all, so that the time taken tells nothing about any of them.
 */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Most tokens in a file. */
export const tokensMax = 1000;
/** Shortest and longest plain token, in characters. */
const tokenLengthMin = 16;
const tokenLengthMax = 512;

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
/** What RFC 6750 allows behind `Bearer`. */
const tokenPattern = /^[A-Za-z0-9._~+/-]+=*$/;
const digestPattern = /^sha256:([0-9a-fA-F]{64})$/;
/** How the audit log names callers with a JWT. */
const reservedName = 'jwt';

interface Entry {
  readonly name: string;
  readonly digest: Buffer;
  readonly line: number;
}

export class TokenList {
  readonly #entries: readonly Entry[];

  /** Parses a file. Throws an Error that names the line and never holds any of its text. */
  constructor(text: string) {
    const entries: Entry[] = [];
    for (const [position, raw] of text.split('\n').entries()) {
      const content = raw.trim();
      if (content === '' || content.startsWith('#')) continue;
      if (entries.length === tokensMax) throw new Error(`it holds more than ${tokensMax} tokens`);
      entries.push(parseLine(content, position + 1, entries));
    }
    this.#entries = entries;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The name of a presented token, or null. */
  nameOf(presented: string): string | null {
    return this.nameOfDigest(digestOf(presented));
  }

  /** The name of a token with this digest (`digestOf`), or null: for whoever remembers that one was presented. */
  nameOfDigest(digest: Buffer): string | null {
    let name: string | null = null;
    for (const entry of this.#entries) if (timingSafeEqual(entry.digest, digest)) name = entry.name;
    return name;
  }
}

function parseLine(content: string, line: number, before: readonly Entry[]): Entry {
  const [name, token, ...others] = content.split(/\s+/) as [string, ...string[]];
  if (token === undefined || others.length > 0) throw new Error(`line ${line} is not "name token"`);
  if (!namePattern.test(name) || name === reservedName) {
    throw new Error(
      `the name in line ${line} cannot be used: want up to 64 letters, digits and . _ @ - (and not "${reservedName}")`,
    );
  }
  const hex = digestPattern.exec(token)?.[1];
  if (hex === undefined) checkPlain(token, line);
  const digest = hex === undefined ? digestOf(token) : Buffer.from(hex, 'hex');
  const same = before.find((entry) => entry.digest.equals(digest));
  if (same !== undefined) throw new Error(`line ${line} has the same token as line ${same.line}`);
  return { name, digest, line };
}

function checkPlain(token: string, line: number): void {
  if (token.startsWith('sha256:')) throw new Error(`the digest in line ${line} is not 64 hex digits`);
  if (token.length < tokenLengthMin || token.length > tokenLengthMax) {
    throw new Error(
      `the token in line ${line} has ${token.length} characters, want ${tokenLengthMin} to ${tokenLengthMax}`,
    );
  }
  if (!tokenPattern.test(token)) {
    throw new Error(
      `the token in line ${line} holds characters that a header cannot carry: want letters, digits and . _ ~ + / - =`,
    );
  }
}

/** 32 bytes that open nothing. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
