/** Calls JSON-RPC methods of the programs under a benchmark. */

const CALL_MS_MAX = 5000;

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Result of a call; throws the error's message, or that there was no answer in time. */
export async function callRpc(
  url: string,
  method: string,
  params: readonly unknown[] = [],
  { headers = {}, timeoutMs = CALL_MS_MAX }: CallOptions = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

/** Makes many calls of one method in one request; throws the message of the first that failed. */
export async function callBatch(url: string, method: string, paramsOf: readonly (readonly unknown[])[]): Promise<void> {
  const calls = paramsOf.map((params, id) => ({ jsonrpc: '2.0', id, method, params }));
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(calls),
    signal: AbortSignal.timeout(CALL_MS_MAX),
  });
  const answers = (await response.json()) as readonly { error?: { message: string } }[];
  const failed = answers.find(({ error }) => error !== undefined);
  if (failed?.error !== undefined) throw new Error(`${method}: ${failed.error.message}`);
}
