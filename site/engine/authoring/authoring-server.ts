/**
 * `npm run docs`: serves the site from its sources on loopback. Vite's dev server brings scripts, styles
 * and islands; documents are rendered when they are asked for, from content that is compiled anew per
 * edit. What the build would refuse is shown in the page.
 */
import { createServer as createHttpServer, type Server } from 'node:http';
import { join, relative } from 'node:path';
import { createServer as createViteServer } from 'vite';
import { viteConfig } from '../bundle.ts';
import { requirePages } from '../content-graph.ts';
import type * as GeneratorRegistry from '../generated/registry.ts';
import { AuthoringSite, PAGE_SCRIPT, type AuthoringRequest } from './authoring-site.ts';
import { openLiveContent } from './live-content.ts';
import { requestPath } from './request-path.ts';

export interface AuthoringServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Folders of the repository that no page is made from. */
const UNWATCHED = /^(?:dist|bench|tests|\.\w+)(?:\/|$)/;
const GENERATORS = '/site/engine/generated/registry.ts';
const HOST = '127.0.0.1';

/** `port` 0 takes any that is free. */
export async function startAuthoringServer(
  request: AuthoringRequest & { readonly port: number },
): Promise<AuthoringServer> {
  const { root } = request;
  requirePages(request);
  const http = createHttpServer();
  // Browsers get React's build for development, which alone can exchange a component and keep its state.
  process.env['NODE_ENV'] = 'development';
  const vite = await createViteServer({
    ...viteConfig(root),
    appType: 'custom',
    cacheDir: join(root, '.cache', 'vite'),
    server: {
      middlewareMode: { server: http },
      ws: { server: http },
      watch: { ignored: (path) => UNWATCHED.test(relative(root, path)) && !path.startsWith(request.pages) },
    },
    optimizeDeps: {
      entries: [PAGE_SCRIPT.slice(1)],
      rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': '"development"' } } },
    },
  });
  // React is not loaded here yet, and chooses by it: that for development takes several times as long to render a document.
  process.env['NODE_ENV'] = 'production';
  // From Vite's module graph, so that an edit of a table is seen.
  const loadGenerators = async () => ((await vite.ssrLoadModule(GENERATORS)) as typeof GeneratorRegistry).generators;
  const content = await openLiveContent(request, loadGenerators);
  const site = new AuthoringSite(request, vite, content);
  http.on('request', (incoming, response) => {
    const path = requestPath(incoming.url ?? '/');
    if (path !== null) return vite.middlewares(incoming, response, () => void site.answer(path, response));
    response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end('This address cannot be read.\n');
  });
  const port = await listen(http, request.port);
  return {
    url: `http://${HOST}:${port}/`,
    async close() {
      await vite.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function listen(http: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, HOST, resolve);
  });
  const address = http.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
