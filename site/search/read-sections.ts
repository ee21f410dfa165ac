/** Reads the file of search sections, refusing what is not one: it came over a network or from an old build. */
import type { Section } from '../engine/page.ts';

/** Throws an Error with a sentence when the text is not a list of sections. */
export function readSections(text: string): Section[] {
  const read: unknown = JSON.parse(text);
  if (!Array.isArray(read) || !read.every(isSection)) {
    throw new Error('The file of search sections does not hold a list of sections.');
  }
  return read;
}

function isSection(value: unknown): value is Section {
  if (typeof value !== 'object' || value === null) return false;
  const section = value as Record<string, unknown>;
  const texts = ['route', 'pageTitle', 'heading', 'slug', 'prose'];
  const lists = ['trail', 'code'];
  return (
    texts.every((name) => typeof section[name] === 'string') &&
    lists.every((name) => isTexts(section[name])) &&
    (section['tags'] === undefined || isTexts(section['tags'])) &&
    (section['description'] === undefined || typeof section['description'] === 'string')
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
