/**
 * Which sections hold each token, and how much they are about it: BM25 with a weight per field, worked out when the
 * site is built. A token's scores depend on no query, so that browsers fetch them ready and build nothing.
 */
import type { Section } from '../engine/page.ts';
import { rarityOf } from './rarity.ts';
import { tokenize } from './tokenize.ts';

/** What a word counts for where it stands. */
const FIELDS = { heading: 4, title: 3, keywords: 3.5, trail: 0.6, code: 1, prose: 1 } as const;
type Field = keyof typeof FIELDS;
const fieldNames = Object.keys(FIELDS) as Field[];

/**
 * Long fields weigh less only because each of their words is a smaller share of them, and not by the mean length: most
 * sections have no code and no keywords, so the mean says nothing. Each word of a field counts once.
 */
const SATURATION = 1.2;
const PRESENCE = 0.35;

/** A section's position among all, and how much it is about the token (> 0). */
export type Posting = readonly [position: number, score: number];

export function postingsOf(sections: readonly Section[]): Map<string, Posting[]> {
  const held = sections.map((section) => tokensOf(section));
  const counts = new Map(fieldNames.map((field) => [field, countOf(held.map((fields) => fields[field]))]));
  const scores = new Map<string, Map<number, number>>();
  for (const [position, fields] of held.entries()) {
    for (const field of fieldNames) {
      const tokens = fields[field];
      const share = 1 / tokens.length;
      const weight = (FIELDS[field] * (PRESENCE + share * (SATURATION + 1))) / (share + SATURATION);
      for (const token of tokens) {
        const rarity = rarityOf(counts.get(field)?.get(token) ?? 0, sections.length);
        const of = scores.get(token) ?? new Map<number, number>();
        of.set(position, (of.get(position) ?? 0) + rarity * weight);
        scores.set(token, of);
      }
    }
  }
  return new Map([...scores].map(([token, of]) => [token, [...of]]));
}

function countOf(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const token of list) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function tokensOf(section: Section): Record<Field, string[]> {
  const isFirst = section.slug === '';
  // The address often has the name that the title spells out.
  const lastSegment = section.route.slice(section.route.lastIndexOf('/') + 1);
  return {
    title: tokenize(section.pageTitle),
    heading: tokenize(isFirst ? section.pageTitle : section.heading),
    keywords: tokenize(isFirst ? [...(section.tags ?? []), lastSegment].join('\n') : ''),
    trail: tokenize(section.trail.join('\n')),
    code: tokenize(section.code.join('\n')),
    prose: tokenize(isFirst ? [section.description ?? '', section.prose].join('\n') : section.prose),
  };
}
