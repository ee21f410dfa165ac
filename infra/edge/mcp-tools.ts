/** What tools may do on this site: search it, and read a page as Markdown. Mistakes in arguments are told to the model. */
import { QUERY_LENGTH_MAX, type SearchAnswer } from '../../site/search/answer.ts';
import { answerMarkdown, plainText } from './answer-markdown.ts';
import type { Assets } from './assets.ts';
import { searchSite } from './site-search.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Json;
  readonly isError?: true;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
  readonly annotations: Json;
  /** Rejects when the site cannot be read. */
  readonly call: (given: Json) => Promise<ToolResult>;
}

/** Characters of a page in one answer; the rest is asked for by `from`. */
const PIECE_LENGTH_MAX = 40_000;
const ADDRESS_LENGTH_MAX = 500;
const ANNOTATIONS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** `origin` is the address of the site. */
export function siteTools(assets: Assets, origin: string): readonly Tool[] {
  return [searchTool(assets, origin), readTool(assets, origin)];
}

const TEXT = { type: 'string' };

function searchTool(assets: Assets, origin: string): Tool {
  const section = { kind: TEXT, heading: TEXT, address: TEXT, passage: TEXT };
  const page = { title: TEXT, trail: TEXT, address: TEXT, sections: listOf(section) };
  return {
    name: 'search',
    title: 'Search the documentation',
    description:
      'Finds pages and sections by words, names (methods, flags, metrics, alerts), error messages or addresses. Best first; slips of spelling are forgiven.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: QUERY_LENGTH_MAX, description: 'What to look for.' },
        area: { type: 'string', description: 'One part of the site by the first part of its addresses: stack.' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { pages: { type: 'integer', description: 'Pages that answer.' }, results: listOf(page) },
      required: ['pages', 'results'],
    },
    annotations: ANNOTATIONS,
    async call({ query, area }) {
      if (typeof query !== 'string' || query.trim() === '' || query.length > QUERY_LENGTH_MAX)
        return mistake(`query must be a text of 1 to ${QUERY_LENGTH_MAX} characters.`);
      if (area !== undefined && typeof area !== 'string') return mistake('area must be a text.');
      const answer = await searchSite(assets, origin, { query, area });
      const areas = answer.areas.map(({ key }) => key);
      if (area !== undefined && !areas.includes(area)) return mistake(`area must be one of ${areas.join(', ')}.`);
      const text = answerMarkdown(answer, origin);
      return { content: [{ type: 'text', text }], structuredContent: structureOf(answer, origin) };
    },
  };
}

function structureOf({ pages, results }: SearchAnswer, origin: string): Json {
  return {
    pages,
    results: results.map(({ pageTitle, trail, route, hits }) => ({
      title: pageTitle,
      trail: trail.join(' › '),
      address: origin + route,
      sections: hits.map(({ kind, heading, href, fragment }) => ({
        kind,
        heading,
        address: origin + href,
        passage: fragment === null ? '' : plainText(fragment.spans),
      })),
    })),
  };
}

function readTool(assets: Assets, origin: string): Tool {
  return {
    name: 'read_page',
    title: 'Read a page',
    description: 'The whole text of a page as Markdown, in pieces where it is long.',
    inputSchema: {
      type: 'object',
      properties: {
        address: {
          type: 'string',
          maxLength: ADDRESS_LENGTH_MAX,
          description: 'Of the page, whole or from its first slash.',
        },
        from: { type: 'integer', minimum: 0, description: 'Where to go on, as the piece before says.' },
      },
      required: ['address'],
      additionalProperties: false,
    },
    annotations: ANNOTATIONS,
    async call({ address, from = 0 }) {
      const path = typeof address === 'string' ? twinPathOf(address, origin) : null;
      if (path === null) return mistake(`address must be that of a page of ${origin}, or begin with a slash.`);
      if (typeof from !== 'number' || !Number.isSafeInteger(from) || from < 0)
        return mistake('from must be 0 or more.');
      const twin = await assets.fetch(new Request(new URL(path, origin).href));
      if (twin.status >= 500) throw new Error(`${path} was answered with ${twin.status}.`);
      if (twin.status !== 200) return mistake(`There is no page at ${String(address)}. search finds pages.`);
      return { content: [{ type: 'text', text: pieceOf(await twin.text(), from) }] };
    },
  };
}

/** Where the Markdown of a page is; null for what cannot be the address of one. */
function twinPathOf(address: string, origin: string): string | null {
  const url = address.length <= ADDRESS_LENGTH_MAX && URL.canParse(address, origin) ? new URL(address, origin) : null;
  if (url?.origin !== origin || !/^[\w/.-]+$/.test(url.pathname)) return null;
  const route = url.pathname.replace(/(?:\/index)?(?:\.md|\.html)?\/?$/, '');
  if (route === '/404' || route === '/500') return null;
  return `${route === '' ? '/index' : route}.md`;
}

function pieceOf(text: string, from: number): string {
  const end = from + PIECE_LENGTH_MAX;
  if (end >= text.length) return text.slice(from);
  return `${text.slice(from, end)}\n\n[The page goes on: ask again with from ${end}. It has ${text.length} characters.]\n`;
}

function listOf(properties: Json): Json {
  return { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } };
}

function mistake(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
