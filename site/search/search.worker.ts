/**
 * Search off the page's thread: fetches the sections once, builds the index, answers questions in the order
 * they come. A question that comes before the index is there waits for it; only the last of those is kept.
 */
import { find } from './find.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { readSections } from './read-sections.ts';
import { SectionsIndex } from './sections-index.ts';

let index: SectionsIndex | null = null;
let waiting: Extract<ToWorker, { kind: 'find' }> | null = null;

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'load') void load(data.url);
  else if (index === null) waiting = data;
  else answer(index, data);
});

async function load(url: string): Promise<void> {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    index = SectionsIndex.build(readSections(await response.text()));
  } catch (error) {
    say({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    return;
  }
  say({ kind: 'ready' });
  if (waiting !== null) answer(index, waiting);
  waiting = null;
}

function answer(built: SectionsIndex, { id, request }: Extract<ToWorker, { kind: 'find' }>): void {
  say({ kind: 'answer', id, answer: find(built, request) });
}

function say(message: FromWorker): void {
  self.postMessage(message);
}
