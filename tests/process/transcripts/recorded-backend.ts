/** One server that stands for an op-node and an execution client: it answers what was recorded, and notes what it was asked. */

interface BackendCall {
  readonly method: string;
  readonly params: unknown;
}

export class RecordedBackend {
  readonly port: number;
  readonly #answers: Readonly<Record<string, unknown>>;
  #server: ReturnType<typeof Bun.serve> | null = null;
  #special: { readonly answer: unknown } | null = null;
  #watched: ReadonlySet<string> = new Set();
  #calls: BackendCall[] = [];

  constructor(port: number, answers: Readonly<Record<string, unknown>>) {
    this.port = port;
    this.#answers = answers;
    this.open();
  }

  open(): void {
    this.#server = Bun.serve({ hostname: '127.0.0.1', port: this.port, fetch: (request) => this.#answer(request) });
  }

  /** Connections are refused from now on. */
  close(): void {
    void this.#server?.stop(true);
    this.#server = null;
  }

  /** The answer to the next calls of these methods where it is not the default one, and a new list of calls. */
  expect(special: { readonly answer: unknown } | null, calls: readonly BackendCall[]): void {
    this.#special = special;
    this.#watched = new Set(calls.map(({ method }) => method));
    this.#calls = [];
  }

  /** Whether it was asked just so since `expect`. */
  wasAsked({ method, params }: BackendCall): boolean {
    const wanted = JSON.stringify(params ?? []);
    return this.#calls.some((call) => call.method === method && JSON.stringify(call.params ?? []) === wanted);
  }

  async #answer(request: Request): Promise<Response> {
    const { id, method, params } = (await request.json()) as BackendCall & { id: unknown };
    this.#calls.push({ method, params });
    const isSpecial = this.#special !== null && this.#watched.has(method);
    const answer = isSpecial ? this.#special?.answer : this.#answers[method];
    const said = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
    if ('__error' in said) return Response.json({ jsonrpc: '2.0', id, error: said['__error'] });
    if ('__raw' in said)
      return new Response(String(said['__raw']), { headers: { 'Content-Type': 'application/json' } });
    if ('__http' in said) {
      const [status, text] = said['__http'] as [number, string];
      return new Response(text, { status });
    }
    if (answer === undefined) {
      return Response.json({
        jsonrpc: '2.0',
        id,
        error: { code: -32601, message: `the method ${method} does not exist` },
      });
    }
    return Response.json({ jsonrpc: '2.0', id, result: answer });
  }
}
