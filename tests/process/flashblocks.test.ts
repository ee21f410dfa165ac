/**
 * Flashblocks through real processes: three conductors with a source each, clients at all of them, one
 * of which does not read. Only the leader passes anything on, before and after it is killed, frozen and
 * thawed; a conductor alone shows what its start says of a bad source and a taken port.
 */
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ServiceCluster } from '../cluster/service-cluster.ts';
import type { ServiceNode } from '../cluster/service-node.ts';
import { waitFor } from '../cluster/wait.ts';

const waitMs = 30_000;
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const flashblockMs = 50;

/** One websocket server with a path per node; a message says whose it is and the how-manieth. */
class Sources {
  readonly sockets = new Map<string, Set<Bun.ServerWebSocket<string>>>();
  sent = 0;
  paddingBytes = 1000;
  readonly #server = Bun.serve<string>({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, server) =>
      server.upgrade(request, { data: new URL(request.url).pathname.slice(1) }) ? undefined : new Response(),
    websocket: {
      idleTimeout: 0,
      open: (socket) => {
        const all = this.sockets.get(socket.data) ?? new Set();
        this.sockets.set(socket.data, all.add(socket));
      },
      close: (socket) => void this.sockets.get(socket.data)?.delete(socket),
      message: () => undefined,
    },
  });
  readonly #timer = setInterval(() => this.#sendAll(), flashblockMs);

  urlOf(id: string): string {
    return `ws://127.0.0.1:${this.#server.port}/${id}`;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#server.stop(true);
  }

  #sendAll(): void {
    this.sent += 1;
    for (const [node, sockets] of this.sockets) {
      const message = JSON.stringify({ node, count: this.sent, padding: 'f'.repeat(this.paddingBytes) });
      for (const socket of sockets) socket.send(message);
    }
  }
}

/** A client that stays connected to one conductor and counts what comes. */
class Client {
  readonly node: ServiceNode;
  readonly counts: number[] = [];
  readonly foreign: string[] = [];
  #socket: WebSocket | null = null;

  constructor(node: ServiceNode) {
    this.node = node;
  }

  async connect(): Promise<void> {
    const socket = new WebSocket(this.node.websocketUrl);
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { node, count } = JSON.parse(String(data)) as { node: string; count: number };
      this.counts.push(count);
      if (node !== this.node.id) this.foreign.push(node);
    });
    await waitFor(`a websocket to ${this.node.id}`, waitMs, () => {
      if (socket.readyState === WebSocket.CLOSED) throw new Error('closed');
      return socket.readyState === WebSocket.OPEN ? true : null;
    });
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  close(): void {
    this.#socket?.terminate();
  }

  /** Waits until `count` more messages have come. */
  async more(count: number): Promise<void> {
    const goal = this.counts.length + count;
    await waitFor(`flashblocks from ${this.node.id}`, waitMs, () => (this.counts.length >= goal ? true : null));
  }
}

const sources = new Sources();
let urlOf = (id: string): string => sources.urlOf(id);
const cluster = new ServiceCluster({
  implementations: ['bun', 'bun', 'bun'],
  settings: {
    healthIntervalSeconds: 1,
    unsafeIntervalSeconds: 5,
    conductorFlags: (id) => [`--rollupboost.ws-url=${urlOf(id)}`, '--websocket.server-addr=127.0.0.1'],
  },
});
const clients: Client[] = [];

beforeAll(async () => {
  await cluster.form();
  for (const node of cluster.nodes) clients.push(new Client(node));
  await Promise.all(clients.map((client) => client.connect()));
});

afterAll(async () => {
  for (const client of clients) client.close();
  await cluster[Symbol.asyncDispose]();
  await sources.stop();
});

const clientOf = (node: ServiceNode): Client => clients.find((client) => client.node === node) as Client;

/** The leader's client gets messages of its own source; the others get none meanwhile. */
async function onlyTheLeaderPassesOn(leader: ServiceNode): Promise<void> {
  await clientOf(leader).more(5);
  const others = cluster.others(leader).map(clientOf);
  const before = others.map(({ counts }) => counts.length);
  await clientOf(leader).more(20);
  expect(others.map(({ counts }) => counts.length)).toEqual(before);
  for (const client of clients) expect(client.foreign).toEqual([]);
}

test('only the leader passes flashblocks on, each once and in order', async () => {
  const leader = await cluster.leader();
  await onlyTheLeaderPassesOn(leader);
  const { counts } = clientOf(leader);
  expect(counts).toEqual(counts.map((_, at) => (counts[0] as number) + at));
});

test('after a transfer the new leader passes on, from a connection it had all along', async () => {
  const old = await cluster.leader();
  await old.callConductor('conductor_transferLeader', [], 10_000);
  const now = await cluster.leader(cluster.others(old));
  await onlyTheLeaderPassesOn(now);
  expect(clients.map(({ isOpen }) => isOpen)).toEqual([true, true, true]);
});

test('a client that does not read is dropped; its neighbour misses nothing', async () => {
  const leader = await cluster.leader();
  const { hostname, port } = new URL(leader.websocketUrl);
  let isClosed = false;
  let isDeaf = true;
  const deaf = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (socket) => void (isDeaf ? socket.pause() : undefined),
      close: () => void (isClosed = true),
    },
  });
  deaf.write(
    `GET /ws HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const good = clientOf(leader);
  const from = good.counts.length;
  sources.paddingBytes = 500_000;
  await waitFor('the log to say so', 60_000, () =>
    /dropping a flashblocks client/.test(leader.conductor.log()) ? true : null,
  );
  sources.paddingBytes = 1000;
  isDeaf = false;
  deaf.resume();
  await waitFor('the end of the deaf client', waitMs, () => (isClosed ? true : null));
  const since = good.counts.slice(from);
  expect(since).toEqual(since.map((_, at) => (since[0] as number) + at));
});

test('a leader that was frozen and thawed passes nothing of that time on; its successor does', async () => {
  const frozen = await cluster.leader();
  frozen.conductor.freeze();
  const successor = await cluster.leader(cluster.others(frozen));
  await clientOf(successor).more(20);
  const before = clientOf(frozen).counts.length;
  frozen.conductor.thaw();
  await onlyTheLeaderPassesOn(successor);
  expect(clientOf(frozen).counts).toHaveLength(before);
  await cluster.steady();
});

test('a killed leader: its clients are gone, those of the new one go on', async () => {
  const dead = await cluster.leader();
  await dead.conductor.kill();
  const now = await cluster.leader(cluster.others(dead));
  await clientOf(now).more(20);
  await cluster.revive();
  await cluster.steady();
  await clientOf(dead).connect();
  await onlyTheLeaderPassesOn(await cluster.leader());
});

test('a port that is taken ends the start with a sentence', async () => {
  const [node] = cluster.others(await cluster.leader()) as [ServiceNode];
  await node.conductor.kill();
  const holder = createServer().listen(Number(new URL(node.websocketUrl).port), '127.0.0.1');
  await waitFor('the port', waitMs, () => (holder.listening ? true : null));
  node.startConductor('again');
  await waitFor('the end', waitMs, () => (node.conductor.isRunning ? null : true));
  holder.close();
  expect(node.conductor.log()).toMatch(
    /failed to start WebSocket server: failed to bind to address \\?"127.0.0.1:\d+\\?": listen tcp 127.0.0.1:\d+: bind: address already in use/,
  );
});

test('a source that cannot be reached: the start waits, and the cluster notices nothing', async () => {
  const node = cluster.nodes.find(({ conductor }) => !conductor.isRunning) as ServiceNode;
  const before = node.conductor.log().length;
  const said = (): string => node.conductor.log().slice(before);
  urlOf = () => 'ws://127.0.0.1:9/nobody';
  node.startConductor('again');
  await waitFor('a second try', waitMs, () =>
    /waiting for the rollup boost WebSocket.*attempt=2/.test(said()) ? true : null,
  );
  expect(said()).not.toContain('Binding raft server');
  expect(await node.conductor.end('SIGTERM')).toBe(0);
  urlOf = (id) => sources.urlOf(id);
  node.startConductor('again');
  await cluster.steady();
});
