import { expect, onTestFinished, test } from 'vitest';
import { EventRing } from '#conductor/adapters/events/event-ring';
import { EventStreams } from '#conductor/adapters/events/event-stream';
import { RpcEndpoint } from '#conductor/operate/rpc-endpoint';
import { EventParser, followEvents, type SourceState, type StreamedEvent } from './event-source.ts';

test('events arrive whole however the stream is cut', () => {
  const bytes = Buffer.from(
    'id: l-1\nevent: alarm\ndata: {"alarm":"x"}\n\n: nothing new\n\nevent: bad\ndata: {\n\nid: l-2\nevent: alarm\ndata: {"alarm":"ü"}\n\n',
  );
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const parser = new EventParser();
    const events = [...parser.take(bytes.subarray(0, cut)), ...parser.take(bytes.subarray(cut))];
    expect(events.map(({ id, data }) => [id, data['alarm']])).toEqual([
      ['l-1', 'x'],
      ['l-2', 'ü'],
    ]);
  }
});

test('a stream without an end is given up', () => {
  expect(() => new EventParser().take(Buffer.alloc(100_000, 'x'))).toThrow('without an end');
});

test('a break is told, and the next connection goes on after the last event', async () => {
  const ring = new EventRing({ server: 'a', version: 'v0', now: () => performance.now(), unixMs: Date.now });
  const asked: (string | null)[] = [];
  let streams = new EventStreams({ ring, now: () => performance.now(), shed: () => undefined });
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      asked.push(request.headers.get('last-event-id'));
      return streams.answer(request.headers.get('last-event-id'), '');
    },
  });
  const ending = new AbortController();
  onTestFinished(() => {
    ending.abort();
    streams.close();
    return server.stop(true);
  });
  const seen: StreamedEvent[] = [];
  const states: SourceState[] = [];
  let breaks = 0;
  let changed = (): void => undefined;
  const until = async (holds: () => boolean): Promise<void> => {
    const deadlineMs = performance.now() + 10_000;
    while (!holds()) {
      expect(performance.now()).toBeLessThan(deadlineMs);
      const { promise, resolve } = Promise.withResolvers<void>();
      changed = resolve;
      await Promise.race([promise, Bun.sleep(100)]);
    }
  };
  void followEvents(
    {
      endpoint: new RpcEndpoint(`http://127.0.0.1:${server.port}`),
      lastId: null,
      onEvent: (event) => {
        if (event.kind !== 'hello') seen.push(event);
        changed();
      },
      onState: (state) => void states.push(state),
      onBreak: () => void (breaks += 1),
    },
    ending.signal,
  );
  ring.publish({ kind: 'alarm', alarm: 'one' });
  await until(() => seen.length === 1);
  const before = streams;
  streams = new EventStreams({ ring, now: () => performance.now(), shed: () => undefined });
  before.close();
  ring.publish({ kind: 'alarm', alarm: 'two' });
  await until(() => seen.length === 2);
  expect(seen.map(({ data }) => data['alarm'])).toEqual(['one', 'two']);
  expect(asked).toEqual([null, seen[0]!.id]);
  expect([breaks, states]).toEqual([1, ['stream', 'stream']]);
});

test('a server with as many readers as it takes is polled, not asked again at once', async () => {
  let asked = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      asked += 1;
      return new Response('16 readers follow the events already\n', { status: 503 });
    },
  });
  const ending = new AbortController();
  onTestFinished(() => server.stop(true));
  const endpoint = new RpcEndpoint(`http://127.0.0.1:${server.port}`);
  const states: string[] = [];
  // The second try would come after half a second; a state ends the wait for it.
  const onState = (state: string): void => void (states.push(state), ending.abort());
  const onBreak = (): void => void (states.push('break'), ending.abort());
  await followEvents({ endpoint, lastId: null, onEvent: () => undefined, onState, onBreak }, ending.signal);
  expect([asked, states]).toEqual([1, ['polled']]);
});
