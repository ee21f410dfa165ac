/**
 * Gives the headings of a page their anchors. Words may come again elsewhere, then the anchor is counted on;
 * side by side, readers could not tell the headings apart, so that is a mistake. Steps have numbers.
 */
import GithubSlugger, { slug as slugOf } from 'github-slugger';
import type { Heading } from '../page.ts';

export interface FoundHeading {
  readonly depth: number;
  readonly text: string;
  /** An anchor that the author chose. */
  readonly given: string | null;
  readonly isStep: boolean;
  readonly line: number;
}

export interface PlacedHeadings {
  /** The title first. */
  readonly headings: readonly Heading[];
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Ids of site/layout, on every document or on some. */
const FRAME_IDS: readonly string[] = ['text', 'menu', 'nearly'];

const NO_WORDS = 'A heading needs words or digits, for its anchor is made from them.';
const NO_TITLE = 'A <Step> needs a title with words or digits, for its anchor is made from them.';

/** `found` are the headings below the title, in order. */
export function placeAnchors(title: string, found: readonly FoundHeading[]): PlacedHeadings {
  const slugger = new GithubSlugger();
  for (const id of FRAME_IDS) slugger.slug(id);
  const below: Heading[] = [];
  const problems: { line: number; message: string }[] = [];
  for (const { depth, text, given, isStep, line } of found) {
    const wanted = given ?? slugOf(text);
    if (wanted === '') problems.push({ line, message: isStep ? NO_TITLE : NO_WORDS });
    const slug = given ?? slugger.slug(text);
    const alike = below.find((other) => other.slug === wanted);
    const isAlike = given === null && !isStep && alike !== undefined && isBeside(below, alike, depth);
    const twin = below.find((other) => other.slug === slug) ?? (isAlike ? alike : undefined);
    if (wanted !== '' && twin !== undefined) {
      const message = `“${text}” would have the anchor #${twin.slug}, like “${twin.text}” in line ${twin.line}; reword one of them.`;
      problems.push({ line, message });
    }
    if (given !== null && given !== '') problems.push(...checkWord(given, line));
    below.push({ depth: depth === 1 || depth === 2 || depth === 3 ? depth : 4, text, slug, line });
  }
  return { headings: [{ depth: 1, text: title, slug: slugOf(title), line: 1 }, ...below], problems };
}

/** Whether a heading of that depth, coming now, stands under the same heading as an earlier one. */
function isBeside(headings: readonly Heading[], earlier: Heading, depth: number): boolean {
  const between = headings.slice(headings.indexOf(earlier) + 1);
  return earlier.depth === depth && between.every((heading) => heading.depth >= depth);
}

export interface ElementId {
  readonly id: string;
  readonly line: number;
}

/** What is wrong with the ids of elements that are no headings: every anchor of a page stands once. */
export function checkIds(headings: readonly Heading[], ids: readonly ElementId[]): PlacedHeadings['problems'] {
  const taken = new Map(headings.slice(1).map(({ slug, line }) => [slug, line]));
  return ids.flatMap(({ id, line }) => {
    const wrong = checkWord(id, line);
    if (wrong.length > 0) return wrong;
    const before = taken.get(id);
    if (before === undefined) taken.set(id, line);
    return before === undefined ? [] : [{ line, message: `The id ${id} is taken by line ${before}; choose another.` }];
  });
}

function checkWord(id: string, line: number): PlacedHeadings['problems'] {
  if (FRAME_IDS.includes(id)) return [{ line, message: `The id ${id} is the frame's own; choose another.` }];
  return id === '' || /\s/.test(id) ? [{ line, message: `The id ${JSON.stringify(id)} must be one word.` }] : [];
}
