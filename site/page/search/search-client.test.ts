import { describe, expect, test } from 'vitest';
import type { SearchAnswer } from '../../search/answer.ts';
import type { FromWorker, ToWorker } from '../../search/messages.ts';
import { SearchClient, type WorkerPort } from './search-client.ts';

class FakeWorker extends EventTarget implements WorkerPort {
  readonly said: ToWorker[] = [];
  isEnded = false;

  postMessage(message: ToWorker): void {
    this.said.push(message);
  }

  terminate(): void {
    this.isEnded = true;
  }

  says(data: FromWorker): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  answers(query: string): void {
    const asked = this.said.findLast((message) => message.kind === 'find' && message.request.query === query);
    if (asked?.kind !== 'find') throw new Error(`${query} was never asked`);
    this.says({ kind: 'answer', id: asked.id, answer: { query } as SearchAnswer });
  }
}

function world(): { client: SearchClient; heard: string[]; workers: FakeWorker[] } {
  const heard: string[] = [];
  const workers: FakeWorker[] = [];
  const client = new SearchClient({
    url: '/sections.json',
    open: () => {
      workers.push(new FakeWorker());
      return workers.at(-1)!;
    },
    listener: {
      ready: () => heard.push('ready'),
      answered: ({ query }) => heard.push(query),
      failed: (reason) => heard.push(`failed: ${reason}`),
    },
  });
  return { client, heard, workers };
}

function questions(said: readonly ToWorker[]): string[] {
  return said.flatMap((message) => (message.kind === 'find' ? [message.request.query] : []));
}

describe('the client of the search worker', () => {
  test('starts nothing before it is asked to, and one worker then', () => {
    const { client, workers } = world();
    expect(workers).toHaveLength(0);
    client.start();
    client.ask({ query: 'a' });
    expect(workers).toHaveLength(1);
    expect(workers[0]!.said[0]).toEqual({ kind: 'load', url: '/sections.json' });
  });

  test('asks one question at a time and, of those typed meanwhile, only the last', () => {
    const { client, heard, workers } = world();
    for (const query of ['r', 'ra', 'raf', 'raft']) client.ask({ query });
    expect(questions(workers[0]!.said)).toEqual(['r']);
    workers[0]!.answers('r');
    expect(questions(workers[0]!.said)).toEqual(['r', 'raft']);
    workers[0]!.answers('raft');
    expect(heard).toEqual(['raft']);
  });

  test('a forgotten question has no answer, and the next is asked all the same', () => {
    const { client, heard, workers } = world();
    client.ask({ query: 'a' });
    client.forget();
    workers[0]!.answers('a');
    expect(heard).toEqual([]);
    client.ask({ query: 'b' });
    workers[0]!.answers('b');
    expect(heard).toEqual(['b']);
  });

  test('a failure ends the worker and is told; asking again starts another', () => {
    const { client, heard, workers } = world();
    client.ask({ query: 'a' });
    workers[0]!.says({ kind: 'failed', reason: 'The server answered 404.' });
    expect(heard).toEqual(['failed: The server answered 404.']);
    expect(workers[0]!.isEnded).toBe(true);
    client.ask({ query: 'a' });
    expect(workers).toHaveLength(2);
    expect(questions(workers[1]!.said)).toEqual(['a']);
  });
});
