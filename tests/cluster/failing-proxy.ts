/**
 * An HTTP proxy in front of one JSON-RPC server that makes the next call of a method fail: refused by the server,
 * lost on the way there, or unheard on the way back.
 */

/** Longest wait for an answer, milliseconds. */
const ANSWER_MS_MAX = 30_000;

export type CallFailure = 'refused' | 'lost' | 'unheard';

export class FailingProxy implements AsyncDisposable {
  readonly #server: Bun.Server<undefined>;
  /** By method; used up by as many calls. */
  readonly #failures = new Map<string, { readonly how: CallFailure; left: number }>();
  #isSilent = false;
  /** Methods that failed, in order. */
  readonly failed: string[] = [];

  /** `target` is "host:port". */
  constructor(target: string) {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: ANSWER_MS_MAX / 1000,
      fetch: (request) => this.#pass(request, target),
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** The next `times` calls of the method fail. */
  fail(method: string, how: CallFailure, times = 1): void {
    this.#failures.set(method, { how, left: times });
  }

  /** Nothing gets through from now on, reads neither. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Lets everything through again. */
  heal(): void {
    this.#isSilent = false;
    this.#failures.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #pass(request: Request, target: string): Promise<Response> {
    if (this.#isSilent) return new Response(null, { status: 502 });
    const body = request.method === 'POST' ? await request.text() : null;
    const how = body === null ? null : this.#failureOf(body);
    if (how === 'refused')
      return Response.json({ jsonrpc: '2.0', id: 0, error: { code: -32000, message: 'not today' } });
    if (how === 'lost') return new Response(null, { status: 502 });
    const url = new URL(request.url);
    try {
      const answer = await fetch(`http://${target}${url.pathname}`, {
        method: request.method,
        headers: { 'content-type': 'application/json' },
        body,
        keepalive: false,
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      });
      const text = await answer.text();
      return how === 'unheard' ? new Response(null, { status: 502 }) : new Response(text, { status: answer.status });
    } catch {
      return new Response(null, { status: 502 });
    }
  }

  #failureOf(body: string): CallFailure | null {
    const { method } = JSON.parse(body) as { method?: unknown };
    const failure = typeof method === 'string' ? this.#failures.get(method) : undefined;
    if (failure === undefined || failure.left === 0) return null;
    failure.left -= 1;
    this.failed.push(method as string);
    return failure.how;
  }
}
