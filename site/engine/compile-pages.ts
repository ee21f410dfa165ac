/**
 * Compiles all pages on all cores: parsing is most of a build's work and needs nothing but the page. Threads
 * and this one take from one queue, the largest pages first, so that none is left with a long last one.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ThreadMessage } from './compile-thread.ts';
import { compilePageFile, pageFiles, type ContentFolder } from './content-graph.ts';
import type { CompiledPage, PageCompiler } from './mdx/compile-page.ts';

/** A thread takes about as long to start as this much text takes to compile. */
const BYTES_PER_THREAD_MIN = 200_000;
const THREADS_MAX = 3;
/** One line of a page may ask for a table of hundreds of rows: it counts as this many bytes. */
const BYTES_PER_GENERATED = 10_000;

type Work = (compileNext: PageTask) => Promise<void>;
type PageTask = (path: string) => Promise<CompiledPage>;

/** In the order of the files. `compile` is for this thread; others make their own. */
export async function compilePages(folder: ContentFolder, compile: PageCompiler): Promise<CompiledPage[]> {
  const files = pageFiles(folder);
  const sizes = new Map(files.map((path) => [path, expectedSize(readFileSync(path, 'utf8'))]));
  const sizeOf = (path: string): number => sizes.get(path) ?? 0;
  const queue = files.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const bytes = files.reduce((sum, path) => sum + sizeOf(path), 0);
  const threads = Math.min(availableParallelism() - 1, THREADS_MAX, Math.floor(bytes / BYTES_PER_THREAD_MIN));
  const compiled = new Map<string, CompiledPage>();
  const work: Work = async (compileNext) => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift())
      compiled.set(path, await compileNext(path));
  };
  const here = work(async (path) => {
    // Lets messages of the threads in between two pages.
    await new Promise((resolve) => setImmediate(resolve));
    return compilePageFile(folder, path, compile);
  });
  await Promise.all([here, ...Array.from({ length: threads }, () => workInThread(folder, work))]);
  return files.flatMap((path) => compiled.get(path) ?? []);
}

function expectedSize(text: string): number {
  return text.length + BYTES_PER_GENERATED * (text.split('<Generated ').length - 1);
}

async function workInThread(folder: ContentFolder, work: Work): Promise<void> {
  const thread = new Worker(new URL('compile-thread.ts', import.meta.url), { workerData: folder });
  try {
    await nextMessage(thread);
    await work(async (path) => {
      const answer = nextMessage(thread);
      thread.postMessage(path);
      const message = await answer;
      if (message.kind !== 'compiled')
        throw new Error(message.kind === 'failed' ? message.reason : `no answer for ${path}`);
      return message.page;
    });
  } finally {
    await thread.terminate();
  }
}

async function nextMessage(thread: Worker): Promise<ThreadMessage> {
  const listening = new AbortController();
  const { signal } = listening;
  const ended = once(thread, 'exit', { signal }).then(() => {
    throw new Error('a thread that compiles pages has ended');
  });
  try {
    const [message] = await Promise.race([once(thread, 'message', { signal }), ended]);
    return message as ThreadMessage;
  } finally {
    // The loser of the race rejects when it is called off.
    ended.catch(() => undefined);
    listening.abort();
  }
}
