/**
 * Where pages end up that ask for anything but the loopback: a proxy that notes what was wanted and hangs up. It sees
 * what playwright's events may miss: workers, prefetching, beacons, preconnections.
 */
import { afterAll, beforeAll } from 'vitest';

export interface OutsideTrap {
  /** For `newPage({ proxy })`. */
  readonly proxy: { readonly server: string; readonly bypass: string };
  /** First lines of all requests since the last call, e.g. `CONNECT example.org:443 HTTP/1.1`. */
  take(): string[];
}

/** Call it inside `describe`. */
export function useOutsideTrap(): OutsideTrap {
  let listener: Bun.TCPSocketListener | null = null;
  let wanted: string[] = [];
  beforeAll(() => {
    listener = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket, bytes) {
          wanted.push(new TextDecoder().decode(bytes).split('\r\n', 1)[0] ?? '');
          socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
        },
      },
    });
  });
  afterAll(() => listener?.stop(true));
  return {
    get proxy() {
      if (listener === null) throw new Error('The trap is open while the tests of its describe run.');
      return { server: `http://127.0.0.1:${listener.port}`, bypass: '127.0.0.1' };
    },
    take() {
      const taken = wanted;
      wanted = [];
      return taken;
    },
  };
}
