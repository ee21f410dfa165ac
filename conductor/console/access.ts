/**
 * Who may see the console, and from where: a link with a token that works once, or a named token, becomes a strict
 * cookie; requests for another host (DNS rebinding) or from another origin are refused; what changes something brings a
 * proof that no other page can read.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { digestOf as digestOfToken, type TokenList } from '#conductor/adapters/auth/token-list';
import { isLoopbackHost } from '#conductor/adapters/system/loopback';

const cookiePrefix = 'conductor-console-';
/** A session lasts so long, and so many are kept: the oldest goes. */
const sessionMsMax = 12 * 3600 * 1000;
const sessionsMax = 256;

export interface AccessOptions {
  /** null: only the link of the start lets anybody in. */
  readonly tokens: { readonly content: TokenList } | null;
  /** Where browsers find the console when that is not this address: behind a proxy. */
  readonly publicUrl: URL | null;
  /** It listens on loopback, for this machine's names alone. */
  readonly isLocal: boolean;
  /** The console brings TLS itself. */
  readonly isEncrypted: boolean;
  /** Who gets here has proved enough to look, by a certificate: a session without a name. */
  readonly isOpenToLook: boolean;
  /** Who has the link: whoever started the console reads where it is printed. */
  readonly linkName: string;
  nowMs(): number;
  /** A link was used up; here is the next one's token. */
  renewed(token: string): void;
}

export interface ProvedSession {
  readonly name: string;
  readonly proof: string;
}

interface KeptSession extends ProvedSession {
  readonly sinceMs: number;
  /** Digest of the token of the list that began it; null for one that began otherwise. */
  readonly token: Buffer | null;
}

export class Access {
  readonly #options: AccessOptions;
  /** By the digest of the cookie, so that memory holds nothing that would open the door. */
  readonly #sessions = new Map<string, KeptSession>();
  /** Browsers keep cookies by host and not by port: consoles on several ports of one machine must not take each other's. */
  readonly #cookieName = cookiePrefix + randomBytes(4).toString('hex');
  #linkToken = secret();

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** Lets in whoever brings it, once. */
  get linkToken(): string {
    return this.#linkToken;
  }

  /** Path of the cookie, and what stands before every path for a browser: '/' at the end. */
  get prefix(): string {
    return this.#options.publicUrl?.pathname ?? '/';
  }

  /** Why a request is not taken, whoever sends it; null when it is. */
  refusal({ method, headers }: Pick<Request, 'method' | 'headers'>): string | null {
    const host = headers.get('host') ?? '';
    const own = this.#options.publicUrl;
    const { isLocal } = this.#options;
    if (own === null && isLocal && !isLoopbackHost(host))
      return `the request is for ${quoted(host)}, which is no name of this machine`;
    if (own !== null && host !== own.host && !isLoopbackHost(host))
      return `the request is for ${quoted(host)}, and the console is ${own.host}`;
    const site = headers.get('sec-fetch-site');
    const isNavigation = headers.get('sec-fetch-mode') === 'navigate' && method === 'GET';
    if (site !== null && site !== 'same-origin' && site !== 'none' && !isNavigation)
      return 'another site sends the request';
    const origin = headers.get('origin');
    if (origin !== null && !this.#isOwnOrigin(origin, host)) return `${quoted(origin)} sends the request`;
    return null;
  }

  /** The session of a request; null without one. */
  session(headers: Headers): ProvedSession | null {
    const digest = digestOf(this.#cookieIn(headers));
    const found = this.#sessions.get(digest);
    if (found === undefined) return null;
    const isGood = this.#options.nowMs() - found.sinceMs <= sessionMsMax && this.#isListed(found);
    if (isGood) return { name: found.name, proof: found.proof };
    this.#sessions.delete(digest);
    return null;
  }

  /** Whether a request that changes something comes from our own page. */
  isProved(headers: Headers, session: ProvedSession): boolean {
    return isSame(headers.get('x-console-proof') ?? '', session.proof);
  }

  /** The Set-Cookie of a new session for the token of the link, or for one of the list; null for any other. */
  enter(token: string): string | null {
    if (isSame(token, this.#linkToken)) {
      this.#linkToken = secret();
      this.#options.renewed(this.#linkToken);
      return this.#begin(this.#options.linkName, null);
    }
    const digest = digestOfToken(token);
    const name = this.#options.tokens?.content.nameOfDigest(digest) ?? null;
    return name === null ? null : this.#begin(name, digest);
  }

  /** The Set-Cookie of a session without a name for whoever may look unasked and has none yet; null for all others. */
  look(headers: Headers): string | null {
    return this.#options.isOpenToLook && this.session(headers) === null ? this.#begin('', null) : null;
  }

  /** Ends the session of a request; the Set-Cookie that takes the cookie away. */
  leave(headers: Headers): string {
    this.#sessions.delete(digestOf(this.#cookieIn(headers)));
    return this.#cookie('', 0);
  }

  #begin(name: string, token: Buffer | null): string {
    const cookie = secret();
    if (this.#sessions.size >= sessionsMax) this.#dropOldest();
    this.#sessions.set(digestOf(cookie), { name, proof: secret(), sinceMs: this.#options.nowMs(), token });
    return this.#cookie(cookie, sessionMsMax / 1000);
  }

  /** Who only looks must not be able to end the sessions of those who act. */
  #dropOldest(): void {
    const nameless = [...this.#sessions].find(([, { name }]) => name === '');
    this.#sessions.delete(nameless?.[0] ?? this.#sessions.keys().next().value ?? '');
  }

  /** A token that was taken out of the list ends what it began. */
  #isListed({ name, token }: KeptSession): boolean {
    return token === null || this.#options.tokens?.content.nameOfDigest(token) === name;
  }

  #cookie(value: string, seconds: number): string {
    const isSecure = this.#options.isEncrypted || this.#options.publicUrl?.protocol === 'https:';
    const flags = `Path=${this.prefix}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
    return `${this.#cookieName}=${value}; ${flags}`;
  }

  #cookieIn(headers: Headers): string {
    for (const part of (headers.get('cookie') ?? '').split(';')) {
      const [name, value = ''] = part.trim().split('=', 2);
      if (name === this.#cookieName) return value;
    }
    return '';
  }

  #isOwnOrigin(origin: string, host: string): boolean {
    const { publicUrl, isEncrypted } = this.#options;
    if (publicUrl !== null && origin === publicUrl.origin) return true;
    return origin === `${isEncrypted ? 'https' : 'http'}://${host}`;
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(wanted).digest());
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
