/**
 * Builds the site: content graph, renderer and browser build side by side, checks, then documents and
 * everything made from the same graph. The output folder is replaced at the end, or not at all.
 */
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { islands } from '../islands/registry.ts';
import { buildClient, buildRenderer, type BuiltClient, type PageRenderer } from './bundle.ts';
import { drawCards } from './cards/draw-cards.ts';
import { siteCards } from './cards/site-cards.ts';
import { checkSite } from './checks/check-site.ts';
import type { KnownNames } from './checks/components.ts';
import { compilePages } from './compile-pages.ts';
import { joinContent, requirePages, type ContentGraph } from './content-graph.ts';
import { ERROR_ROUTES } from './error-routes.ts';
import { generators } from './generated/registry.ts';
import { readLastUpdated } from './last-updated.ts';
import { createPageCompiler } from './mdx/compile-page.ts';
import { createCodeHighlighter } from './mdx/highlight.ts';
import { openStaging, openTemporary, replaceFolder, writeFiles } from './output-folder.ts';
import { offlineFile } from './outputs/offline.ts';
import { makeSiteOutputs } from './outputs/site-outputs.ts';
import { prerenderSite, SEARCH_ROUTE } from './prerender.ts';
import type { Problem } from './problems.ts';
import { indexFolder, searchSectionsOf, writeIndex } from './search-sections.ts';
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
  /** Folders below node_modules of the packages that browsers get code of, sorted. */
  readonly packages: readonly string[];
  /** Apart from the build, because they are kept between builds. */
  readonly cards: { readonly drawn: number; readonly milliseconds: number };
}

export async function buildSite(request: BuildRequest): Promise<BuildResult> {
  // React chooses by it between its builds, when the renderer is loaded.
  process.env['NODE_ENV'] = 'production';
  const { root, outDir, settings } = request;
  requirePages(request);
  const staging = openStaging(outDir);
  let index = Promise.resolve();
  try {
    const { graph, renderer, client } = await buildComponents(request, staging);
    const lastUpdated = readLastUpdated(root, relative(root, request.pages));
    const { bootScript } = client.assets;
    const cards = siteCards(graph, settings);
    const sections = searchSectionsOf(graph);
    const searchFolder = indexFolder(sections);
    index = writeIndex({ sections, folder: join(staging, searchFolder) });
    const figures = renderer.figureTexts;
    const outputs = makeSiteOutputs({ graph, settings, lastUpdated, bootScript, figures, searchFolder });
    const problems = checkSite(
      request,
      graph,
      { ...rendererNames(renderer), islands: Object.keys(islands) },
      outputs.files,
    );
    const mayWrite = (): boolean => problems.length === 0 || request.draft;
    if (mayWrite()) {
      const assets = { ...client.assets, ...outputs.assets };
      const input = { graph, settings, lastUpdated, assets, socialImage: cards.addressOf };
      problems.push(...(await prerenderSite(renderer, staging, input)));
    }
    await index;
    const beganCards = performance.now();
    const drawn = mayWrite() ? await drawCards({ root, outDir: staging, cards: cards.all }) : 0;
    const milliseconds = performance.now() - beganCards;
    if (mayWrite()) {
      writeFiles(staging, outputs.files);
      const routes = [...graph.pages.keys(), SEARCH_ROUTE].filter((route) => !ERROR_ROUTES.has(route));
      writeFiles(staging, [await offlineFile(root, staging, routes)]);
      replaceFolder(outDir, staging);
    }
    const { packages } = client;
    return { routes: graph.pages.size, problems, written: mayWrite(), packages, cards: { drawn, milliseconds } };
  } finally {
    // What fails before the index is there waits for it all the same: it is written into this folder.
    await index.catch(() => undefined);
    rmSync(staging, { recursive: true, force: true });
  }
}

interface Parts {
  readonly graph: ContentGraph;
  readonly renderer: PageRenderer;
  readonly client: BuiltClient;
}

/** Compiles the content while Vite builds for browsers and builds the renderer. */
async function buildComponents({ root, pages }: BuildRequest, staging: string): Promise<Parts> {
  const content = { root, pages };
  // Inside the repository, where the renderer finds React.
  const rendererDir = openTemporary(join(root, '.cache', 'site-renderer-'));
  try {
    const parts = [
      compilePages(content, createPageCompiler(await createCodeHighlighter(), generators)),
      buildRenderer(root, rendererDir),
      buildClient(root, staging),
    ] as const;
    // When one fails, the others still write: the folders are removed after all of them.
    await Promise.allSettled(parts);
    const [compiled, renderer, client] = await Promise.all(parts);
    return { graph: joinContent(content, compiled), renderer, client };
  } finally {
    rmSync(rendererDir, { recursive: true, force: true });
  }
}

/** What the renderer's registries hold. */
export function rendererNames({ componentNames, figureTexts }: PageRenderer): Omit<KnownNames, 'islands'> {
  return { components: componentNames, figures: Object.keys(figureTexts) };
}
