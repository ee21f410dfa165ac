/** A thread of search-sections.ts: writes the search index of the sections it was started with, and ends. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { indexFiles } from '../search/index-files.ts';
import type { IndexRequest } from './search-sections.ts';

const { sections, folder } = workerData as IndexRequest;
mkdirSync(folder, { recursive: true });
for (const [name, text] of indexFiles(sections)) writeFileSync(join(folder, name), text);
