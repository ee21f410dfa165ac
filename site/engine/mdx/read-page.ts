/**
 * The one pass over a page's tree: takes out headings with slugs, links, code blocks, sections for
 * search and the components in use, and says what is wrong. It changes nothing but slugs, which it
 * writes onto the headings so that everything later agrees on them.
 */
import GithubSlugger, { slug as slugOf } from 'github-slugger';
import type { CodeBlock, Heading, Link } from '../page.ts';
import { readCodeMeta } from './code-meta.ts';
import { attributeOf, hasAttribute, isElement, setAttribute, textOf } from './nodes.ts';
import type { Node } from './nodes.ts';

/** Where `<Term id>` leads. */
const GLOSSARY_ROUTE = '/connect/resources/glossary';

export interface ComponentUse {
  readonly name: string;
  /** Of an island or figure: which one. */
  readonly names: string | null;
  readonly line: number;
}

export interface SectionText {
  readonly heading: string;
  readonly slug: string;
  readonly prose: string;
  readonly code: readonly string[];
}

export interface PageReading {
  readonly headings: readonly Heading[];
  readonly links: readonly Link[];
  readonly code: readonly CodeBlock[];
  readonly sections: readonly SectionText[];
  readonly components: readonly ComponentUse[];
  /** Addresses of pictures. */
  readonly images: readonly Link[];
  /** What `#…` may name: slugs below the title, and ids of HTML elements. */
  readonly anchors: ReadonlySet<string>;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

interface OpenSection {
  readonly heading: string;
  readonly slug: string;
  readonly prose: string[];
  readonly code: string[];
}

export interface ReadingContext {
  readonly title: string;
  /** Which languages of fences exist. */
  knowsLanguage(lang: string): boolean;
  /** The line of the file for a line of the tree. */
  sourceLine(line: number): number;
}

/** Reads a tree. */
export function readPage(tree: Node, context: ReadingContext): PageReading {
  const reader = new PageReader(context);
  reader.visit(tree);
  return reader.result();
}

const NO_ALTERNATIVE = 'This image has no alternative text; say what it shows to readers who cannot see it.';
const BLOCKS = new Set(['paragraph', 'heading', 'listItem', 'tableCell', 'blockquote', 'code', 'mdxJsxFlowElement']);

/** Steps are no part of the table of contents, wherever they stand: they count as headings of this level. */
const STEP_LEVEL_MAX = 4;

class PageReader {
  readonly #context: ReadingContext;
  readonly #headings: Heading[] = [];
  /** Of the steps being read, as readers see it: one below the heading above them. */
  #stepLevel = 2;
  readonly #links: Link[] = [];
  readonly #code: CodeBlock[] = [];
  readonly #sections: OpenSection[];
  readonly #components: ComponentUse[] = [];
  readonly #images: Link[] = [];
  readonly #anchors = new Set<string>();
  readonly #problems: { line: number; message: string }[] = [];
  readonly #slugger = new GithubSlugger();

  constructor(context: ReadingContext) {
    const { title } = context;
    this.#context = context;
    this.#headings.push({ depth: 1, text: title, slug: slugOf(title), line: 1 });
    this.#sections = [{ heading: title, slug: '', prose: [], code: [] }];
  }

  result(): PageReading {
    const sections = this.#sections.map(({ heading, slug, prose, code }) => ({
      heading,
      slug,
      prose: prose.join('').replaceAll(/\s+/g, ' ').trim(),
      code,
    }));
    return {
      headings: this.#headings,
      links: this.#links,
      code: this.#code,
      sections,
      components: this.#components,
      images: this.#images,
      anchors: this.#anchors,
      problems: this.#problems,
    };
  }

  visit(node: Node): void {
    if (BLOCKS.has(node.type)) this.#section().prose.push(' ');
    if (node.type === 'heading') this.#heading(node, node.depth ?? 2);
    else if (node.type === 'code') this.#fence(node);
    else if (node.type === 'text' || node.type === 'inlineCode') this.#section().prose.push(node.value ?? '');
    else if (node.type === 'image') this.#image(node, node.url ?? '', node.alt ?? '');
    else if (node.type === 'link' || node.type === 'definition') this.#link(node.url ?? '', node);
    else if (node.type === 'mdxjsEsm') {
      this.#complain(node, 'A page holds no import or export; components are registered in site/mdx/components.ts.');
    } else if (isElement(node)) this.#element(node);
    if (node.type === 'heading' || /^h[1-6]$/.test(node.name ?? '')) this.#linksOf(node);
    else for (const child of node.children ?? []) this.visit(child);
  }

  #section(): OpenSection {
    return this.#sections.at(-1) ?? { heading: '', slug: '', prose: [], code: [] };
  }

  #complain(node: Node, message: string): void {
    this.#problems.push({ line: this.#lineOf(node), message });
  }

  #link(href: string, node: Node): void {
    this.#links.push({ href, line: this.#lineOf(node) });
  }

  /** A heading's words are no prose, but its links count. */
  #linksOf(node: Node): void {
    for (const child of node.children ?? []) {
      if (child.type === 'link') this.#link(child.url ?? '', child);
      this.#linksOf(child);
    }
  }

  #heading(node: Node, depth: number, text = textOf(node).trim()): void {
    const given = node.type === 'heading' ? null : (attributeOf(node, 'slug') ?? attributeOf(node, 'id'));
    const slug = given ?? this.#slugger.slug(text);
    if (depth === 1)
      this.#complain(node, `The title of the head is the only heading of the first level; write \`## ${text}\`.`);
    else if (depth > 4) this.#complain(node, `“${text}” is a heading of level ${depth}; four levels are the deepest.`);
    if (slug === '') this.#complain(node, 'A heading needs words or digits, for its anchor is made from them.');
    const twin = this.#headings.find((heading, index) => index > 0 && heading.slug === (given ?? slugOf(text)));
    // Words may come again elsewhere: the anchor is counted on. Side by side, readers could not tell them apart; steps have numbers.
    if (twin !== undefined && (given !== null || (node.name !== 'Step' && this.#isBeside(twin, depth)))) {
      this.#complain(
        node,
        `“${text}” would have the anchor #${twin.slug}, like “${twin.text}” in line ${twin.line}; reword one of them.`,
      );
    }
    this.#headings.push({
      depth: depth === 1 || depth === 2 || depth === 3 ? depth : 4,
      text,
      slug,
      line: this.#lineOf(node),
    });
    this.#anchors.add(slug);
    this.#sections.push({ heading: text, slug, prose: [], code: [] });
    if (node.type === 'heading') node.data = { ...node.data, hProperties: { ...node.data?.hProperties, id: slug } };
    else setAttribute(node, node.name === 'Step' ? 'slug' : 'id', slug);
  }

  /** Whether a heading of that depth, coming now, stands under the same heading as an earlier one. */
  #isBeside(earlier: Heading, depth: number): boolean {
    const between = this.#headings.slice(this.#headings.indexOf(earlier) + 1);
    return earlier.depth === depth && between.every((heading) => heading.depth >= depth);
  }

  #fence(node: Node): void {
    const { lang = null, value = '' } = node;
    const meta = node.meta ?? '';
    if (lang === null)
      this.#complain(node, 'This code block names no language; write one after the fence, `text` if there is none.');
    else if (lang !== 'mermaid' && !this.#context.knowsLanguage(lang)) {
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
    this.#picture(node, href);
  }

  #picture(node: Node, href: string): void {
    if (!/^https?:/.test(href)) this.#images.push({ href, line: this.#lineOf(node) });
    else this.#complain(node, `The picture ${href} would be fetched from another site; put it into site/public.`);
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
      if (!hasAttribute(node, 'alt')) this.#complain(node, NO_ALTERNATIVE);
      this.#picture(node, attributeOf(node, 'src') ?? '');
    }
    if (name === 'Term') setAttribute(node, 'href', `${GLOSSARY_ROUTE}#${attributeOf(node, 'id') ?? ''}`);
    if (name === 'Generated') {
      this.#complain(node, '<Generated from="…" /> must stand alone on its line, closed, with texts in double quotes.');
    }
    const id = attributeOf(node, 'id');
    if (id !== null && /^[a-z]/.test(name)) this.#anchors.add(id);
    const href = attributeOf(node, 'href');
    if (href !== null) this.#link(href, node);
    if (/^[A-Z]/.test(name) && name !== 'Generated')
      this.#components.push({ name, names: attributeOf(node, 'name'), line });
  }

  #lineOf(node: Node): number {
    return this.#context.sourceLine(node.position?.start.line ?? 1);
  }
}
