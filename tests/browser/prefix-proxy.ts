/** A reverse proxy that puts a path before everything of a server, as those do behind which a console stands. */
import { onTestFinished } from 'vitest';

export interface PrefixProxy {
  /** With the path, '/' at the end. */
  readonly url: URL;
  /** To be said once the server is there. */
  targetPort: number;
}

/** Until the test has ended. `prefix` begins and ends with '/'; what is not below it is not found. */
export function prefixProxy(prefix: string): PrefixProxy {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith(prefix)) return new Response('there is something else here\n', { status: 404 });
      const body = request.method === 'GET' ? null : await request.arrayBuffer();
      return fetch(`http://127.0.0.1:${proxy.targetPort}/${pathname.slice(prefix.length)}${search}`, {
        method: request.method,
        headers: request.headers,
        body,
        redirect: 'manual',
        decompress: false,
        signal: request.signal,
      });
    },
  });
  onTestFinished(() => server.stop(true));
  const proxy: PrefixProxy = { url: new URL(`http://127.0.0.1:${server.port}${prefix}`), targetPort: 0 };
  return proxy;
}
