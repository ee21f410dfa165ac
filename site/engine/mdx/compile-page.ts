/**
 * Compiles one page: expands generated parts, cuts it at its headings, parses and reads each part once, gives
 * headings their anchors, and makes the JavaScript that renders it. Parts that are the same as when the
 * page was compiled last are taken from then. Everything wrong comes back as problems with lines of the file.
 */
import { readPageHead } from '../front-matter.ts';
import type { Generator } from '../generated/generator.ts';
import type { Link, Page, PageText } from '../page.ts';
import { checkEncoding, type Problem } from '../problems.ts';
import { checkIds, placeAnchors, type ElementId } from './anchors.ts';
import { curlyApostrophes } from './apostrophes.ts';
import { createPartCompiler, type CompiledPart, type ParsedPart, type PartCompiler } from './compile-part.ts';
import { expandGenerated } from './expand-generated.ts';
import type { Highlighter } from './highlight.ts';
import type { ComponentUse } from './read-part.ts';
import { splitPage, type PagePart } from './split-page.ts';

export interface PageSource {
  /** Path within the repository. */
  readonly file: string;
  readonly route: string;
  readonly text: string;
}

export interface CompiledPage {
  /** Sections have no trail yet: menus are not known here. */
  readonly page: Page;
  readonly components: readonly ComponentUse[];
  readonly texts: readonly PageText[];
  readonly images: readonly Link[];
  /** False when it is no MDX: then nothing is known of its body. */
  readonly isRead: boolean;
  /** What `#…` may name: slugs below the title, and ids of HTML elements. */
  readonly anchors: ReadonlySet<string>;
  /** The code of its parts, in order. */
  readonly code: readonly string[];
  readonly problems: readonly Problem[];
}

export type PageCompiler = (source: PageSource) => Promise<CompiledPage>;

/** A part, and how to tell where in the file a line of it is. */
interface PlacedPart {
  readonly part: CompiledPart;
  sourceLine(line: number): number;
}

/** A compiler for any number of pages; they share the highlighter and the parser. */
export function createPageCompiler(
  highlighter: Highlighter,
  generators: Readonly<Record<string, Generator>>,
): PageCompiler {
  const compiler = createPartCompiler(highlighter);
  const lastParts = new Map<string, ReadonlyMap<string, CompiledPart>>();

  return async ({ file, route, text }) => {
    const head = readPageHead(file, text);
    const expanded = expandGenerated(file, head.body, generators);
    const problems: Problem[] = [...checkEncoding(file, text), ...head.problems, ...expanded.problems];
    const known = lastParts.get(file) ?? new Map<string, CompiledPart>();
    const parsed = parseParts(splitPage(expanded.text), expanded.text, { compiler, known });
    if (parsed.failure !== null) {
      problems.push({ file, line: expanded.sourceLine(parsed.failure.line), message: parsed.failure.message });
    }
    const lineOf = (firstLine: number) => (line: number) => expanded.sourceLine(firstLine - 1 + line);
    const found = parsed.parts.flatMap(({ part, firstLine }) =>
      part.reading.headings.map((heading) => ({ ...heading, line: lineOf(firstLine)(heading.line) })),
    );
    const { title } = head.frontMatter;
    const anchors = placeAnchors(title, found);
    const placed: PlacedPart[] = [];
    let next = 1;
    for (const { part, firstLine } of parsed.parts) {
      const slugs = anchors.headings.slice(next, next + part.reading.headings.length).map(({ slug }) => slug);
      next += slugs.length;
      placed.push({ part: await compilePart(part, slugs, compiler), sourceLine: lineOf(firstLine) });
    }
    lastParts.set(file, new Map(placed.map(({ part }) => [part.text, part])));
    const { headings } = anchors;
    const ofAnchors = [...anchors.problems, ...checkIds(headings, idsOf(placed))];
    problems.push(...ofAnchors.map((problem) => ({ file, ...problem })), ...problemsOf(file, placed));
    const frontMatter = { ...head.frontMatter, title: curlyApostrophes(title) };
    const joined = joinParts({ file, route, frontMatter, headings }, placed);
    return { ...joined, isRead: parsed.failure === null, problems };
  };
}

interface Parsing {
  readonly parts: readonly { readonly part: ParsedPart | CompiledPart; readonly firstLine: number }[];
  readonly failure: { readonly line: number; readonly message: string } | null;
}

interface ParsingTools {
  readonly compiler: PartCompiler;
  readonly known: ReadonlyMap<string, CompiledPart>;
}

/** An element may be open across a cut: what does not parse in parts is parsed whole. */
function parseParts(parts: readonly PagePart[], whole: string, tools: ParsingTools): Parsing {
  const { compiler, known } = tools;
  try {
    return {
      parts: parts.map(({ text, firstLine }) => ({ part: known.get(text) ?? compiler.parse(text), firstLine })),
      failure: null,
    };
  } catch (error) {
    if (parts.length > 1) return parseParts([{ text: whole, firstLine: 1 }], whole, tools);
    return { parts: [], failure: placeOf(error, whole) };
  }
}

async function compilePart(
  part: ParsedPart | CompiledPart,
  slugs: readonly string[],
  compiler: PartCompiler,
): Promise<CompiledPart> {
  if ('tree' in part) return compiler.compile(part, slugs);
  const isSame = part.slugs.length === slugs.length && part.slugs.every((slug, index) => slug === slugs[index]);
  return isSame ? part : compiler.compile(compiler.parse(part.text), slugs);
}

function problemsOf(file: string, placed: readonly PlacedPart[]): Problem[] {
  return placed.flatMap(({ part, sourceLine }) =>
    [...part.reading.problems, ...part.drawing].map(({ line, message }) => ({ file, line: sourceLine(line), message })),
  );
}

function idsOf(placed: readonly PlacedPart[]): ElementId[] {
  return placed.flatMap(({ part, sourceLine }) =>
    part.reading.ids.map(({ id, line }) => ({ id, line: sourceLine(line) })),
  );
}

function joinParts(
  head: Pick<Page, 'file' | 'route' | 'frontMatter' | 'headings'>,
  placed: readonly PlacedPart[],
): Omit<CompiledPage, 'problems' | 'isRead'> {
  const { headings } = head;
  const { title, tags, description } = head.frontMatter;
  const all = <T extends { readonly line: number }>(of: (part: CompiledPart) => readonly T[]): T[] =>
    placed.flatMap(({ part, sourceLine }) => of(part).map((item) => ({ ...item, line: sourceLine(item.line) })));
  // Before its first heading a part has text only at the beginning of the page, or where it was not cut.
  const texts = placed.flatMap(({ part }, index) => part.reading.sections.slice(index === 0 ? 0 : 1));
  const sections = texts.map((section, position) => {
    const slug = position === 0 ? '' : (headings[position]?.slug ?? '');
    const text = { ...section, slug, heading: position === 0 ? title : section.heading };
    const inPage = { route: head.route, pageTitle: title, trail: [], ...text };
    return position === 0 ? { ...inPage, tags, description } : inPage;
  });
  const body = placed.map(({ part }) => part.markdown).filter((markdown) => markdown !== '');
  return {
    page: {
      ...head,
      links: all(({ reading }) => reading.links),
      code: all(({ reading }) => reading.code),
      sections,
      words: sections.reduce((sum, { prose }) => sum + (prose === '' ? 0 : prose.split(' ').length), 0),
      markdown: `# ${title}\n\n${body.join('\n\n')}\n`,
    },
    components: all(({ reading }) => reading.components),
    texts: placed.flatMap(({ part, sourceLine }) =>
      part.reading.texts.map(({ text, line, lastLine }) => ({
        text,
        line: sourceLine(line),
        lastLine: sourceLine(lastLine),
      })),
    ),
    images: all(({ reading }) => reading.images),
    anchors: new Set([...headings.slice(1).map(({ slug }) => slug), ...idsOf(placed).map(({ id }) => id)]),
    code: placed.map(({ part }) => part.code),
  };
}

/** Some errors say where only in their words: `… (7:1-7:10)`. */
const WORDED_PLACE = /\s*\((\d+):\d+(?:-\d+:\d+)?\)/;

const HEADING_ID = /^ {0,3}#{1,6}\s.*(\{#[^}]*\})/;

/** `text` is what could not be parsed. */
function placeOf(error: unknown, text: string): { line: number; message: string } {
  const { line, reason } = error as { line?: number; reason?: string };
  const message = (reason ?? (error instanceof Error ? error.message : String(error))).split('\n')[0] ?? '';
  const at = line ?? Number(WORDED_PLACE.exec(message)?.[1] ?? 1);
  const id = HEADING_ID.exec(text.split('\n')[at - 1] ?? '')?.[1];
  if (id !== undefined)
    return { line: at, message: `A heading takes no id: its anchor is made of its words. Take ${id} away.` };
  return { line: at, message: `This is not MDX: ${message.replace(WORDED_PLACE, '')}.` };
}
