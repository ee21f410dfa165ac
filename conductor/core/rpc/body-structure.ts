/**
 * Bounds on the structure of a body, counted in its bytes before anything is made of them: one request must
 * never hold the process longer than a leader's lease, and what a JSON text costs is its pieces, not its
 * length. Sixty megabytes of one transaction are cheap, of `{},` they are twenty million objects.
 */

/** Lists, objects, members, and elements that are no texts. A batch of two thousand calls needs a third of it. */
export const STRUCTURE_MAX = 65_536;
/**
 * Elements after a text, which transactions are. Every transaction of a block pays 21 000 gas at least, so that
 * this many would be a block of 5.5 billion.
 */
export const TEXTS_MAX = 262_144;
/** Numbers and other words outside of texts, in bytes. */
export const WORD_BYTES_MAX = 1024 * 1024;
/** White space between all of it, in bytes. */
export const SPACE_BYTES_MAX = 8 * 1024 * 1024;
/** Backslashes, which what op-node sends has none of. */
export const ESCAPES_MAX = 65_536;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;

/** Bodies beyond this hold ASCII only, as commits do: other texts take twice the memory and several times the time. */
export const ANY_TEXT_BYTES_MAX = 5 * 1024 * 1024;

/** Bounds of what has other parts than a body. */
export interface StructureBounds {
  readonly structureMax: number;
  readonly textsMax: number;
}

const bodyBounds: StructureBounds = { structureMax: STRUCTURE_MAX, textsMax: TEXTS_MAX };

/** Why a body is not read; null when it is within the bounds. Says nothing on whether it is JSON. */
export function whyTooComplex(bytes: Uint8Array, { structureMax, textsMax } = bodyBounds): string | null {
  if (hasManyEscapes(bytes)) return `more than ${ESCAPES_MAX} backslashes`;
  if (bytes.length > ANY_TEXT_BYTES_MAX && !isAscii(bytes)) {
    return `more than ${ANY_TEXT_BYTES_MAX} bytes, and characters above ASCII`;
  }
  let structure = 0;
  let spaces = 0;
  let texts = 0;
  let words = 0;
  let isAfterText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte <= SPACE) {
      spaces += 1;
      if (spaces > SPACE_BYTES_MAX) return `more than ${SPACE_BYTES_MAX} bytes of white space`;
    } else if (byte === QUOTE) {
      at = closingQuote(bytes, at);
      if (at === -1) return null; // No JSON, which is found without making anything.
      isAfterText = true;
    } else if (byte === COMMA && isAfterText) {
      texts += 1;
      if (texts > textsMax) return `more than ${textsMax} texts`;
      isAfterText = false;
    } else if (isStructure(byte)) {
      structure += 1;
      if (structure > structureMax) return `more than ${structureMax} members and elements`;
      isAfterText = false;
    } else {
      words += 1;
      if (words > WORD_BYTES_MAX) return `more than ${WORD_BYTES_MAX} bytes of numbers and words`;
    }
  }
  return null;
}

/** A comma, a colon or an opening bracket. The closing ones are as many. */
function isStructure(byte: number): boolean {
  return byte === COMMA || byte === COLON || byte === 0x5b || byte === 0x7b;
}

function hasManyEscapes(bytes: Uint8Array): boolean {
  let count = 0;
  for (let at = bytes.indexOf(BACKSLASH); at !== -1; at = bytes.indexOf(BACKSLASH, at + 1)) {
    count += 1;
    if (count > ESCAPES_MAX) return true;
  }
  return false;
}

/** Looks at four bytes at a time. */
function isAscii(bytes: Uint8Array): boolean {
  const first = Math.min(bytes.length, -bytes.byteOffset & 3);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + first, (bytes.length - first) >>> 2);
  for (let at = 0; at < words.length; at += 1) if ((words[at]! & 0x80808080) !== 0) return false;
  const edges = [...bytes.subarray(0, first), ...bytes.subarray(first + 4 * words.length)];
  return edges.every((byte) => byte < 0x80);
}

/** Where the text that begins at `at` ends; -1 when it does not. */
function closingQuote(bytes: Uint8Array, at: number): number {
  for (let close = bytes.indexOf(QUOTE, at + 1); close !== -1; close = bytes.indexOf(QUOTE, close + 1)) {
    let slashes = 0;
    while (bytes[close - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return close;
  }
  return -1;
}
