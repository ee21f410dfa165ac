import { describe, expect, test } from 'vitest';
import { hostAndPort, listenHostname } from './listen-address.ts';

describe('an address to listen on', () => {
  test('an empty one, of a flag or a variable, is every interface, as in Go', async () => {
    const listener = Bun.listen({ hostname: listenHostname(''), port: 0, socket: { data: () => undefined } });
    const client = await Bun.connect({
      hostname: '127.0.0.1',
      port: listener.port,
      socket: { data: () => undefined },
    });
    expect(client.remotePort).toBe(listener.port);
    client.end();
    listener.stop(true);
  });

  test.each([
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['[::]', '::'],
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', 'localhost'],
  ])('%s, with or without brackets', (written, hostname) => expect(listenHostname(written)).toBe(hostname));

  test('with its port it can be dialled', () => {
    expect(hostAndPort('::1', 5)).toBe('[::1]:5');
    expect(hostAndPort('127.0.0.1', 5)).toBe('127.0.0.1:5');
  });
});
