/** What ranking wants to know of a section at once: the names it goes by. And its text in plain words, to find a phrase in. */
import type { KnownSection, SectionText } from './known-section.ts';
import { singular, unjointed, wordsOf, type Token, type Word } from './tokenize.ts';

/** A heading, a title or a tag. */
export interface Name {
  /** Its words, each whole. */
  readonly wholes: ReadonlySet<string>;
  /** Its words and their singulars, for 1 each, and the pieces of its identifiers, for their share of it. */
  readonly tokens: ReadonlyMap<string, number>;
  /** A name of one word without its joints; empty for others. */
  readonly joined: string;
}

export interface Outline {
  /** The heading first (a page's first section has its title there), then the page's tags. */
  readonly names: readonly Name[];
  /** The page's title; the same object as the heading in a page's first section. */
  readonly title: Name;
}

export function outlineOf(section: KnownSection): Outline {
  const title = nameOf(section.pageTitle);
  const heading = section.slug === '' ? title : nameOf(section.heading);
  return { names: [heading, ...section.tags.map(nameOf)], title };
}

/** Heading, prose and code as whole tokens between single spaces. */
export function plainWords(heading: string, { prose, code }: SectionText): string {
  return [heading, prose, ...code].map(spaced).join('\n');
}

function spaced(text: string): string {
  return ` ${wordsOf(text)
    .map(({ tokens }) => tokens[0]!.text)
    .join(' ')} `;
}

function nameOf(text: string): Name {
  const words = wordsOf(text);
  const [first] = words;
  return {
    joined: words.length === 1 ? unjointed(first!.tokens[0]!.text) : '',
    wholes: new Set(words.map(({ tokens }) => tokens[0]!.text)),
    tokens: sharesOf(words),
  };
}

function sharesOf(words: readonly Word[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { tokens } of words) {
    for (const token of tokens) {
      const share = token.kind === 'part' ? pieceShare(token, tokens[0]!.end) : 1;
      shares.set(singular(token.text), Math.max(share, shares.get(singular(token.text)) ?? 0));
    }
  }
  return shares;
}

/**
 * --override.granite is less about Granite than a heading of that word alone; but addServerAsVoter is what everybody
 * calls conductor_addServerAsVoter.
 */
function pieceShare({ start, end }: Token, length: number): number {
  const share = (end - start) / length;
  return end === length && share > 0.5 ? 1 : Math.sqrt(share);
}
