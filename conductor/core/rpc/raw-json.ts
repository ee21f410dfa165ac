/**
 * Finds the pieces of a JSON text without building values: where each member of an object and
 * each element of an array begins and ends. JSON-RPC needs it because ids are echoed byte for
 * byte (1.50 stays 1.50) and because a 20 MB payload must be parsed once, not twice.
 * A piece found here is not yet valid JSON; whoever uses it parses it.
 */

/** Deepest nesting followed; deeper text is malformed (Go's decoder has the same bound). */
const nestingMax = 10_000;

/** A piece of the text: from `start` up to but not including `end`. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** One member of an object: its decoded key and where its value lies. */
export interface Member extends Piece {
  readonly key: string;
}

const quote = 0x22;
const backslash = 0x5c;

/** Index of the first character at or after `at` that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  let index = at;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return index;
    index += 1;
  }
}

/** End of the value that starts at `at`, or -1 when the text ends before it does, or it nests deeper. */
export function endOfValue(text: string, at: number, depthMax = nestingMax): number {
  const first = text.charCodeAt(at);
  if (first === quote) return endOfString(text, at);
  if (first !== 0x7b && first !== 0x5b) return endOfScalar(text, at);
  let depth = 0;
  let index = at;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
      if (index === -1) return -1;
      continue;
    }
    if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > depthMax) return -1;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
    index += 1;
  }
  return -1;
}

/** Members of the object that starts at `at`, and its end; null when it is malformed. */
export function membersOf(text: string, at: number): { readonly members: Member[]; readonly end: number } | null {
  const members: Member[] = [];
  let index = skipSpace(text, at + 1);
  if (text[index] === '}') return { members, end: index + 1 };
  for (;;) {
    if (text.charCodeAt(index) !== quote) return null;
    const keyEnd = endOfString(text, index);
    if (keyEnd === -1) return null;
    const key = keyAt(text, { start: index, end: keyEnd });
    const colon = skipSpace(text, keyEnd);
    if (key === null || text[colon] !== ':') return null;
    const start = skipSpace(text, colon + 1);
    const end = endOfValue(text, start);
    if (end <= start) return null;
    members.push({ key, start, end });
    index = skipSpace(text, end);
    if (text[index] === '}') return { members, end: index + 1 };
    if (text[index] !== ',') return null;
    index = skipSpace(text, index + 1);
  }
}

/** The text of a key, quotes included; null when it is no JSON string. Most are a few letters, which need no parsing. */
function keyAt(text: string, piece: Piece): string | null {
  const plain = text.slice(piece.start + 1, piece.end - 1);
  return /^\w*$/.test(plain) ? plain : ((parseJson(text.slice(piece.start, piece.end)) as string | undefined) ?? null);
}

/** Elements of the array that starts at `at`, and its end; null when it is malformed. Stops with null after `elementsMax`. */
export function elementsOf(
  text: string,
  at: number,
  elementsMax = Number.POSITIVE_INFINITY,
): { readonly elements: Piece[]; readonly end: number } | null {
  const elements: Piece[] = [];
  let index = skipSpace(text, at + 1);
  if (text[index] === ']') return { elements, end: index + 1 };
  while (elements.length < elementsMax) {
    const end = endOfValue(text, index);
    if (end <= index) return null;
    elements.push({ start: index, end });
    index = skipSpace(text, end);
    if (text[index] === ']') return { elements, end: index + 1 };
    if (text[index] !== ',') return null;
    index = skipSpace(text, index + 1);
  }
  return null;
}

/** The value of a JSON text; undefined, which no JSON text stands for, when it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // SyntaxError, or RangeError for nesting: both mean that this is not JSON we accept.
  }
}

function endOfString(text: string, at: number): number {
  let close = text.indexOf('"', at + 1);
  while (close !== -1) {
    let slashes = 0;
    while (text.charCodeAt(close - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return close + 1;
    close = text.indexOf('"', close + 1);
  }
  return -1;
}

function endOfScalar(text: string, at: number): number {
  let index = at;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    const isEnd =
      code === 0x2c ||
      code === 0x5d ||
      code === 0x7d ||
      code === 0x20 ||
      code === 0x0a ||
      code === 0x0d ||
      code === 0x09;
    if (isEnd) break;
    index += 1;
  }
  return index;
}
