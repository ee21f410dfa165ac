/**
 * Builds the site: content graph and browser build side by side, checks, then documents and
 * everything made from the same graph. Nothing is replaced in the output folder when a check fails.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildClient, buildRenderer } from './bundle.ts';
import { readContentGraph } from './content-graph.ts';
import type { ContentGraph } from './content-graph.ts';
import { generators } from './generated/registry.ts';
import { readLastUpdated } from './last-updated.ts';
import { createPageCompiler } from './mdx/compile-page.ts';
import { createCodeHighlighter } from './mdx/highlight.ts';
import { prerenderSite } from './prerender.ts';
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
}

export type BuildResult =
  | { readonly kind: 'built'; readonly routes: number }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

export async function buildSite(request: BuildRequest): Promise<BuildResult> {
  // React chooses by it between its builds, when the renderer is loaded.
  process.env['NODE_ENV'] = 'production';
  const { root, outDir, settings } = request;
  const staging = `${outDir}.new`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  const bodies = new Map<string, string>();
  const source = { files: () => bodies.keys(), code: (file: string) => bodies.get(file) };
  const clientBuild = buildClient(root, staging, source);
  const compile = createPageCompiler(await createCodeHighlighter(), generators);
  const graph = await readContentGraph(request, compile);
  for (const { page, code } of graph.pages.values()) bodies.set(page.file, code);
  const rendererDir = `${outDir}.renderer`;
  const renderer = await buildRenderer(root, rendererDir, source);
  const client = await clientBuild;
  const problems = [...graph.problems];
  if (problems.length === 0) {
    const searchSections = writeSearchSections(staging, graph);
    problems.push(
      ...(await prerenderSite(renderer, staging, {
        graph,
        settings,
        assets: { ...client, speculationRules: '', searchSections, contentSecurityPolicy: '' },
        socialImage: () => '',
        lastUpdated: readLastUpdated(root, relative(root, request.pages)),
      })),
    );
  }
  rmSync(rendererDir, { recursive: true, force: true });
  if (problems.length > 0) {
    rmSync(staging, { recursive: true, force: true });
    return { kind: 'refused', problems };
  }
  rmSync(outDir, { recursive: true, force: true });
  renameSync(staging, outDir);
  return { kind: 'built', routes: graph.pages.size };
}

/** Returns the address. */
function writeSearchSections(outDir: string, graph: ContentGraph): string {
  const text = JSON.stringify(searchSectionsOf(graph));
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const address = `/assets/search/sections-${hash}.json`;
  mkdirSync(join(outDir, 'assets/search'), { recursive: true });
  writeFileSync(join(outDir, address), text);
  return address;
}
