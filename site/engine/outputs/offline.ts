/**
 * `offline.js`, the service worker of readers who keep the site: the list of everything that pages and search need,
 * and the script of site/offline. Made last, from the files of the built site, so that its version is that of all of them.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptFiles } from '../../offline/kept-files.ts';
import { bundleScript } from '../bundle.ts';
import type { OutputFile } from './output-file.ts';

const WORKER = 'site/offline/worker.ts';
/** Beside the documents; what is for other readers (Markdown, feeds, cards) is not kept. */
const FILES = ['assets/**/*', 'pictures/**/*', 'icon.svg'];

/** `site` is the folder of the built site, `routes` are its pages that can be opened. */
export async function offlineFile(root: string, site: string, routes: readonly string[]): Promise<OutputFile> {
  const kept = `self.keptFiles=${JSON.stringify(keptFiles(site, routes))};`;
  return { path: 'offline.js', text: `${kept}\n${await bundleScript(root, WORKER)}\n` };
}

function keptFiles(site: string, routes: readonly string[]): KeptFiles {
  const documents = routes.map((route) => [route, join(route.slice(1), 'index.html')] as const);
  const files = globSync(FILES, { cwd: site, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(site.length + 1));
  const all = [...documents, ...files.map((file) => [`/${file.replaceAll('\\', '/')}`, file] as const)];
  const hash = createHash('sha256');
  const sorted = all.toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, file] of sorted)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(site, file)));
  return { version: hash.digest('hex').slice(0, 16), paths: sorted.map(([path]) => path) };
}
