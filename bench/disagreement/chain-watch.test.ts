import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../tests/cluster/wait.ts';
import { ChainWatch, type WatchedClient } from './chain-watch.ts';

const SEEN_MS_MAX = 5000;

/** A client with the given hashes, by height; the last is its head. */
class Client implements WatchedClient {
  readonly hashes: string[];
  readonly #server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { params } = (await request.json()) as { params: [string] };
      const number = params[0] === 'latest' ? this.hashes.length - 1 : Number(params[0]);
      const hash = this.hashes[number];
      const result = hash === undefined ? null : { number: `0x${number.toString(16)}`, hash };
      return Response.json({ jsonrpc: '2.0', id: 1, result });
    },
  });

  constructor(hashes: readonly string[]) {
    this.hashes = [...hashes];
    onTestFinished(() => this.#server.stop(true));
  }

  get executionUrl(): string {
    return this.#server.url.href;
  }
}

/** Watches until the highest head is seen. */
async function watching(clients: readonly Client[]): Promise<ChainWatch> {
  const watch = new ChainWatch(clients);
  onTestFinished(() => watch.stop());
  for (const client of clients) {
    await waitFor('its head', SEEN_MS_MAX, () => (watch.headOf(client) === client.hashes.length - 1 ? true : null));
  }
  return watch;
}

test('clients of one chain have one hash at each height, however far they are', async () => {
  const watch = await watching([new Client(['a', 'b', 'c']), new Client(['a', 'b'])]);
  expect(watch.head).toBe(2);
  expect(await watch.doubled()).toEqual([]);
});

test('two clients that differ at a height are told, also below their heads', async () => {
  const [first, second] = [new Client(['a', 'b']), new Client(['a', 'b'])];
  const watch = await watching([first, second]);
  first.hashes.push('c', 'd');
  second.hashes.push('x', 'd');
  await waitFor('both heads', SEEN_MS_MAX, () =>
    watch.headOf(first) === 3 && watch.headOf(second) === 3 ? true : null,
  );
  expect(await watch.doubled()).toEqual(['block 2 was seen as c and x']);
});

test('a block that a client gave up is told, though none has it any more', async () => {
  const client = new Client(['a', 'b']);
  const watch = await watching([client]);
  client.hashes[1] = 'x';
  await waitFor('the other', SEEN_MS_MAX, async () => ((await watch.doubled()).length > 0 ? true : null));
  expect(await watch.doubled()).toEqual(['block 1 was seen as b and x']);
});

test('heights that come late count from the one before, and a chain that stands until now', async () => {
  const client = new Client(['a']);
  const watch = await watching([client]);
  const sinceMs = performance.now();
  expect(watch.firstAfter(sinceMs)).toBeNull();
  await waitFor('a standstill', SEEN_MS_MAX, () => (watch.longestGapMs(sinceMs) >= 100 ? true : null));
  client.hashes.push('b');
  await waitFor('the next', SEEN_MS_MAX, () => watch.firstAfter(sinceMs));
  expect(watch.countSince(sinceMs)).toBe(1);
  expect(watch.longestGapMs(sinceMs)).toBeGreaterThanOrEqual(100);
});
