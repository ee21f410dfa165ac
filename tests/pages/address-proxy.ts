/**
 * An HTTP proxy that lets commands of a page run as they are written: host names and ports of the page lead to
 * processes of the test, and addresses within requests and answers are exchanged likewise.
 */

/** Longest wait for an answer, milliseconds. */
const ANSWER_MS_MAX = 30_000;
/** Headers that speak of the connection or the length, which are not those of the exchanged text. */
const HOP_HEADERS = [
  'connection',
  'proxy-connection',
  'content-length',
  'host',
  'transfer-encoding',
  'accept-encoding',
];

/** "host:port" as a page writes it, and where it really is. */
export type Addresses = ReadonlyMap<string, string>;

export class AddressProxy implements AsyncDisposable {
  readonly #toReal: (text: string) => string;
  readonly #toPage: (text: string) => string;
  readonly #server: Bun.Server<undefined>;

  constructor(addresses: Addresses) {
    this.#toReal = exchange(addresses);
    this.#toPage = exchange(new Map([...addresses].map(([page, real]) => [real, page])));
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 60,
      fetch: (request) => this.#forward(request, addresses),
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** Text of a page with real addresses. */
  toReal(text: string): string {
    return this.#toReal(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #forward(request: Request, addresses: Addresses): Promise<Response> {
    const host = request.headers.get('host') ?? '';
    const real = addresses.get(host);
    if (real === undefined)
      return new Response(`the page names ${host}, which is none of the test's\n`, { status: 502 });
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const name of HOP_HEADERS) headers.delete(name);
    try {
      const answer = await fetch(`http://${real}${pathname}${search}`, {
        method: request.method,
        headers,
        body: request.method === 'GET' ? null : this.#toReal(await request.text()),
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        keepalive: false,
      });
      const type = answer.headers.get('content-type') ?? 'text/plain';
      return new Response(this.#toPage(await answer.text()), {
        status: answer.status,
        headers: { 'content-type': type },
      });
    } catch (error) {
      return new Response(`${error instanceof Error ? error.message : String(error)}\n`, { status: 502 });
    }
  }
}

/** Replaces every whole address in one pass, so that none is replaced twice. */
function exchange(addresses: Addresses): (text: string) => string {
  const escaped = [...addresses.keys()].map((address) => address.replaceAll('.', '\\.'));
  const pattern = new RegExp(`(?<![\\w.-])(?:${escaped.join('|')})(?!\\d)`, 'g');
  return (text) => text.replace(pattern, (found) => addresses.get(found) ?? found);
}
