/**
 * Mutual TLS between conductors: both sides show a certificate of one CA, whose name (a DNS subject
 * alternative name, or the common name) is the server id. Files are read again for each dial and at
 * `reload`, so certificates can be renewed in place. There is no fallback to plain text but in mixed mode,
 * in which a running cluster is brought from plain text to TLS.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { ConfigError, messageOf } from '#conductor/core/errors';

/** Largest file, bytes: an authority's bundle of many certificates fits many times. */
const fileBytesMax = 1024 * 1024;

/** Paths of PEM files. */
export interface TlsSettings {
  readonly certFile: string;
  readonly keyFile: string;
  /** The CA (or several) that must have signed the peer's certificate. */
  readonly caFile: string;
  /** Listen for plain text, too, and fall back to it where a peer takes no TLS; default false. */
  readonly isMixed?: boolean;
}

/** Options for Bun.listen and Bun.connect. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  readonly requestCert: true;
  readonly rejectUnauthorized: true;
}

/** Reads the three files. Throws ConfigError with the path of one that cannot be read. */
export function readTlsMaterial(settings: TlsSettings): TlsMaterial {
  return {
    cert: read('certificate', settings.certFile),
    key: read('key', settings.keyFile),
    ca: read('CA', settings.caFile),
    requestCert: true,
    rejectUnauthorized: true,
  };
}

/** What our own certificate says. Throws ConfigError when it cannot be read. */
export function readOwnCertificate(settings: TlsSettings): {
  readonly names: readonly string[];
  readonly validToMs: number;
} {
  const pem = read('certificate', settings.certFile);
  try {
    const certificate = new X509Certificate(pem);
    const commonName: unknown = certificate.toLegacyObject().subject?.CN;
    return { names: namesOf(certificate, commonName), validToMs: Date.parse(certificate.validTo) };
  } catch (error) {
    throw new ConfigError(`${settings.certFile} holds no certificate: ${messageOf(error)}`, { cause: error });
  }
}

/** Names of a verified peer; empty unless `authorized`. Call it when the handshake is over. */
export function peerNames(socket: Bun.Socket<unknown>): readonly string[] {
  if (!socket.authorized) return [];
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? [] : namesOf(certificate, socket.getPeerCertificate().subject?.CN);
}

function namesOf(certificate: Pick<X509Certificate, 'subjectAltName'>, commonName: unknown): string[] {
  // Separators inside of a name are escaped, so splitting is safe.
  const parts = (certificate.subjectAltName ?? '').split(', ');
  const names = parts.filter((part) => part.startsWith('DNS:')).map((part) => part.slice('DNS:'.length));
  if (typeof commonName === 'string') names.push(commonName);
  return names;
}

function read(what: string, path: string): string {
  try {
    // They are read while the conductor runs: a pipe that nobody writes to would stop it for ever.
    const status = statSync(path);
    if (!status.isFile()) throw new Error('it is not a file');
    if (status.size > fileBytesMax) throw new Error(`it has ${status.size} bytes, at most ${fileBytesMax} are read`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`the TLS ${what} file ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
