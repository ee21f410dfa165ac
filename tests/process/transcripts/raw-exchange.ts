/**
 * One HTTP exchange on a socket of its own, sent byte for byte as it was recorded: fetch would normalise
 * paths, refuse methods and add headers.
 */
import { createConnection } from 'node:net';
import { unchunked } from '#conductor/adapters/http/testing/unchunked';
import { bytesOf, type RecordedCase } from './transcript-file.ts';

const exchangeMsMax = 20_000;

export interface Exchange {
  /** null: the connection was refused or closed without an answer. */
  readonly status: number | null;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends the request of a case to a port, with `translate` applied to texts. */
export async function exchange(
  port: number,
  { name, request }: Pick<RecordedCase, 'name' | 'request'>,
  translate: (text: string) => string,
): Promise<Exchange> {
  const raw = bytesOf(request);
  const body = typeof request.body === 'string' ? Buffer.from(translate(request.body)) : raw;
  const given = new Map(Object.entries(request.headers));
  const names = new Set([...given.keys()].map((key) => key.toLowerCase()));
  const lines = [...given].map(([key, value]) => `${key}: ${value}`);
  if (!names.has('host')) lines.unshift(`Host: 127.0.0.1:${port}`);
  const isUnsized =
    names.has('content-length') || names.has('transfer-encoding') || /without content-length/.test(name);
  if (!isUnsized) lines.push(`Content-Length: ${body.length}`);
  if (!names.has('connection')) lines.push('Connection: close');
  const version = name.includes('HTTP/1.0') ? '1.0' : '1.1';
  const head = `${request.method} ${request.path} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`;
  const received = await talk(port, Buffer.concat([Buffer.from(head), body]));
  return received === null
    ? { status: null, headers: new Map(), body: '' }
    : parse(received, request.method === 'HEAD');
}

async function talk(port: number, bytes: Buffer): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  let received = Buffer.alloc(0);
  const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write(bytes));
  const finish = (): void => {
    socket.destroy();
    resolve(received.length === 0 ? null : received);
  };
  socket.setTimeout(exchangeMsMax, finish);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (isWhole(received)) finish();
  });
  socket.on('error', finish);
  socket.on('close', finish);
  return promise;
}

/** By its length; the answer to HEAD and unsized ones end with the connection. */
function isWhole(received: Buffer): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = received.toString('latin1', 0, end);
  if (head.startsWith('HTTP/1.1 100 ')) return isWhole(received.subarray(end + 4));
  if (head.startsWith('HTTP/1.1 204 ')) return true;
  const length = /^content-length: *(\d+)$/im.exec(head);
  return length !== null && received.length >= end + 4 + Number(length[1]);
}

function parse(received: Buffer, isHead: boolean): Exchange {
  const end = received.indexOf('\r\n\r\n');
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  if (first.startsWith('HTTP/1.1 100 ')) return parse(received.subarray(end + 4), isHead);
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const rest = received.subarray(end + 4);
  const isChunked = headers.get('transfer-encoding') === 'chunked';
  const body = isHead ? '' : isChunked ? unchunked(rest) : rest.toString();
  return { status: Number(first.slice(9, 12)), headers, body };
}
