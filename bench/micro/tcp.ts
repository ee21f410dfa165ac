/**
 * Requests per second and latency of the TCP transport between two processes on loopback, for a
 * heartbeat and appends of 256 B and 100 kB with 1 and 8 in flight, the CPU time both processes spend
 * per request, and the memory of 1 000 idle connections. Run: bun bench/micro/tcp.ts
 */
import type { AppendEntriesRequest, RpcResponse } from '#conductor/core/raft/types';
import { goTimeFromUnixMs } from '#conductor/core/wire/go-time';
import { openTransport, type TcpTransport } from '../../conductor/adapters/tcp/transport.ts';
import { summarize } from '../statistics.ts';

const WARM_UP_MS = 500;
const MEASURE_MS = 3000;
const IDLE_CONNECTIONS = 1000;
const listen = { hostname: '127.0.0.1', port: 0 };
const now = (): number => performance.now();
const header = { protocolVersion: 3, id: 'sequencer-1', address: '127.0.0.1:50050' };

const heartbeat: AppendEntriesRequest = {
  ...header,
  kind: 'append',
  term: 12,
  leader: '127.0.0.1:50050',
  prevLogIndex: 1_000_000,
  prevLogTerm: 12,
  entries: null,
  leaderCommit: 1_000_000,
};

function appendOf(bytes: number): AppendEntriesRequest {
  const data = new Uint8Array(bytes).fill(0x5a);
  const appendedAt = goTimeFromUnixMs(1_750_000_000_000);
  return {
    ...heartbeat,
    entries: [{ index: 1_000_001, term: 12, type: 0, data, extensions: null, appendedAt }],
  };
}

/** The other process: answers everything; tells its port, then its memory and CPU time when asked. */
async function serve(): Promise<void> {
  const response: RpcResponse = {
    ...header,
    kind: 'append',
    term: 12,
    lastLog: 1_000_000,
    success: true,
    noRetryBackoff: false,
  };
  const transport: TcpTransport = await openTransport({
    listen,
    now,
    onEvent: (event) => {
      if (event.kind === 'request') transport.reply(event.inboundId, response);
    },
  });
  process.on('message', () => {
    Bun.gc(true);
    const { user, system } = process.cpuUsage();
    process.send?.({ rssBytes: process.memoryUsage().rss, cpuUs: user + system });
  });
  process.send?.({ port: transport.port });
}

interface Usage {
  readonly rssBytes: number;
  readonly cpuUs: number;
}

class Server {
  readonly #child: Bun.Subprocess;
  #answered: (message: unknown) => void = () => undefined;
  readonly port: Promise<number>;

  constructor() {
    const started = new Promise<unknown>((resolve) => {
      this.#answered = resolve;
    });
    this.#child = Bun.spawn([process.execPath, import.meta.path, 'serve'], {
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: (message) => this.#answered(message),
    });
    this.port = started.then((message) => (message as { port: number }).port);
  }

  usage(): Promise<Usage> {
    const answer = new Promise<unknown>((resolve) => {
      this.#answered = resolve;
    });
    this.#child.send('usage');
    return answer as Promise<Usage>;
  }

  stop(): void {
    this.#child.kill();
  }
}

async function measure(name: string, request: AppendEntriesRequest, inFlight: number, server: Server): Promise<void> {
  const address = `127.0.0.1:${await server.port}`;
  const sentMs = new Map<number, number>();
  const latencies: number[] = [];
  let requestId = 0;
  let isMeasuring = false;
  let isOver = false;
  const send = (): void => {
    requestId += 1;
    sentMs.set(requestId, now());
    transport.send({ requestId, peerId: 'b', address, channel: 'replicate', request, timeoutMs: 5000 });
  };
  const transport = await openTransport({
    listen,
    now,
    onEvent: (event) => {
      if (event.kind === 'failed' && !isOver) throw new Error(`${event.reason}: ${event.message}`);
      if (event.kind !== 'response') return;
      if (isMeasuring) latencies.push((now() - sentMs.get(event.requestId)!) * 1000);
      sentMs.delete(event.requestId);
      if (!isOver) send();
    },
  });
  for (let i = 0; i < inFlight; i += 1) send();
  await Bun.sleep(WARM_UP_MS);
  const before = await server.usage();
  const own = process.cpuUsage();
  const started = now();
  isMeasuring = true;
  await Bun.sleep(MEASURE_MS);
  isMeasuring = false;
  const elapsedMs = now() - started;
  const used = process.cpuUsage(own);
  const after = await server.usage();
  isOver = true;
  await transport.close();
  const { count, p50, p99 } = summarize(latencies);
  const perRequest = (us: number): string => (us / count).toFixed(1).padStart(6);
  console.log(
    `${name.padEnd(14)} ${String(inFlight).padStart(2)} in flight ${((count / elapsedMs) * 1000).toFixed(0).padStart(7)}/s` +
      `  p50 ${p50.toFixed(0).padStart(5)} us  p99 ${p99.toFixed(0).padStart(5)} us` +
      `  CPU per request: sender ${perRequest(used.user + used.system)} us, receiver ${perRequest(after.cpuUs - before.cpuUs)} us`,
  );
}

async function measureIdle(server: Server): Promise<void> {
  const port = await server.port;
  await server.usage();
  const before = await server.usage();
  const sockets = await Promise.all(
    Array.from({ length: IDLE_CONNECTIONS }, () =>
      Bun.connect({ hostname: '127.0.0.1', port, socket: { data: () => undefined } }),
    ),
  );
  await Bun.sleep(WARM_UP_MS);
  const after = await server.usage();
  const each = (after.rssBytes - before.rssBytes) / IDLE_CONNECTIONS / 1024;
  console.log(`${IDLE_CONNECTIONS} idle connections: ${each.toFixed(1)} KiB of resident memory each`);
  for (const socket of sockets) socket.terminate();
}

if (process.argv[2] === 'serve') {
  await serve();
} else {
  const fresh = new Server();
  await measureIdle(fresh);
  fresh.stop();
  const server = new Server();
  for (const [name, request] of [
    ['heartbeat', heartbeat],
    ['append 256 B', appendOf(256)],
    ['append 100 kB', appendOf(100_000)],
  ] as const) {
    for (const inFlight of [1, 8]) await measure(name, request, inFlight, server);
  }
  server.stop();
  process.exit(0);
}
