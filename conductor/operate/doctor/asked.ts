/**
 * Asks one JSON-RPC server everything the doctor wants to know of it, at once, and looks at its clock meanwhile.
 * Only reads; a server that does not answer is a finding of whoever looks at it, never an error here.
 */
import { messageOf } from '#conductor/core/errors';
import { RpcEndpoint, type Answer } from '../rpc-endpoint.ts';

const answerMsMax = 5000;

export interface Asked {
  /** null where no URL is known. */
  readonly url: string | null;
  /** Why nobody answered, in words; '' when somebody did. */
  readonly why: string;
  /** By "method" or "method(params)". */
  readonly answers: ReadonlyMap<string, Answer>;
  /** Its wall clock minus ours, milliseconds, to half a second; null when it does not tell. */
  readonly clockAheadMs: number | null;
}

/** A call, with or without parameters. */
export type Question = readonly [method: string, params?: readonly unknown[]];

/** Never rejects. */
export async function ask(url: string | null, questions: readonly Question[]): Promise<Asked> {
  const nobody = (why: string): Asked => ({ url, why, answers: new Map(), clockAheadMs: null });
  if (url === null || url === '') return { ...nobody('its URL is not known'), url: null };
  try {
    const endpoint = new RpcEndpoint(url);
    const plain = questions.filter(([, params]) => params === undefined).map(([method]) => method);
    const [answers, others, clockAheadMs] = await Promise.all([
      endpoint.batch(plain, answerMsMax),
      Promise.all(questions.filter(([, params]) => params !== undefined).map((one) => askOne(endpoint, one))),
      clockOf(url),
    ]);
    const entries = [...plain.map((method, at) => [method, answers[at]] as const), ...others];
    return {
      url,
      why: '',
      clockAheadMs,
      answers: new Map(entries.flatMap(([key, answer]) => (answer === undefined ? [] : [[key, answer] as const]))),
    };
  } catch (error) {
    return nobody(messageOf(error));
  }
}

/** The result of a method, or undefined when there is none. */
export function resultOf({ answers }: Asked, method: string): unknown {
  const answer = answers.get(method);
  return answer?.kind === 'result' ? answer.result : undefined;
}

async function askOne(endpoint: RpcEndpoint, [method, params = []]: Question): Promise<readonly [string, Answer]> {
  try {
    return [method, { kind: 'result', result: await endpoint.call(method, params, answerMsMax) }];
  } catch (error) {
    return [method, { kind: 'error', message: messageOf(error) }];
  }
}

/** By the Date header, which has whole seconds: the middle of that second against the middle of the exchange. */
async function clockOf(url: string): Promise<number | null> {
  const target = new URL(url);
  target.username = '';
  target.password = '';
  try {
    const sentMs = Date.now();
    const response = await fetch(target, { signal: AbortSignal.timeout(answerMsMax), redirect: 'manual' });
    const receivedMs = Date.now();
    await response.body?.cancel();
    const said = Date.parse(response.headers.get('date') ?? '');
    return Number.isNaN(said) ? null : said + 500 - (sentMs + receivedMs) / 2;
  } catch {
    return null;
  }
}
