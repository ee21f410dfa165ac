/**
 * Builds the site: content graph and browser build side by side, checks, then documents and
 * everything made from the same graph. The output folder is replaced at the end, or not at all.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { islands } from '../islands/registry.ts';
import { buildClient, buildRenderer } from './bundle.ts';
import type { ClientAssets, PageRenderer } from './bundle.ts';
import { checkCanonicals, checkComponents } from './checks/components.ts';
import { checkLinks } from './checks/links.ts';
import { readContentGraph } from './content-graph.ts';
import type { ContentGraph } from './content-graph.ts';
import { generators } from './generated/registry.ts';
import { readLastUpdated } from './last-updated.ts';
import { createPageCompiler } from './mdx/compile-page.ts';
import { createCodeHighlighter } from './mdx/highlight.ts';
import { feedFiles } from './outputs/feeds.ts';
import { withFigures } from './outputs/figures.ts';
import type { OutputFile, OutputInput } from './outputs/output-file.ts';
import { redirectFiles } from './outputs/redirects.ts';
import { contentSecurityPolicy, headersFile, speculationRules } from './outputs/security.ts';
import { twinFiles } from './outputs/twins.ts';
import { prerenderSite } from './prerender.ts';
import type { RenderInput } from './prerender.ts';
import type { Problem } from './problems.ts';
import { searchSectionsOf } from './search-sections.ts';
import type { SiteSettings } from './settings.ts';

export interface BuildRequest {
  /** The repository, absolute. */
  readonly root: string;
  /** The folder of pages and menus, absolute. */
  readonly pages: string;
  /** Replaced as a whole, absolute. */
  readonly outDir: string;
  readonly settings: SiteSettings;
  /** Write the site in spite of problems, to look at it. */
  readonly draft: boolean;
}

export interface BuildResult {
  readonly routes: number;
  readonly problems: readonly Problem[];
  /** Whether the output folder is new: there were no problems, or it is a draft. */
  readonly written: boolean;
}

export async function buildSite(request: BuildRequest): Promise<BuildResult> {
  // React chooses by it between its builds, when the renderer is loaded.
  process.env['NODE_ENV'] = 'production';
  const { outDir } = request;
  mkdirSync(dirname(outDir), { recursive: true });
  const staging = mkdtempSync(`${outDir}.new-`);
  try {
    const parts = await buildParts(request, staging);
    const outputs = makeOutputs(request, parts);
    const problems = checkSite(request, parts, outputs);
    const mayWrite = (): boolean => problems.length === 0 || request.draft;
    if (mayWrite()) problems.push(...(await prerenderSite(parts.renderer, staging, outputs.rendering)));
    if (mayWrite()) {
      writeFiles(staging, outputs.files);
      rmSync(outDir, { recursive: true, force: true });
      renameSync(staging, outDir);
    }
    return { routes: parts.graph.pages.size, problems, written: mayWrite() };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

interface Parts {
  readonly graph: ContentGraph;
  readonly renderer: PageRenderer;
  readonly client: ClientAssets;
}

interface Outputs {
  readonly files: readonly OutputFile[];
  readonly rendering: RenderInput;
}

/** Compiles the content while Vite builds for browsers, then builds the renderer with both. */
async function buildParts(request: BuildRequest, staging: string): Promise<Parts> {
  const { root } = request;
  const bodies = new Map<string, string>();
  const source = { files: () => bodies.keys(), code: (file: string) => bodies.get(file) };
  const compileAll = async (): Promise<Omit<Parts, 'client'>> => {
    const graph = await readContentGraph(request, createPageCompiler(await createCodeHighlighter(), generators));
    for (const { page, code } of graph.pages.values()) bodies.set(page.file, code);
    mkdirSync(join(root, '.cache'), { recursive: true });
    // Inside the repository, where the renderer finds React.
    const rendererDir = mkdtempSync(join(root, '.cache', 'site-renderer-'));
    try {
      return { graph, renderer: await buildRenderer(root, rendererDir, source) };
    } finally {
      rmSync(rendererDir, { recursive: true, force: true });
    }
  };
  const [client, rest] = await Promise.all([buildClient(root, staging, source), compileAll()]);
  return { client, ...rest };
}

/** Everything but documents and what Vite wrote; and what documents say of it. */
function makeOutputs(request: BuildRequest, { graph, renderer, client }: Parts): Outputs {
  const { root, pages, settings } = request;
  const lastUpdated = readLastUpdated(root, relative(root, pages));
  const input: OutputInput = { graph, settings, lastUpdated };
  const rules = speculationRules(graph.tree);
  const policy = contentSecurityPolicy([client.bootScript, rules]);
  const sections = JSON.stringify(searchSectionsOf(graph));
  const hash = createHash('sha256').update(sections).digest('hex').slice(0, 8);
  const searchSections = `/assets/search/sections-${hash}.json`;
  return {
    files: [
      ...twinFiles(input, ({ markdown }) => withFigures(markdown, renderer.figureTexts)),
      ...feedFiles(input),
      ...redirectFiles(input),
      headersFile(policy),
      { path: searchSections.slice(1), text: sections },
    ],
    rendering: {
      graph,
      settings,
      lastUpdated,
      socialImage: () => '',
      assets: { ...client, searchSections, speculationRules: rules, contentSecurityPolicy: policy },
    },
  };
}

function checkSite({ root }: BuildRequest, { graph, renderer }: Parts, { files }: Outputs): Problem[] {
  const publicFolder = join(root, 'site/public');
  const published = existsSync(publicFolder) ? readdirSync(publicFolder, { recursive: true, encoding: 'utf8' }) : [];
  const served = new Set(
    [...published, ...files.map(({ path }) => path)].map((path) => `/${path.split(sep).join('/')}`),
  );
  const known = {
    components: renderer.componentNames,
    islands: Object.keys(islands),
    figures: Object.keys(renderer.figureTexts),
  };
  return [...graph.problems, ...checkLinks(graph, served), ...checkComponents(graph, known), ...checkCanonicals(graph)];
}

function writeFiles(folder: string, files: readonly OutputFile[]): void {
  for (const { path, text } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
