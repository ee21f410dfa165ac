/**
 * A sentence for the links that lead to a glossary term, a flag or a method: the page script shows it where one points
 * at the link or has the focus on it. It travels with the link, so that nothing has to be asked for.
 */
import { flagTable } from '#conductor/cli/flags';
import { methodTable } from '#conductor/core/rpc/methods';
import GithubSlugger from 'github-slugger';
import { readContentData } from '../generated/content-data.ts';
import { attributeOf, isElement, setAttribute, type Node } from './nodes.ts';

const GLOSSARY = '/connect/resources/glossary';
const FLAGS = ['/conductor/flags', '/builders/chain-operators/tools/op-conductor'];
const METHODS = ['/conductor/rpc', '/builders/chain-operators/tools/op-conductor'];
const TEXT_LENGTH_MAX = 220;

interface Glossary {
  readonly groups: readonly {
    readonly terms: readonly { readonly id: string; readonly term: string; readonly text: string }[];
  }[];
}

let cards: ReadonlyMap<string, string> | null = null;

/** By the address of the link; null where there is nothing to say. */
export function cardOf(href: string): string | null {
  cards ??= allCards();
  return cards.get(href) ?? null;
}

/** Writes `data-card` onto the links of a tree. */
export function writeCards(node: Node): void {
  const href = node.type === 'link' ? (node.url ?? '') : isElement(node) ? (attributeOf(node, 'href') ?? '') : '';
  const card = href === '' ? null : cardOf(href);
  if (card !== null && node.type === 'link')
    node.data = { ...node.data, hProperties: { ...node.data?.hProperties, 'data-card': card } };
  else if (card !== null && node.name === 'Term') setAttribute(node, 'card', card);
  for (const child of node.children ?? []) writeCards(child);
}

function allCards(): Map<string, string> {
  const slug = (text: string): string => new GithubSlugger().slug(text);
  const all = new Map<string, string>();
  for (const { terms } of readContentData<Glossary & { source: string; date: string }>('glossary.yaml').groups)
    for (const { id, term, text } of terms) all.set(`${GLOSSARY}#${id}`, shortened(`${term}: ${plain(text)}`));
  for (const { name, doc, fallback } of flagTable) {
    const ofDefault = fallback === '' ? '' : ` Default: ${fallback}.`;
    for (const route of FLAGS)
      all.set(`${route}#${slug(`--${name}`)}`, `${shortened(`--${name}: ${doc}`)}${ofDefault}`);
  }
  for (const { name, params, doc } of methodTable) {
    const call = `${name}(${params.map((param) => param.name).join(', ')})`;
    for (const route of METHODS) all.set(`${route}#${slug(name)}`, shortened(`${call}: ${doc}`));
  }
  return all;
}

/** Markdown without its marks. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
}

/** At the end of a sentence where there is one in time, else of a word. */
function shortened(written: string): string {
  const text = written.replaceAll("'", '’');
  if (text.length <= TEXT_LENGTH_MAX) return /[.?]$/.test(text) ? text : `${text}.`;
  const cut = text.slice(0, TEXT_LENGTH_MAX);
  const sentence = cut.lastIndexOf('. ');
  return sentence > TEXT_LENGTH_MAX / 3 ? cut.slice(0, sentence + 1) : `${cut.slice(0, cut.lastIndexOf(' '))} …`;
}
