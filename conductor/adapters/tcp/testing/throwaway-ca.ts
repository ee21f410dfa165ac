/**
 * A certificate authority for tests, made in memory: X.509 v3 with ECDSA P-256, written as DER by
 * hand (RFC 5280) because the runtime signs but does not issue, and tests need no other program.
 * For tests only: keys are neither protected nor stored anywhere but where the test puts them.
 */
import { createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

/** PEM texts, as the TLS settings want them in files. */
export interface IssuedCertificate {
  readonly certPem: string;
  readonly keyPem: string;
}

/** What a certificate says. */
export interface CertificateRequest {
  readonly commonName: string;
  /** Subject alternative names of kind DNS; none leaves the extension out. */
  readonly dnsNames?: readonly string[];
  /** Days until it expires, default 1; negative for one that has expired. */
  readonly validDays?: number;
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const BASIC_CONSTRAINTS = '2.5.29.19';
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';

const TAG = { boolean: 1, integer: 2, bits: 3, octets: 4, oid: 6, utf8: 12, time: 24, sequence: 0x30, set: 0x31 };

/** Signs certificates; `caPem` is its own. */
export class ThrowawayCa {
  readonly caPem: string;
  readonly #name: string;
  readonly #key: KeyObject;

  constructor(name = 'throwaway ca') {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#name = name;
    this.#key = privateKey;
    this.caPem = this.#sign({ commonName: name }, publicKey, true);
  }

  issue(request: CertificateRequest): IssuedCertificate {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return {
      certPem: this.#sign(request, publicKey, false),
      keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  }

  #sign(request: CertificateRequest, publicKey: KeyObject, isAuthority: boolean): string {
    const now = Date.now();
    const end = now + (request.validDays ?? 1) * DAY_MS;
    const algorithm = der(TAG.sequence, oid(ECDSA_WITH_SHA256));
    const serial = randomBytes(8);
    serial[0] = 0x40;
    const body = der(
      TAG.sequence,
      der(0xa0, der(TAG.integer, Buffer.from([2]))),
      der(TAG.integer, serial),
      algorithm,
      distinguishedName(this.#name),
      der(TAG.sequence, time(Math.min(now, end) - DAY_MS), time(end)),
      distinguishedName(request.commonName),
      publicKey.export({ type: 'spki', format: 'der' }),
      der(0xa3, der(TAG.sequence, ...extensions(request.dnsNames ?? [], isAuthority))),
    );
    const signature = createSign('sha256').update(body).sign(this.#key);
    const whole = der(TAG.sequence, body, algorithm, der(TAG.bits, Buffer.from([0]), signature));
    const lines = whole.toString('base64').replaceAll(/.{64}/g, '$&\n');
    return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
  }
}

function extensions(dnsNames: readonly string[], isAuthority: boolean): Buffer[] {
  const isCa = isAuthority ? [der(TAG.boolean, Buffer.from([0xff]))] : [];
  const found = [extension(BASIC_CONSTRAINTS, der(TAG.sequence, ...isCa))];
  if (dnsNames.length > 0) {
    const names = dnsNames.map((name) => der(0x82, Buffer.from(name)));
    found.push(extension(SUBJECT_ALTERNATIVE_NAME, der(TAG.sequence, ...names)));
  }
  return found;
}

function extension(id: string, value: Buffer): Buffer {
  return der(TAG.sequence, oid(id), der(TAG.octets, value));
}

function distinguishedName(commonName: string): Buffer {
  const attribute = der(TAG.sequence, oid(COMMON_NAME), der(TAG.utf8, Buffer.from(commonName)));
  return der(TAG.sequence, der(TAG.set, attribute));
}

function time(unixMs: number): Buffer {
  const digits = new Date(unixMs).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return der(TAG.time, Buffer.from(`${digits}Z`));
}

function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]];
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(TAG.oid, Buffer.from(bytes));
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const size = content.length < 0x100 ? [0x81, content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
