/** What a peer that means harm, or is another program altogether, may send to the raft port. */
import { connect, type Socket } from 'node:net';
import type { Seeded } from '../cluster/seeded.ts';

const RANDOM_BYTES_MAX = 64 * 1024;
const CLOSE_TIMEOUT_MS = 10_000;

/** Requests that announce far more than they bring, or are no requests at all. */
export const HOSTILE_REQUESTS: readonly { readonly name: string; readonly bytes: Buffer }[] = [
  { name: 'an HTTP request', bytes: Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n') },
  { name: 'an unknown rpc type', bytes: Buffer.from('ff80', 'hex') },
  { name: 'an append with a string of 4 GiB', bytes: Buffer.from('0081a441646472dbffffffff', 'hex') },
  { name: 'an append with an array of 2^32 entries', bytes: Buffer.from('0081a7456e7472696573ddffffffff', 'hex') },
  { name: 'a vote with a map of 2^32 keys', bytes: Buffer.from('01dfffffffff', 'hex') },
  { name: 'deep nesting', bytes: Buffer.concat([Buffer.from('0081a178', 'hex'), Buffer.alloc(50_000, 0x91)]) },
  { name: 'a snapshot of 2^60 bytes', bytes: Buffer.from('0281a453697a65d31000000000000000', 'hex') },
];

/** Random bytes behind a valid rpc type, so that some get past the first check. */
export function randomGarbage(random: Seeded): Buffer {
  const bytes = Buffer.alloc(random.between(1, RANDOM_BYTES_MAX));
  for (let at = 0; at < bytes.byteLength; at += 1) bytes[at] = random.between(0, 256);
  bytes[0] = random.between(0, 6);
  return bytes;
}

/** Connects, sends, and resolves when the other side has closed, or after 10 s (then false). */
export async function sendAndWaitForClose(port: number, bytes: Buffer): Promise<boolean> {
  const socket = await dial(port);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      socket.destroy();
      resolve(false);
    }, CLOSE_TIMEOUT_MS);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
    socket.resume();
    socket.write(bytes);
  });
}

/** An open connection to 127.0.0.1:`port` whose errors only close it. */
export function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.off('error', reject);
      socket.on('error', () => socket.destroy());
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
