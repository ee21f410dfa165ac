/** UTF-8 to and from strings, for the texts of the protocol: ids, addresses, error messages. */
import { WireError } from './wire-error.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Reads an id or address; throws WireError 'invalid-text' on anything that is not well-formed UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch (cause) {
    throw new WireError('invalid-text', 'an id or address is not UTF-8, so no server of ours can have it', { cause });
  }
}

/** Reads text that is only shown to people: ill-formed bytes become U+FFFD. */
export function decodeUtf8Lossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** The UTF-8 form of a string; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}
