/**
 * From what is typed to what is looked up. Every word of the query becomes a term: the word itself, and
 * other ways to find what it means (its singular, completions while it is being typed, words of the same
 * stem, synonyms, two words written as one or one as two, and on a second pass what it may be a slip of).
 */
import { QUERY_LENGTH_MAX, QUERY_WORDS_MAX } from './answer.ts';
import type { SearchIndex } from './search-index.ts';
import { otherSpellings } from './spelling.ts';
import { synonymGroups } from './synonyms.ts';
import { singular, wordsOf, type Word } from './tokenize.ts';

/** Tokens that together stand for a term. */
export interface Alternative {
  readonly tokens: readonly string[];
  /** 1 for the word as typed, less for what it may mean. */
  readonly weight: number;
  /** Pieces of an identifier count even when some are missing; phrases do not. */
  readonly isPartial: boolean;
  /** A known word that the typed one may be a slip of. */
  readonly isRespelling: boolean;
}

export interface Term {
  /** As typed, normalised. */
  readonly typed: string;
  /** The known word that it is most likely meant to be: itself, spelt otherwise or without its slip. */
  readonly read: string;
  readonly alternatives: readonly Alternative[];
  /** It has underscores, dots or humps, as names in code have; dashes are prose, too. */
  readonly isIdentifier: boolean;
  /** How much it counts beside the other terms: whoever types an identifier means it, and a digit may be anything. */
  readonly emphasis: number;
}

export interface Query {
  readonly terms: readonly Term[];
  /** All typed words, the unimportant too, to recognise the phrase as it stands in a page. */
  readonly phrase: string;
}

const STOP_WORDS = new Set(
  `a an and any are as at be been by can could did do does each for from get gets had has have he how i if in into is it its
  just like may me might my need no of on or our out over please should so some than that the their them then there these
  they this to too up us use used using very via want was we were what what's whats when where which while who why will with
  would you your about after also am between but not take takes taking took work works working mean means happen happens find know tell
  best way possible now still again really cant couldnt didnt doesnt dont hasnt havent isnt arent wasnt wont wouldnt`.split(
    /\s+/,
  ),
);
const COMPLETIONS_MAX = 12;
const COMPLETED_LENGTH_MIN = 2;

export interface ParseOptions {
  /** Look also for what the words may be slips of; the index must know all words. */
  readonly isFuzzy: boolean;
  /** Look also for two words in one; the index must know all words. */
  readonly isSplit: boolean;
}

/** Every token that the parsed query may look up, so that their postings can be fetched. */
export function tokensOf({ terms }: Query): string[] {
  return [...new Set(terms.flatMap(({ alternatives }) => alternatives.flatMap(({ tokens }) => tokens)))];
}

/** Tokens of the words as they are typed, before anything is known of them. */
export function typedTokens(typed: string): string[] {
  return wordsOf(typed.slice(0, QUERY_LENGTH_MAX))
    .slice(0, QUERY_WORDS_MAX)
    .flatMap(({ tokens }) => tokens.map(({ text }) => text));
}

/** Whether the site has none of what a word of the query may mean. */
export function hasUnknownWord({ terms }: Query, { vocabulary }: SearchIndex): boolean {
  return terms.some(({ alternatives }) =>
    alternatives.every(({ tokens, isPartial }) => isPartial || !tokens.every((token) => vocabulary.has(token))),
  );
}

export function parseQuery(typed: string, index: SearchIndex, options: ParseOptions): Query {
  const text = typed.slice(0, QUERY_LENGTH_MAX);
  const words = wordsOf(spelledOut(text, index)).slice(0, QUERY_WORDS_MAX);
  const important = words.filter((word) => !STOP_WORDS.has(wholeOf(word)));
  const kept = important.length > 0 ? important : words;
  const isTyping = /[^\s]$/.test(text);
  const drafts = kept.map((word, position) =>
    draftTerm(word, index, { ...options, isLast: isTyping && position === kept.length - 1 && word === words.at(-1) }),
  );
  addNeighbours(drafts, index);
  addSynonyms(drafts);
  return {
    terms: drafts,
    phrase: words.map(wholeOf).join(' '),
  };
}

/** An address as wallets and explorers shorten it: 0x4200…0016, 0x42...16. */
const SHORTENED_ADDRESS = /(0x[0-9a-f]+)(?:…|\.{2,})([0-9a-f]+)/gi;
const ADDRESS_LENGTH = 42;

/** The text with the addresses that the site has in full, where it is clear enough which are meant. */
function spelledOut(text: string, { vocabulary }: SearchIndex): string {
  return text.replaceAll(SHORTENED_ADDRESS, (shortened, start: string, end: string) => {
    const known = vocabulary.completions(start.toLowerCase(), Infinity);
    return known.find((token) => token.length === ADDRESS_LENGTH && token.endsWith(end.toLowerCase())) ?? shortened;
  });
}

interface Draft extends Term {
  readonly alternatives: Alternative[];
}

function draftTerm(word: Word, index: SearchIndex, options: ParseOptions & { isLast: boolean }): Draft {
  const whole = wholeOf(word);
  const pieces = piecesOf(word);
  const isHumped = word.tokens.filter(({ kind }) => kind === 'part').length > whole.split('-').length;
  const alternatives: Alternative[] = [as([whole], 1)];
  const { vocabulary } = index;
  if (singular(whole) !== whole) alternatives.push(as([singular(whole)], 0.97));
  for (const token of word.tokens) if (token.kind === 'joined') alternatives.push(as([token.text], 0.95));
  if (pieces.length > 1) alternatives.push({ ...as(pieces, vocabulary.has(whole) ? 0.3 : 0.5), isPartial: true });
  const spellings = otherSpellings(whole).filter((spelling) => vocabulary.has(spelling));
  alternatives.push(...spellings.map((spelling) => as([spelling], 0.95)));
  for (const spelling of [whole, ...spellings]) {
    for (const relative of vocabulary.relatives(spelling)) alternatives.push(as([relative], 0.7));
  }
  const isKnown = spellings.length > 0 || vocabulary.has(whole) || vocabulary.has(singular(whole));
  if (options.isLast || !isKnown) {
    const weight = completionWeight(whole.length) * (isKnown || !options.isLast ? 0.6 : 1);
    for (const completion of completions(whole, index)) alternatives.push(as([completion], weight));
  }
  if (!isKnown) {
    const halves = options.isSplit ? vocabulary.halves(whole) : null;
    if (halves !== null) alternatives.push(as(halves, 0.7));
    if (options.isFuzzy) {
      for (const { token, weight } of vocabulary.near(whole)) {
        alternatives.push({ ...as([token], weight), isRespelling: true });
      }
    }
  }
  const respelling = alternatives.find(({ isRespelling }) => isRespelling)?.tokens[0];
  const isIdentifier = /[_.]/.test(whole) || isHumped;
  return {
    typed: whole,
    read: vocabulary.has(whole) ? whole : (spellings[0] ?? respelling ?? whole),
    isIdentifier,
    emphasis: isIdentifier ? 2 : /^\d{1,2}$/.test(whole) ? 0.3 : 1,
    alternatives,
  };
}

/** Two words that the site writes as one: "snap shot", "op geth". */
function addNeighbours(drafts: readonly Draft[], index: SearchIndex): void {
  for (const [position, draft] of drafts.entries()) {
    const next = drafts[position + 1];
    if (next === undefined) return;
    for (const joint of ['', '-', '_', '.']) {
      const joined = draft.typed + joint + next.typed;
      if (!index.vocabulary.has(joined)) continue;
      draft.alternatives.push(as([joined], 0.95));
      next.alternatives.push(as([joined], 0.95));
    }
  }
}

function addSynonyms(drafts: readonly Draft[]): void {
  const typed = drafts.map(({ read }) => singular(read));
  for (const group of synonymGroups) {
    for (const entry of group) {
      const words = telling(entry);
      const at = typed.findIndex((_, position) => words.every((word, offset) => typed[position + offset] === word));
      if (at === -1) continue;
      const others = group.filter((other) => other !== entry).map((other) => as(telling(other), 0.55));
      for (let offset = 0; offset < words.length; offset += 1) drafts[at + offset]!.alternatives.push(...others);
    }
  }
}

/** The more letters are there, the likelier is what they begin. */
function completionWeight(length: number): number {
  return Math.min(0.75, 0.15 * length - 0.05);
}

/** The commonest known words that begin so. */
function completions(prefix: string, { vocabulary }: SearchIndex): string[] {
  if (prefix.length < COMPLETED_LENGTH_MIN) return [];
  return vocabulary.completions(prefix, COMPLETIONS_MAX);
}

function telling(phrase: string): string[] {
  const words = wordsOf(phrase).map((word) => singular(wholeOf(word)));
  const rest = words.filter((word) => !STOP_WORDS.has(word));
  return rest.length > 0 ? rest : words;
}

function as(tokens: readonly string[], weight: number): Alternative {
  return { tokens, weight, isPartial: false, isRespelling: false };
}

function wholeOf(word: Word): string {
  return word.tokens[0]?.text ?? '';
}

/** The smallest pieces of an identifier; those within others are left out. */
function piecesOf(word: Word): string[] {
  const parts = word.tokens.filter((token) => token.kind === 'part');
  const smallest = parts.filter(
    (outer) => !parts.some((inner) => inner !== outer && inner.start >= outer.start && inner.end <= outer.end),
  );
  return [...new Set(smallest.map((token) => token.text))].filter((piece) => !STOP_WORDS.has(piece));
}
