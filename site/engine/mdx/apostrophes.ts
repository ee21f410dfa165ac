/**
 * Authors type the straight apostrophe of their keyboards; readers see the curly one of print. Code keeps what it has,
 * and so does the Markdown twin, which is the author's text.
 */
import { isElement, type Node } from './nodes.ts';

/** Between letters, after the s of a plural, and before what is cut off at the front of a year: it's, peers', '26. */
const APOSTROPHE = /(?<=[\p{L}\p{N}])'(?=\p{L})|(?<=(?:^|[^'\p{L}])\p{L}*s)'(?=[\s.,;:)]|$)|(?<=^|\s)'(?=\d\ds?\b)/gu;
const CODE = new Set(['code', 'pre', 'kbd', 'samp', 'var']);
/** Attributes that readers see as text. */
const SEEN = new Set(['title', 'label']);

export function curlyApostrophes(text: string): string {
  return text.replaceAll(APOSTROPHE, '’');
}

/** Changes the texts of a tree, and the attributes of components that are texts. */
export function setApostrophes(node: Node): void {
  if (isElement(node) && CODE.has(node.name ?? '')) return;
  if (node.type === 'text') node.value = curlyApostrophes(node.value ?? '');
  for (const [at, attribute] of (node.attributes ?? []).entries()) {
    const { value } = attribute;
    if (typeof value !== 'string' || !SEEN.has(attribute.name ?? '')) continue;
    node.attributes?.splice(at, 1, { ...attribute, value: curlyApostrophes(value) });
  }
  for (const child of node.children ?? []) setApostrophes(child);
}
