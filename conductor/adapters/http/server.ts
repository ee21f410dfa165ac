/**
 * An HTTP/1.1 server on plain sockets. Bun's own has no limit on connections, and gives a body that is
 * too large an empty answer; this one bounds connections, memory and time (connections.ts), and spends
 * less CPU on a small call.
 */
import { releaseChunk } from '../tcp/release-chunk.ts';
import { HttpConnection } from './connection.ts';
import { busy, Connections, type ConnectionPolicy } from './connections.ts';
import { renderReply } from './reply.ts';

export interface HttpServerOptions extends ConnectionPolicy {
  readonly hostname: string;
  readonly port: number;
}

export interface HttpListener {
  readonly port: number;
  /** Stops listening; waits for answers under way until the deadline, milliseconds. */
  stop(deadlineMs: number): Promise<void>;
}

/** Listens; throws when the port is taken. */
export function listenHttp(options: HttpServerOptions): HttpListener {
  const connections = new Connections(options);
  const listener = Bun.listen<HttpConnection | null>({
    hostname: options.hostname,
    port: options.port,
    allowHalfOpen: true,
    socket: {
      open: (socket) => {
        socket.setNoDelay(true);
        socket.data = connections.admit() ? connections.add(new HttpConnection(socket, connections)) : null;
        if (socket.data === null) {
          socket.write(renderReply(busy, 'closed', false));
          socket.end();
        }
      },
      data: ({ data }, chunk) => {
        data?.receive(chunk);
        if (data?.holds(chunk) === false) releaseChunk(chunk);
      },
      drain: (socket) => socket.data?.drained(),
      end: (socket) => socket.data?.ended(),
      close: (socket) => socket.data?.closed(),
      error: (socket) => socket.data?.closed(),
    },
  });
  return {
    port: listener.port,
    stop: async (deadlineMs) => {
      listener.stop();
      await connections.end(deadlineMs);
      listener.stop(true);
    },
  };
}
