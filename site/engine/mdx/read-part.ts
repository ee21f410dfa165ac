/**
 * The one pass over the tree of a part of a page: takes out headings, links, code blocks, sections for search
 * and the components in use, and says what is wrong. It changes nothing but the addresses of terms. Lines
 * are those of the part.
 */
import type { CodeBlock, Link, PageText } from '../page.ts';
import type { ElementId, FoundHeading } from './anchors.ts';
import { foreignPicture, NO_ALTERNATIVE } from './check-references.ts';
import { readCodeMeta } from './code-meta.ts';
import { attributeOf, isElement, setAttribute, textOf, type Node } from './nodes.ts';

/** Where `<Term id>` leads. */
const GLOSSARY_ROUTE = '/connect/resources/glossary';

export interface ComponentUse {
  readonly name: string;
  /** Of an island or figure: which one. */
  readonly names: string | null;
  readonly line: number;
}

export interface SectionText {
  /** '' for what stands before the first heading of the part. */
  readonly heading: string;
  readonly prose: string;
  readonly code: readonly string[];
}

export interface PartReading {
  readonly headings: readonly FoundHeading[];
  /** The nodes of the headings, in the same order. */
  readonly headingNodes: readonly Node[];
  readonly links: readonly Link[];
  readonly code: readonly CodeBlock[];
  /** One for what stands before the first heading, then one per heading. */
  readonly sections: readonly SectionText[];
  readonly components: readonly ComponentUse[];
  /** All words but code, headings too, in their order. */
  readonly texts: readonly PageText[];
  /** Addresses of pictures. */
  readonly images: readonly Link[];
  /** Ids of HTML elements that are no headings. */
  readonly ids: readonly ElementId[];
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

interface OpenSection {
  readonly heading: string;
  readonly prose: string[];
  readonly code: string[];
}

/** `knowsLanguage` tells which languages of fences exist. */
export function readPart(tree: Node, knowsLanguage: (lang: string) => boolean): PartReading {
  const reader = new PartReader(knowsLanguage);
  reader.visit(tree);
  return reader.result();
}

/** Attributes of components that readers see. */
const SEEN_ATTRIBUTES = ['title', 'label', 'alt'];
const BLOCKS = new Set(['paragraph', 'heading', 'listItem', 'tableCell', 'blockquote', 'code', 'mdxJsxFlowElement']);

/** Steps are no part of the table of contents, wherever they stand: they count as headings of this level. */
const STEP_LEVEL_MAX = 4;

class PartReader {
  readonly #knowsLanguage: (lang: string) => boolean;
  readonly #headings: FoundHeading[] = [];
  readonly #headingNodes: Node[] = [];
  /** Of the steps being read, as readers see it: one below the heading above them. */
  #stepLevel = 2;
  readonly #links: Link[] = [];
  readonly #code: CodeBlock[] = [];
  readonly #sections: OpenSection[] = [{ heading: '', prose: [], code: [] }];
  readonly #components: ComponentUse[] = [];
  readonly #texts: PageText[] = [];
  readonly #images: Link[] = [];
  readonly #ids: ElementId[] = [];
  readonly #problems: { line: number; message: string }[] = [];

  constructor(knowsLanguage: (lang: string) => boolean) {
    this.#knowsLanguage = knowsLanguage;
  }

  result(): PartReading {
    const sections = this.#sections.map(({ heading, prose, code }) => ({
      heading,
      prose: prose.join('').replaceAll(/\s+/g, ' ').trim(),
      code,
    }));
    return {
      headings: this.#headings,
      headingNodes: this.#headingNodes,
      links: this.#links,
      code: this.#code,
      sections,
      components: this.#components,
      texts: this.#texts,
      images: this.#images,
      ids: this.#ids,
      problems: this.#problems,
    };
  }

  visit(node: Node): void {
    if (BLOCKS.has(node.type)) this.#section().prose.push(' ');
    if (node.type === 'text') this.#words(node, node.value ?? '');
    if (node.type === 'heading') this.#heading(node, node.depth ?? 2);
    else if (node.type === 'code') this.#fence(node);
    else if (node.type === 'text' || node.type === 'inlineCode') this.#section().prose.push(node.value ?? '');
    else if (node.type === 'image') this.#image(node, node.url ?? '', node.alt ?? '');
    else if (node.type === 'link' || node.type === 'definition') this.#link(node.url ?? '', node);
    else if (node.type === 'mdxjsEsm') {
      this.#complain(node, 'A page holds no import or export; components are registered in site/mdx/components.ts.');
    } else if (isElement(node)) this.#element(node);
    if (node.type === 'heading' || /^h[1-6]$/.test(node.name ?? '')) this.#insideHeading(node);
    else for (const child of node.children ?? []) this.visit(child);
  }

  #section(): OpenSection {
    return this.#sections.at(-1) ?? { heading: '', prose: [], code: [] };
  }

  #complain(node: Node, message: string): void {
    this.#problems.push({ line: this.#lineOf(node), message });
  }

  #link(href: string, node: Node): void {
    this.#links.push({ href, line: this.#lineOf(node) });
  }

  /** A heading's words are no prose, but its words and links count. */
  #insideHeading(node: Node): void {
    for (const child of node.children ?? []) {
      if (child.type === 'link') this.#link(child.url ?? '', child);
      if (child.type === 'text') this.#words(child, child.value ?? '');
      this.#insideHeading(child);
    }
  }

  #words(node: Node, text: string): void {
    this.#texts.push({ text, line: this.#lineOf(node), lastLine: node.position?.end.line ?? this.#lineOf(node) });
  }

  #heading(node: Node, depth: number, text = textOf(node).trim()): void {
    const given = node.type === 'heading' ? null : (attributeOf(node, 'slug') ?? attributeOf(node, 'id'));
    if (depth === 1)
      this.#complain(node, `The title of the head is the only heading of the first level; write \`## ${text}\`.`);
    else if (depth > 4) this.#complain(node, `“${text}” is a heading of level ${depth}; four levels are the deepest.`);
    this.#headings.push({ depth, text, given, isStep: node.name === 'Step', line: this.#lineOf(node) });
    this.#headingNodes.push(node);
    this.#sections.push({ heading: text, prose: [], code: [] });
  }

  #fence(node: Node): void {
    const { lang = null, value = '' } = node;
    const meta = node.meta ?? '';
    if (lang === null)
      this.#complain(node, 'This code block names no language; write one after the fence, `text` if there is none.');
    else if (lang !== 'mermaid' && !this.#knowsLanguage(lang)) {
      this.#complain(node, `Nothing here can colour the language ${lang}; use the name Shiki gives it, or \`text\`.`);
    }
    const { unknown } = readCodeMeta(meta);
    if (unknown.length > 0) {
      this.#complain(
        node,
        `A code block knows title="…", {lines}, prompt and output; ${unknown.join(' ')} is none of them.`,
      );
    }
    this.#code.push({ lang: lang ?? 'text', text: value, line: this.#lineOf(node), meta });
    if (lang !== 'mermaid') this.#section().code.push(value);
  }

  #image(node: Node, href: string, alt: string): void {
    if (alt.trim() === '') this.#complain(node, NO_ALTERNATIVE);
    this.#section().prose.push(alt);
    this.#words(node, alt);
    this.#picture(node, href);
  }

  #picture(node: Node, href: string): void {
    if (!/^https?:/.test(href)) this.#images.push({ href, line: this.#lineOf(node) });
    else this.#complain(node, foreignPicture(href));
  }

  #element(node: Node): void {
    const name = node.name ?? '';
    const line = this.#lineOf(node);
    const heading = /^h([1-6])$/.exec(name)?.[1];
    if (heading !== undefined) this.#heading(node, Number(heading));
    if (name === 'Steps') this.#stepLevel = Math.min(STEP_LEVEL_MAX, (this.#headings.at(-1)?.depth ?? 1) + 1);
    if (name === 'Step') {
      setAttribute(node, 'level', String(this.#stepLevel));
      this.#heading(node, STEP_LEVEL_MAX, attributeOf(node, 'title') ?? '');
    }
    if (name === 'img') {
      // An empty alt is how HTML says that a picture is an ornament.
      const alt = attributeOf(node, 'alt');
      if (alt !== '' && (alt ?? '').trim() === '') this.#complain(node, NO_ALTERNATIVE);
      this.#picture(node, attributeOf(node, 'src') ?? '');
    }
    if (name === 'br') this.#section().prose.push(' ');
    if (name === 'Term') setAttribute(node, 'href', `${GLOSSARY_ROUTE}#${attributeOf(node, 'id') ?? ''}`);
    if (name === 'Generated') {
      this.#complain(node, '<Generated from="…" /> must stand alone on its line, closed, with texts in double quotes.');
    }
    for (const seen of SEEN_ATTRIBUTES) this.#words(node, attributeOf(node, seen) ?? '');
    const id = attributeOf(node, 'id');
    if (id !== null && heading === undefined && /^[a-z]/.test(name)) this.#ids.push({ id, line });
    const href = attributeOf(node, 'href');
    if (href !== null) this.#link(href, node);
    if (/^[A-Z]/.test(name) && name !== 'Generated')
      this.#components.push({ name, names: attributeOf(node, 'name'), line });
  }

  #lineOf(node: Node): number {
    return node.position?.start.line ?? 1;
  }
}

/** Writes anchors onto the headings of a tree. */
export function writeAnchors(headingNodes: readonly Node[], slugs: readonly string[]): void {
  for (const [index, node] of headingNodes.entries()) {
    const slug = slugs[index] ?? '';
    if (node.type === 'heading') node.data = { ...node.data, hProperties: { ...node.data?.hProperties, id: slug } };
    else setAttribute(node, node.name === 'Step' ? 'slug' : 'id', slug);
  }
}
