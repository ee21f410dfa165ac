/** A request as it is written, for addresses and methods that no client library sends unchanged. */

export interface RawAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** What follows the headers, as it came. */
  readonly body: string;
}

const ANSWER_MS_MAX = 30_000;

/** `line` is method and target, e.g. `GET /%2e%2e/`. Throws when the connection ends without an answer. */
export async function rawRequest(site: string, line: string, headers: readonly string[] = []): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(site);
  const chunks: Uint8Array[] = [];
  const text = [`${line} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n');
  const timeout = AbortSignal.timeout(ANSWER_MS_MAX);
  await new Promise<void>((resolve, reject) => {
    timeout.addEventListener('abort', () => reject(new Error(`${line.slice(0, 80)} has no answer`)));
    void Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        // Short enough to be written at once.
        open: (socket) => void socket.write(text),
        data: (_socket, chunk) => void chunks.push(new Uint8Array(chunk)),
        close: () => resolve(),
        error: (_socket, error) => reject(error),
      },
    }).catch(reject);
  });
  return parseAnswer(Buffer.concat(chunks).toString('latin1'));
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [status = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(status)?.[1]),
    headers: new Map(headers),
    body: text.slice(end + 4),
  };
}
