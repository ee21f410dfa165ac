/**
 * UTF-8 to and from strings. The core has no TextEncoder (it is compiled for the language alone),
 * and the texts of this protocol are short: ids, addresses, error messages.
 */
import { WireError } from './wire-error.ts';

const REPLACEMENT = 0xfffd;

/** Reads text; throws WireError 'invalid-text' on anything that is not well-formed UTF-8. */
export function decodeUtf8(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  return decode(bytes, start, end, true);
}

/** Reads text that is only shown to people: each ill-formed byte becomes U+FFFD. */
export function decodeUtf8Lossy(bytes: Uint8Array): string {
  return decode(bytes, 0, bytes.length, false);
}

/** The UTF-8 form of a string; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let i = 0; i < text.length; i += 1) {
    let point = text.charCodeAt(i);
    if (point < 0x80) {
      bytes[length++] = point;
      continue;
    }
    if (point >= 0xd800 && point <= 0xdfff) {
      const whole = text.codePointAt(i)!;
      if (whole > 0xffff) i += 1;
      point = whole > 0xffff ? whole : REPLACEMENT;
    }
    if (point > 0xffff) {
      bytes[length++] = 0xf0 | (point >> 18);
      bytes[length++] = 0x80 | ((point >> 12) & 0x3f);
    } else if (point > 0x7ff) {
      bytes[length++] = 0xe0 | (point >> 12);
    }
    bytes[length++] = point > 0x7ff ? 0x80 | ((point >> 6) & 0x3f) : 0xc0 | (point >> 6);
    bytes[length++] = 0x80 | (point & 0x3f);
  }
  return bytes.slice(0, length);
}

function decode(bytes: Uint8Array, start: number, end: number, strict: boolean): string {
  let text = '';
  let at = start;
  while (at < end) {
    const lead = bytes[at]!;
    if (lead < 0x80) {
      text += String.fromCharCode(lead);
      at += 1;
      continue;
    }
    const point = codePointAt(bytes, at, end, lead);
    if (point >= 0) {
      text += String.fromCodePoint(point);
      at += point > 0xffff ? 4 : point > 0x7ff ? 3 : 2;
    } else if (strict) {
      throw new WireError(
        'invalid-text',
        `byte ${at - start} of an id or address is not UTF-8, so no server of ours can have it`,
      );
    } else {
      text += String.fromCharCode(REPLACEMENT);
      at += 1;
    }
  }
  return text;
}

/** The code point of the multi-byte sequence at `at`; -1 if it is cut short, overlong, a surrogate or above U+10FFFF. */
function codePointAt(bytes: Uint8Array, at: number, end: number, lead: number): number {
  const length = lead >= 0xc2 && lead <= 0xdf ? 2 : (lead & 0xf0) === 0xe0 ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  if (length === 0 || at + length > end) return -1;
  let point = lead & (0x7f >> length);
  for (let i = 1; i < length; i += 1) {
    const next = bytes[at + i]!;
    if ((next & 0xc0) !== 0x80) return -1;
    point = (point << 6) | (next & 0x3f);
  }
  if (length === 3 && (point < 0x800 || (point >= 0xd800 && point <= 0xdfff))) return -1;
  if (length === 4 && (point < 0x10000 || point > 0x10ffff)) return -1;
  return point;
}
