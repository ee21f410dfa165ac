/**
 * Puts the reader's servers into the code of the page and takes them out again. What was filled in is marked and says
 * what stands there otherwise; the copy button copies what is seen.
 */
import { placesIn, type Place, type Setting } from '../../own-cluster/places.ts';
import { make } from '../make.ts';

/** Blocks that are typed or written, the names of files above them, and code within sentences. */
const COMMANDS = '.prose [data-code]:not([data-output]) > pre > code';
const NAMES = '.prose :not(pre) > code, .prose [data-code]:not([data-output]) > figcaption';

/** What a page had before anything was filled in. */
const originals = new Map<Element, readonly Node[]>();

/** Null empties it of all that was filled in. */
export function fillCode(setting: Omit<Setting, 'kind'> | null): void {
  for (const [code, nodes] of originals) code.replaceChildren(...nodes.map((node) => node.cloneNode(true)));
  if (setting === null) return;
  for (const [selector, kind] of [
    [COMMANDS, 'command'],
    [NAMES, 'name'],
  ] as const) {
    for (const code of document.querySelectorAll(selector)) fill(code, { ...setting, kind });
  }
}

function fill(code: Element, setting: Setting): void {
  const text = code.textContent ?? '';
  const places = placesIn(text, setting);
  if (places.length === 0) return;
  if (!originals.has(code))
    originals.set(
      code,
      [...code.childNodes].map((node) => node.cloneNode(true)),
    );
  const parts = textsOf(code);
  // From the end: what is before a place stays where it was.
  for (const place of places.toReversed()) put(parts, place, text);
}

interface Part {
  readonly node: Text;
  readonly start: number;
}

function textsOf(code: Element): Part[] {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const parts: Part[] = [];
  let start = 0;
  while (walker.nextNode() !== null) {
    const node = walker.currentNode as Text;
    parts.push({ node, start });
    start += node.data.length;
  }
  return parts;
}

function put(parts: readonly Part[], { start, end, text }: Place, whole: string): void {
  const from = parts.findLast((part) => part.start <= start);
  const to = parts.findLast((part) => part.start < end) ?? from;
  if (from === undefined || to === undefined) return;
  const range = document.createRange();
  range.setStart(from.node, start - from.start);
  range.setEnd(to.node, end - to.start);
  range.deleteContents();
  const usual = whole.slice(start, end);
  range.insertNode(
    make('span', { className: 'own', title: usual === '' ? 'your servers' : `${usual} on the page` }, text),
  );
}
