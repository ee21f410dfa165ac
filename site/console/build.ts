/**
 * Makes the one file that holds the console's page and the runbook, and prints its path: `bun site/console/build.ts`.
 * The build of the binary embeds it; a checkout makes it when the console starts. Made anew only where a source differs.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { readRunbook } from './runbook-text.ts';

const root = join(import.meta.dirname, '..', '..');
const runbooks = join(root, 'content/pages/conductor/runbooks');
/** Files that the page is made of. */
const sources = [
  'site/console',
  'site/styles',
  'site/layout/Mark.tsx',
  'site/page',
  'conductor/console/protocol.ts',
  'content/pages/conductor/runbooks',
  'bun.lock',
];

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

/** Path of the file; made where it is not there yet. */
export async function buildConsole(): Promise<string> {
  const folder = join(root, '.cache', 'console', digestOfSources());
  const path = join(folder, 'console.pack');
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify({ files: await pageFiles(), runbook: readRunbook(runbooks) }));
  renameSync(fresh, path);
  return path;
}

async function pageFiles(): Promise<Record<string, { type: string; gzip: string; isHashed: boolean }>> {
  // Whoever asks for the build, as a test does, may have another one: React would come with all its warnings.
  process.env['NODE_ENV'] = 'production';
  const result = await build({
    root: join(root, 'site', 'console'),
    configFile: false,
    base: './',
    publicDir: false,
    logLevel: 'error',
    plugins: [react()],
    oxc: { jsx: { development: false } },
    build: {
      write: false,
      assetsInlineLimit: 0,
      target: ['chrome123', 'firefox125', 'safari17.5'],
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        // Packages say `use client` for servers that render React; there is none.
        onLog: (level, log, report) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
        },
      },
    },
  });
  if (Array.isArray(result) || !('output' in result)) throw new Error('Vite gave several outputs for one build');
  const files = result.output.map((item) => {
    const content = item.type === 'chunk' ? item.code : item.source;
    const type = types[extname(item.fileName)];
    if (type === undefined) throw new Error(`no type is known for ${item.fileName}`);
    // The header of gzip names the system it was made on: the same bytes everywhere.
    const gzip = gzipSync(content, { level: 9 });
    gzip[9] = 255;
    const isHashed = item.fileName.startsWith('assets/');
    return [item.fileName, { type, gzip: gzip.toString('base64'), isHashed }] as const;
  });
  return Object.fromEntries(files.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesOf).toSorted())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

function filesOf(place: string): string[] {
  const path = join(root, place);
  if (extname(place) !== '') return [place];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile() && !item.name.includes('.test.'))
    .map((item) => relative(root, join(item.parentPath, item.name)));
}

if (import.meta.main) console.log(await buildConsole());
