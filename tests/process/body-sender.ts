/**
 * Sends large requests to a port in rounds, as a process of its own so that its work is not mistaken for that of
 * the server: `body-sender.ts PORT FILE=COUNT …`. Each line it reads is a round: every file as often as its count,
 * all at once, each on a connection of its own. It answers with a line of JSON: statuses with how often they came.
 */
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';

/** Longest wait for one answer, milliseconds. */
const ANSWER_MS_MAX = 60_000;

const [port, ...words] = process.argv.slice(2);
const requests = words.flatMap((word) => {
  const [path = '', count = '1'] = word.split('=');
  return Array<Buffer>(Number(count)).fill(readFileSync(path));
});

/** Resolves with the status of the answer, 'none' where none came. */
function send(request: Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = createConnection({ host: '127.0.0.1', port: Number(port) }, () => socket.write(request));
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy());
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    if (received.includes('\r\n\r\n')) socket.destroy();
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => resolve(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 'none'));
  return promise;
}

for await (const _ of console) {
  const counts: Record<string, number> = {};
  for (const status of await Promise.all(requests.map(send))) counts[status] = (counts[status] ?? 0) + 1;
  console.log(JSON.stringify(counts));
}
