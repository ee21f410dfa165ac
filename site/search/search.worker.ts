/**
 * Search off the page's thread: fetches the head of the index when it is opened and other files of it as questions need
 * them, and answers questions in the order they come, from names first where the texts are not there yet. A question
 * that comes before the head is there waits for it; only the last of those is kept.
 */
import { findNames } from './find-names.ts';
import { find } from './find.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { typedTokens } from './query.ts';
import { SearchIndex, type SearchSource } from './search-index.ts';

type Question = Extract<ToWorker, { kind: 'find' }>;

let index: SearchIndex | null = null;
let waiting: Question | null = null;

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'load') void load(data.url);
  else if (index === null) waiting = data;
  else void answer(index, data);
});

async function load(url: string): Promise<void> {
  try {
    index = await SearchIndex.open(sourceAt(url));
  } catch (error) {
    fail(error);
    return;
  }
  say({ kind: 'ready' });
  if (waiting !== null) void answer(index, waiting);
  waiting = null;
}

async function answer(opened: SearchIndex, { id, request }: Question): Promise<void> {
  try {
    if (!opened.hasTokens(typedTokens(request.query))) {
      const names = findNames(opened, request);
      if (names.results.length > 0) say({ kind: 'answer', id, answer: names });
    }
    say({ kind: 'answer', id, answer: await find(opened, request) });
  } catch (error) {
    fail(error);
  }
}

/** The files beside that of an address. */
function sourceAt(url: string): SearchSource {
  return async (name) => {
    const response = await fetch(new URL(name, new URL(url, self.location.href)));
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    return response.text();
  };
}

function fail(error: unknown): void {
  say({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
}

function say(message: FromWorker): void {
  self.postMessage(message);
}
