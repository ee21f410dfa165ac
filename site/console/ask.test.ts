import { afterEach, expect, test, vi } from 'vitest';
import { ask } from './ask.ts';

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

function serve(fetch: (request: Request) => Response): string {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch });
  servers.push(server);
  return server.url.href;
}

test('an answer is told; a refusal and a server that is gone are nothing', async () => {
  const { signal } = new AbortController();
  expect(
    await ask(
      serve(() => Response.json({ height: 7 })),
      signal,
    ),
  ).toEqual({ height: 7 });
  expect(
    await ask(
      serve(() => Response.json({}, { status: 503 })),
      signal,
    ),
  ).toBeNull();
  const address = serve(() => new Response());
  await servers.pop()?.stop(true);
  expect(await ask(address, signal)).toBeNull();
});

test('a question that is given up while its answer arrives is nothing, and no error', async () => {
  const asking = new AbortController();
  const endless = new ReadableStream({ pull: (stream) => stream.enqueue('{"height":') }, { highWaterMark: 1 });
  const address = serve(() => new Response(endless));
  const plainFetch = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((async (...how: Parameters<typeof fetch>) => {
    const response = await plainFetch(...how);
    asking.abort();
    return response;
  }) as typeof fetch);
  expect(await ask(address, asking.signal)).toBeNull();
});
