/**
 * Files with certificates and keys, looked at before they are used: a TLS library says of one that it cannot use no
 * more than that the connection was not opened.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { messageOf } from '#conductor/core/errors';
import { ClusterConfigError } from './cluster-config.ts';

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The text of a file of PEM certificates; `key` is its name in the cluster file. Throws ClusterConfigError. */
export function readCertificates(path: string, key: string): string {
  const text = readCredentialFile(path, key);
  const blocks = text.match(certificateBlock) ?? [];
  if (blocks.length === 0) throw new ClusterConfigError(`"${key}": ${path} holds no certificate in PEM`);
  for (const [at, block] of blocks.entries()) {
    try {
      void new X509Certificate(block);
    } catch (error) {
      throw new ClusterConfigError(`"${key}": certificate ${at + 1} in ${path} is damaged`, { cause: error });
    }
  }
  return text;
}

/** The text of a file with a private key in PEM; throws ClusterConfigError. */
export function readPrivateKey(path: string, key: string): string {
  const text = readCredentialFile(path, key);
  try {
    createPrivateKey(text);
  } catch (error) {
    throw new ClusterConfigError(`"${key}": ${path} holds no private key in PEM, or one under a passphrase`, {
      cause: error,
    });
  }
  return text;
}

/** The text of any file that a credential is in; throws ClusterConfigError. */
export function readCredentialFile(path: string, key: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ClusterConfigError(`"${key}": ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
