/**
 * The two Vite builds of the site: one for the engine, which renders pages, and one for browsers.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InlineConfig, Rolldown } from 'vite';
import type { PageAssets } from '../layout/frame-props.ts';
import { noteBundledPackages } from './bundled-packages.ts';
import { keepClusterSmall } from './small-cluster.ts';
import type * as ServerEntry from './server-entry.tsx';
import { STYLES } from './site-plugin.ts';

export type PageRenderer = typeof ServerEntry;

export type ClientAssets = Pick<PageAssets, 'styles' | 'scripts' | 'fonts' | 'bootScript'>;

const PAGE_SCRIPT = 'site/page/main.ts';
const BOOT_SCRIPT = 'site/page/boot.ts';

/** What both builds and the authoring server share. `root` is the repository. */
export function viteConfig(root: string): InlineConfig {
  return {
    root,
    configFile: join(root, 'vite.config.ts'),
    // The runtime reads TypeScript by itself.
    configLoader: 'native',
    logLevel: 'warn',
  };
}

/** Loaded when the threads that compile pages have begun: it takes a while to load. */
const loadVite = () => import('vite');

/** Builds the renderer into `outDir` and loads it. */
export async function buildRenderer(root: string, outDir: string): Promise<PageRenderer> {
  const { build } = await loadVite();
  await build({
    ...viteConfig(root),
    publicDir: false,
    build: {
      ssr: 'site/engine/server-entry.tsx',
      outDir,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        output: { entryFileNames: 'renderer.js', codeSplitting: false },
      },
    },
  });
  const built: PageRenderer = await import(pathToFileURL(join(outDir, 'renderer.js')).href);
  return built;
}

export interface BuiltClient {
  readonly assets: ClientAssets;
  /** Folders below node_modules of the packages that it has code of, sorted. */
  readonly packages: readonly string[];
}

/** Builds scripts, styles, fonts and islands into `outDir`, all with hashed names below assets/. */
export async function buildClient(root: string, outDir: string): Promise<BuiltClient> {
  const packages = new Set<string>();
  const { build } = await loadVite();
  const result = await build({
    ...viteConfig(root),
    plugins: [noteBundledPackages(packages)],
    worker: { plugins: () => [noteBundledPackages(packages), keepClusterSmall()] },
    build: {
      outDir,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      // Browsers of 2024 and later: they know light-dark(), nesting and popovers.
      target: ['chrome123', 'firefox125', 'safari17.5'],
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: { page: join(root, PAGE_SCRIPT), styles: STYLES },
        // Packages say `use client` for servers that render React; there is none.
        onLog: (level, log, report) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
        },
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: 'assets/[name]-[hash].js',
          assetFileNames: 'assets/[name]-[hash][extname]',
        },
      },
    },
  });
  if (Array.isArray(result) || !('output' in result)) throw new Error('Vite gave several outputs for one build');
  const assets = { ...namesOf(result.output), bootScript: await buildBootScript(root) };
  return { assets, packages: [...packages].toSorted() };
}

function namesOf(output: Rolldown.RolldownOutput['output']): Omit<ClientAssets, 'bootScript'> {
  const chunks = output.filter((item) => item.type === 'chunk');
  const isEntry = (name: string) => (chunk: Rolldown.OutputChunk) => chunk.isEntry && chunk.name === name;
  const page = chunks.find(isEntry('page'));
  const styles = output.filter((item) => item.type === 'asset' && item.names.includes('styles.css'));
  if (page === undefined || styles.length === 0)
    throw new Error('the build for browsers lacks the page script or the styles');
  const fonts = output.filter((item) => item.fileName.endsWith('.woff2')).map((item) => `/${item.fileName}`);
  return {
    scripts: [`/${page.fileName}`],
    styles: styles.map((item) => `/${item.fileName}`),
    fonts,
  };
}

/** The script that stands in the head of every page: one classic script without imports. */
export function buildBootScript(root: string): Promise<string> {
  return bundleScript(root, BOOT_SCRIPT);
}

/** A classic script without imports, minified; `entry` is its path in the repository. */
export async function bundleScript(root: string, entry: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(root, entry)],
    format: 'iife',
    minify: true,
    target: 'browser',
  });
  const text = await built.outputs[0]?.text();
  if (text === undefined) throw new Error(`${entry} could not be built`);
  return text.trim();
}
