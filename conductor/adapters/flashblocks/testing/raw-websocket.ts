/**
 * Websockets by bare sockets, for what no well-behaved library would do: a server that answers the
 * upgrade and then sends any bytes, and a client that never reads, or writes garbage.
 */
import { createHash } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A server that upgrades every connection and hands over its socket. */
export async function rawSource(onUpgraded: (socket: Socket) => void): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (head) => {
      const key = /sec-websocket-key: (.*)\r\n/i.exec(head.toString())?.[1] ?? '';
      const accept = createHash('sha1').update(`${key}${magic}`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      onUpgraded(socket);
    });
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    resolve(typeof address === 'object' && address !== null ? address.port : 0);
  });
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `ws://127.0.0.1:${await promise}`, close };
}

/** The request that upgrades a connection to /ws; `changes` replaces headers, '' removes one. */
export function upgradeRequest(changes: Readonly<Record<string, string>> = {}): string {
  const headers = {
    Host: '127.0.0.1',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...changes,
  };
  const lines = Object.entries(headers).map(([name, value]) => (value === '' ? '' : `${name}: ${value}\r\n`));
  return `GET /ws HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** What came back on a bare connection, and whether it was closed. */
export interface RawClient {
  readonly socket: Socket;
  received(): string;
  isClosed(): boolean;
}

/** Connects and writes; reads on unless `isDeaf`. */
export function rawClient(port: number, bytes: string | Uint8Array, isDeaf = false): RawClient {
  let received = '';
  let isClosed = false;
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  socket.on('connect', () => socket.write(bytes));
  if (isDeaf) socket.pause();
  else socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  return { socket, received: () => received, isClosed: () => isClosed };
}
