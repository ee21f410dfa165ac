/** Batches that nobody waits for, or that others wait behind, end before their last call. Real sockets. */
import { expect, test } from 'vitest';
import type { Outcome } from '#conductor/core/rpc/message';
import { EchoServer, call } from './testing/echo-server.ts';
import { post } from './testing/raw-client.ts';

const mebibyte = 1024 * 1024;

/** Calls that are answered when the test says so. */
class SlowCalls {
  #waiting: (() => void) | null = null;
  #came: (() => void) | null = null;
  made = 0;

  readonly invoke = async (): Promise<Outcome> => {
    this.made += 1;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = resolve;
    this.#came?.();
    await promise;
    return { kind: 'result', json: 'true' };
  };

  /** Waits until a call waits. */
  async come(): Promise<void> {
    if (this.#waiting !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#came = resolve;
    await promise;
  }

  answer(): void {
    this.#waiting?.();
    this.#waiting = null;
  }
}

const batchOf = (calls: number, padding: number): string =>
  post(`[${Array(calls).fill(call('x')).join(',')}${' '.repeat(padding)}]`);

test('a batch ends when its client has gone', async () => {
  const slow = new SlowCalls();
  await using server = new EchoServer({ invoke: slow.invoke });
  const client = server.client().send(batchOf(10, 0));
  await slow.come();
  slow.answer();
  await slow.come();
  client.destroy();
  // The end of the connection is heard before what is sent afterwards on another one is answered.
  await server
    .client()
    .send('GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n')
    .until((text) => text.includes('v0'));
  slow.answer();
  await server
    .client()
    .send('GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n')
    .until((text) => text.includes('v0'));
  expect(slow.made).toBe(2);
});

test('a batch that keeps the room for which others wait ends after a second', async () => {
  let skippedMs = 0;
  const slow = new SlowCalls();
  const now = (): number => performance.now() + skippedMs;
  await using server = new EchoServer({ bodyBytesMax: 4 * mebibyte, invoke: slow.invoke, now });
  const batch = server.client().send(batchOf(10, 3 * mebibyte));
  await slow.come();
  // Two that stop find room, three wait for it.
  const stopping = Array.from({ length: 5 }, () =>
    server.client().send(post('x'.repeat(4 * mebibyte)).slice(0, mebibyte)),
  );
  const refused = await Promise.race(stopping.map((client) => client.ended()));
  expect(refused).toMatch(/^HTTP\/1\.1 503 /);
  skippedMs += 1000;
  slow.answer();
  expect(await batch.until((text) => text.includes('not carried out'))).toContain('"result":true');
  expect(slow.made).toBe(1);
});
