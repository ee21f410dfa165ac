/** A conductor that may open few files and sockets, and more clients of its flashblocks than that. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freePorts } from '../../cluster/free-ports.ts';
import { waitFor } from '../../cluster/wait.ts';
import { LoneConductor } from '../lone-conductor.ts';

const DESCRIPTORS = 128;
const WAIT_MS_MAX = 30_000;

function newSource(): string {
  const source = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response()),
    websocket: { message: () => undefined },
  });
  onTestFinished(() => source.stop(true));
  return `ws://127.0.0.1:${source.port}`;
}

it('leaves its clients a share, so that it goes on asking its node and answering', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'few-descriptors-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await using conductor = new LoneConductor(folder, 'a');
  const [port] = freePorts(1);
  conductor.start(
    [`--rollupboost.ws-url=${newSource()}`, '--websocket.server-addr=127.0.0.1', `--websocket.server-port=${port}`],
    ['sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh'],
  );
  await conductor.wrote(/OpConductor started/);
  const clients = Array.from({ length: DESCRIPTORS }, () => new WebSocket(`ws://127.0.0.1:${port}/ws`));
  onTestFinished(() => {
    for (const client of clients) client.terminate();
  });
  const inState = (state: number): number => clients.filter(({ readyState }) => readyState === state).length;
  await waitFor('an answer to each client', WAIT_MS_MAX, () => (inState(WebSocket.CONNECTING) === 0 ? true : null));
  expect(inState(WebSocket.OPEN)).toBe(DESCRIPTORS / 4);
  await conductor.answers('conductor_sequencerHealthy', true);
});
