/**
 * What search is given of the content: all sections of all pages, the pages about errors apart, in reading order,
 * which also orders the parts of the site to filter by; pages that no menu shows come last. A build makes the index in
 * a thread (index-thread.ts) while it renders documents, which name it: its address is known before it is made.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { indexFiles } from '../search/index-files.ts';
import type { ContentGraph } from './content-graph.ts';
import { ERROR_ROUTES } from './error-routes.ts';
import type { Section } from './page.ts';

/** Everything that decides what an index of given sections holds. */
const INDEX_CODE = '{*.ts,*.json}';

export interface IndexRequest {
  readonly sections: readonly Section[];
  /** Absolute; made if it is not there. */
  readonly folder: string;
}

export function searchSectionsOf({ pages, tree }: ContentGraph): Section[] {
  const order = tree.readings.flat();
  const places = new Map(order.map(({ route }, place) => [route, place]));
  const placeOf = (route: string): number => places.get(route) ?? order.length;
  return [...pages.values()]
    .map(({ page }) => page)
    .filter(({ route }) => !ERROR_ROUTES.has(route))
    .sort((a, b) => placeOf(a.route) - placeOf(b.route))
    .flatMap(({ sections }) => sections);
}

/** The folder of an index below the site's: another where its sections differ or the code that makes it. */
export function indexFolder(sections: readonly Section[]): string {
  const hash = createHash('sha256').update(JSON.stringify(sections));
  const code = join(import.meta.dirname, '..', 'search');
  for (const file of globSync(INDEX_CODE, { cwd: code }).toSorted()) hash.update(readFileSync(join(code, file)));
  return `assets/search/${hash.digest('hex').slice(0, 8)}`;
}

/** Writes the index in a thread of its own. */
export async function writeIndex(request: IndexRequest): Promise<void> {
  const thread = new Worker(new URL('index-thread.ts', import.meta.url), { workerData: request });
  const [code] = (await once(thread, 'exit')) as [number];
  if (code !== 0) throw new Error(`the thread that makes the search index ended with ${code}`);
}

const made = new WeakMap<ContentGraph, ReadonlyMap<string, string>>();

/** The files of the search index by name. */
export function searchFilesOf(graph: ContentGraph): ReadonlyMap<string, string> {
  const files = made.get(graph) ?? indexFiles(searchSectionsOf(graph));
  made.set(graph, files);
  return files;
}
