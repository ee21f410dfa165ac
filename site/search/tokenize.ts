/**
 * Words of documentation text. An identifier is kept whole (conductor_addServerAsVoter,
 * raft.bootstrap, 0x4200…) and is also split at its joints: underscores, dots, dashes and the humps of
 * camelCase. Nothing is stemmed. Tokens are lower case and know where they stand, for highlighting.
 */

/** How a token came out of a word: all of it, all of it without its joints, or a piece of it. */
export type TokenKind = 'whole' | 'joined' | 'part';

export interface Token {
  /** Lower case, without marks on letters, at most `TOKEN_LENGTH_MAX` characters. */
  readonly text: string;
  readonly kind: TokenKind;
  /** Where it stands in its word, in UTF-16 units; `end` is the first after it. */
  readonly start: number;
  readonly end: number;
}

/** One word as written, with all tokens that find it. */
export interface Word {
  readonly tokens: readonly Token[];
  /** Where it stands in the text, in UTF-16 units; `end` is the first after it. */
  readonly start: number;
  readonly end: number;
}

/** Longer tokens are cut; a hash with its 0x has 66. */
export const TOKEN_LENGTH_MAX = 80;

/** What is longer is no name but a blob, of a key or a transaction, and is not split. */
const NAME_LENGTH_MAX = 120;

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}_'’]|[.-]+(?=[\p{L}\p{N}_]))*/gu;
const HEXADECIMAL = /^0x[0-9a-f]*$/i;
const PIECE = /[^_.-]+/g;
const HUMP = /\p{Lu}+(?!\p{Ll})[\p{N}]*|\p{Lu}?[^\p{Lu}]+|\p{Lu}/gu;

/** The words of a text, in order. */
export function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(WORD), (match) => {
    const written = match[0].replace(/['’]s?$/i, '').replace(/_+$/, '');
    const start = match.index;
    return { tokens: rememberedTokens(written), start, end: start + written.length };
  }).filter((word) => word.tokens.length > 0);
}

/** Every token of a text once, in order of appearance, with the singular beside each plural. */
export function tokenize(text: string): string[] {
  const found = new Set<string>();
  for (const word of wordsOf(text)) {
    for (const token of word.tokens) {
      found.add(token.text);
      found.add(singular(token.text));
    }
  }
  return [...found];
}

/**
 * The singular of an English plural by its spelling alone; anything else as it is. Words that merely
 * end in s lose it on both sides of a search, which does no harm.
 */
export function singular(token: string): string {
  if (token.length < 4 || !/^[a-z]+s$/.test(token)) return token;
  if (token.endsWith('ies') && token.length > 4) return `${token.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(token)) return token.slice(0, -2);
  return /[suia]s$/.test(token) ? token : token.slice(0, -1);
}

/** The identifier in one piece: raftbootstrap for raft.bootstrap. */
export function unjointed(identifier: string): string {
  return identifier.replace(/[_.-]/g, '');
}

const remembered = new Map<string, readonly Token[]>();
const REMEMBERED_MAX = 20_000;

/** Most words of a text were there before. */
function rememberedTokens(written: string): readonly Token[] {
  let tokens = remembered.get(written);
  if (tokens === undefined) {
    tokens = tokensOfWord(written);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    if (written.length <= NAME_LENGTH_MAX) remembered.set(written, tokens);
  }
  return tokens;
}

function tokensOfWord(written: string): Token[] {
  const whole = normalized(written);
  if (whole === '') return [];
  const tokens: Token[] = [{ text: whole, kind: 'whole', start: 0, end: written.length }];
  if (HEXADECIMAL.test(written) || written.length > NAME_LENGTH_MAX) return tokens;
  const add = (text: string, kind: TokenKind, at: number, length: number): void => {
    // One letter or digit of a longer word finds everything, so nothing.
    if (text.length < 2 || tokens.some((token) => token.text === text)) return;
    tokens.push({ text, kind, start: at, end: at + length });
  };
  const pieces = Array.from(written.matchAll(PIECE));
  if (pieces.length > 1 && /\p{L}/u.test(written)) {
    add(normalized(unjointed(written)), 'joined', 0, written.length);
  }
  for (const piece of pieces) {
    add(normalized(piece[0]), 'part', piece.index, piece[0].length);
    for (const hump of piece[0].matchAll(HUMP)) {
      add(normalized(hump[0]), 'part', piece.index + hump.index, hump[0].length);
    }
  }
  return tokens;
}

/** Lower case, without marks, and without the spaces and signs that some ligatures fall apart into. */
function normalized(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}_.-]/gu, '').slice(0, TOKEN_LENGTH_MAX);
}
