/**
 * Looks at the TLS files before a port is opened with them, and says which of the three is wrong and how:
 * the runtime's own words name neither the file nor the remedy.
 */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { ConfigError, messageOf } from '#conductor/core/errors';
import { readTlsMaterial, type TlsMaterial, type TlsSettings } from './tls.ts';

/** Reads the three files; throws ConfigError with the path of the one that cannot be used. */
export function usableTlsMaterial(settings: TlsSettings): TlsMaterial {
  const { certFile, keyFile, caFile } = settings;
  const material = readTlsMaterial(settings);
  const certificate = certificateIn(material.cert, `the TLS certificate file ${certFile}`);
  const key = keyIn(material.key, keyFile);
  if (!certificate.checkPrivateKey(key))
    throw new ConfigError(`the TLS key file ${keyFile} holds another key than that of the certificate ${certFile}`);
  certificateIn(material.ca, `the TLS CA file ${caFile}`);
  tryMaterial(material, settings);
  return material;
}

function certificateIn(pem: string, what: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    const found = /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem) ? ' but a private key' : '';
    throw new ConfigError(`${what} holds no certificate${found}: want PEM, beginning with BEGIN CERTIFICATE`, {
      cause: error,
    });
  }
}

function keyIn(pem: string, path: string): KeyObject {
  if (/ENCRYPTED/.test(pem))
    throw new ConfigError(
      `the TLS key in ${path} is encrypted, and nobody could be asked for its passphrase: store it decrypted, readable by this user alone`,
    );
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw new ConfigError(`the TLS key file ${path} holds no private key: want PEM, beginning with BEGIN PRIVATE KEY`, {
      cause: error,
    });
  }
}

/** On loopback, for a moment, with nobody to talk to: the runtime offers no other complete check. */
function tryMaterial(material: TlsMaterial, { certFile, keyFile, caFile }: TlsSettings): void {
  try {
    Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined }, tls: { ...material } }).stop(true);
  } catch (error) {
    throw new ConfigError(`the TLS files ${certFile}, ${keyFile} and ${caFile} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
