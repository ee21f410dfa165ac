/** A thread of compile-pages.ts: is sent paths of pages, one at a time, and sends back what became of them. */
import { parentPort, workerData } from 'node:worker_threads';
import { compilePageFile, type ContentFolder } from './content-graph.ts';
import { generators } from './generated/registry.ts';
import { createPageCompiler, type CompiledPage } from './mdx/compile-page.ts';
import { createCodeHighlighter } from './mdx/highlight.ts';

export type ThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'compiled'; readonly page: CompiledPage }
  | { readonly kind: 'failed'; readonly reason: string };

const folder = workerData as ContentFolder;
const compile = createPageCompiler(await createCodeHighlighter(), generators);

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (path: string) => {
  compilePageFile(folder, path, compile).then(
    (page) => send({ kind: 'compiled', page }),
    (error: unknown) => send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  );
});
send({ kind: 'ready' });
