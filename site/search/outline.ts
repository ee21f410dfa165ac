/**
 * What ranking wants to know of a section at once, worked out when the index is built: the names it goes
 * by, and its text in plain words, to find a phrase in.
 */
import type { Section } from '../engine/page.ts';
import { singular, unjointed, wordsOf } from './tokenize.ts';

/** A heading, a title or a tag. */
export interface Name {
  /** Its words, each whole. */
  readonly wholes: ReadonlySet<string>;
  /** Its words, their pieces and singulars. */
  readonly tokens: ReadonlySet<string>;
  /** A name of one word without its joints; empty for others. */
  readonly joined: string;
}

export interface Outline {
  /** The heading first (a page's first section has its title there), then the page's tags. */
  readonly names: readonly Name[];
  /** The page's title; the same object as the heading in a page's first section. */
  readonly title: Name;
  /** Heading, prose and code as whole tokens between single spaces; put together when it is first asked for. */
  text(): string;
}

export function outlineOf(section: Section): Outline {
  const title = nameOf(section.pageTitle);
  const heading = section.slug === '' ? title : nameOf(section.heading);
  let text: string | null = null;
  return {
    names: [heading, ...(section.tags ?? []).map(nameOf)],
    title,
    text: () => (text ??= [section.heading, section.prose, ...section.code].map(spaced).join('\n')),
  };
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
    tokens: new Set(words.flatMap(({ tokens }) => tokens.map((token) => singular(token.text)))),
  };
}
