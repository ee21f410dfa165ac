/**
 * Who a request's Authorization header says is calling: a token of the tokens file, as `Bearer` or as
 * the password of `Basic` (what a URL like http://name:token@host makes of it), or a JWT as `Bearer`.
 * Nothing presented ever appears in a message.
 */
import { ConfigError } from '#conductor/core/errors';
import type { Logger } from '#conductor/core/ports';
import type { Identity } from '#conductor/core/rpc/identity';
import { fileWatchMs } from '../system/file-watch.ts';
import { issuedWithinSeconds, parseJwtSecret, verifyJwt } from './jwt.ts';
import { SecretFile } from './secret-file.ts';
import { TokenList } from './token-list.ts';

/** Longest header looked at, characters. */
const headerLengthMax = 8192;

/** Paths of the files; '' for none. At least one is given. */
export interface CredentialsOptions {
  readonly tokensFile: string;
  readonly jwtSecretFile: string;
  readonly logger: Logger;
  /** Wall clock, Unix milliseconds. */
  nowMs(): number;
}

export class Credentials {
  readonly #tokens: SecretFile<TokenList> | null;
  readonly #secret: SecretFile<Uint8Array> | null;
  readonly #nowMs: () => number;
  readonly #advice: string;
  readonly #timer: ReturnType<typeof setInterval>;

  /** Reads the files; throws ConfigError for the first that cannot be used. */
  constructor({ tokensFile, jwtSecretFile, logger, nowMs }: CredentialsOptions) {
    this.#nowMs = nowMs;
    this.#tokens = tokensFile === '' ? null : openTokens(tokensFile, logger);
    this.#secret =
      jwtSecretFile === ''
        ? null
        : new SecretFile({
            flag: 'rpc.auth.jwt-secret',
            path: jwtSecretFile,
            logger,
            parse: parseJwtSecret,
            reloaded: () => undefined,
          });
    const ways = [
      ...(this.#tokens === null ? [] : ['a token of --rpc.auth.tokens-file']),
      ...(this.#secret === null
        ? []
        : [`a JWT signed with the secret of --rpc.auth.jwt-secret (HS256, iat within ${issuedWithinSeconds} s)`]),
    ];
    this.#advice = `send the header "Authorization: Bearer ..." with ${ways.join(' or ')}`;
    this.#timer = setInterval(() => this.poll(), fileWatchMs).unref();
  }

  /** Judges the header of one request; null when there is none. */
  identify(authorization: string | null): Identity {
    if (authorization === null) return this.#refuse('this method changes the conductor and needs to know who calls');
    const [, scheme, value] =
      authorization.length > headerLengthMax ? [] : (/^(\w+) +(\S+) *$/.exec(authorization) ?? []);
    if (scheme !== undefined && value !== undefined) {
      if (scheme.toLowerCase() === 'bearer') return this.#bearer(value);
      if (scheme.toLowerCase() === 'basic') return this.#basic(value);
    }
    return this.#refuse('the Authorization header is neither "Bearer ..." nor "Basic ..."');
  }

  /** Looks whether the files have changed. */
  poll(): void {
    this.#tokens?.poll();
    this.#secret?.poll();
  }

  /** Reads the files now, changed or not. */
  reload(): void {
    this.#tokens?.reload();
    this.#secret?.reload();
  }

  /** Looks no more. */
  close(): void {
    clearInterval(this.#timer);
  }

  #bearer(value: string): Identity {
    const name = this.#tokens?.content.nameOf(value) ?? null;
    if (name !== null) return { kind: 'allowed', name };
    if (this.#secret === null) return this.#refuse('the token is not known here');
    if (this.#tokens !== null && value.split('.').length !== 3) return this.#refuse('the token is not known here');
    const verdict = verifyJwt(this.#secret.content, value, this.#nowMs() / 1000);
    return verdict.kind === 'valid' ? { kind: 'allowed', name: verdict.name } : this.#refuse(verdict.message);
  }

  #basic(value: string): Identity {
    const decoded = Buffer.from(value, 'base64').toString('utf8');
    const colon = decoded.indexOf(':');
    const name = colon === -1 ? null : (this.#tokens?.content.nameOf(decoded.slice(colon + 1)) ?? null);
    if (name !== null && name === decoded.slice(0, colon)) return { kind: 'allowed', name };
    return this.#refuse('the user and password are not a name and token known here');
  }

  #refuse(why: string): Identity {
    return { kind: 'refused', message: `unauthorized: ${why}; ${this.#advice}` };
  }
}

/** An empty list is a mistake at the start; later it is how all tokens are withdrawn. */
function openTokens(path: string, logger: Logger): SecretFile<TokenList> {
  const flag = 'rpc.auth.tokens-file';
  const file = new SecretFile({
    flag,
    path,
    logger,
    parse: (text) => new TokenList(text),
    reloaded: ({ size }) => {
      if (size === 0) logger.log('warn', 'the tokens file is empty now: no token is accepted', { path });
    },
  });
  if (file.content.size === 0) throw new ConfigError(`--${flag}: ${path} cannot be used: it holds no token`);
  return file;
}
