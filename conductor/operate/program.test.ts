/** Which program answers, by what really comes over the network, and what a migration makes of it. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bareServer } from './cluster-config.ts';
import type { ServerView, Unread } from './cluster-view.ts';
import { whyNotReady } from './eligibility.ts';
import { migrateCommand } from './migrate-command.ts';
import { openCluster } from './observe.ts';
import { Output } from './output.ts';
import { programOf } from './program.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { runInMemory, type Told } from './testing/run-in-memory.ts';

const folder = mkdtempSync(join(tmpdir(), 'program-'));
const servers: { stop(now: boolean): unknown }[] = [];
afterAll(async () => {
  rmSync(folder, { recursive: true });
  for (const server of servers) await server.stop(true);
});

const nodes = { committed: null, nodes: [], disputed: [], givenUp: null };

/** A conductor, of ours where it `hasNodes`, whose pages are answered by `page`, maybe by a proxy before it. */
async function look(hasNodes: boolean, page: (path: string) => Response | Promise<Response>): Promise<ServerView> {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (request.method === 'GET') return page(new URL(request.url).pathname);
      const calls = (await request.json()) as { id: number; method: string }[];
      const unknown = { error: { code: -32601, message: 'the method does not exist' } };
      const answers = new Map<string, object>([['conductor_active', { result: true }]]);
      if (hasNodes) answers.set('conductor_clusterNodes', { result: nodes });
      return Response.json(calls.map(({ id, method }) => ({ id, ...(answers.get(method) ?? unknown) })));
    },
  });
  servers.push(server);
  const one = bareServer('node-1', `http://127.0.0.1:${server.port}/node-1`);
  const view = await openCluster({ ...new MemoryCluster().config, servers: [one] }).observe();
  const [found] = view.servers;
  if (found === undefined) throw new RangeError('one server');
  return found;
}

const status = (code: number, text = '') => new Response(text, { status: code });
const never = (): Promise<Response> => new Promise(() => undefined);

test('op-conductor is who says that there is no page /readyz, and nobody who does not answer for it', async () => {
  expect(programOf(await look(false, () => status(404, '404 page not found\n')))).toBe('op-conductor');
  const isOurs = (path: string) => (path === '/node-1/readyz' ? status(200, 'ready\n') : status(404));
  expect(programOf(await look(false, isOurs))).toBe('conductor');
  for (const page of [never, () => status(405), () => status(502), () => status(200, '<html>')])
    expect(programOf(await look(false, page))).toBe(null);
});

test('this conductor is known by its own method also where its page is not passed on', async () => {
  for (const page of [() => status(502), () => status(405), () => status(404)])
    expect(programOf(await look(true, page))).toBe('conductor');
});

test('nobody counts as ready whose page is not answered; a proxy that never passes it on holds nobody back', async () => {
  const unanswered = await look(true, () => status(502));
  expect(whyNotReady(unanswered)).toMatch(
    /^whether node-1 is ready is not known: .* GET .readyz with HTTP status 502$/,
  );
  expect(whyNotReady(await look(true, () => status(503, 'not ready: it recovers\n')))).toContain('it recovers');
  for (const code of [404, 405]) expect(whyNotReady(await look(true, () => status(code)))).toBe(null);
});

/** `conductor migrate` in memory, where node-2 is seen as `changed`, and all others as op-conductors. */
async function migrate(changed: (server: ServerView) => ServerView, isBack: boolean, deploy = 'exit 7'): Promise<Told> {
  const cluster = new MemoryCluster();
  for (const server of cluster.config.servers) Object.assign(server, { deploy });
  const look = cluster.observe.bind(cluster);
  const observe = async () => {
    const view = await look();
    return { ...view, servers: view.servers.map((server) => (server.id === 'node-2' ? changed(server) : server)) };
  };
  const told: Told[] = [];
  await migrateCommand.run({
    words: [],
    flags: isBack ? { back: true } : {},
    output: new Output(true),
    config: { ...cluster.config, path: join(folder, 'conductor.toml') },
    access: Object.assign(cluster, { observe }),
    async execute(procedure) {
      told.push(await runInMemory(procedure, observe));
      return 0;
    },
  });
  const [first] = told;
  if (first === undefined) throw new RangeError('it was not begun');
  return first;
}

const unread: Unread = { why: 'node-2: no answer within 2.5 s', isRefused: false };
const withNodes = ({ conductor, ...server }: ServerView): ServerView => ({
  ...server,
  conductor: conductor && { ...conductor, nodes },
});

test('a migration in either direction refuses a server whose page cannot be read, and skips none for it', async () => {
  const sentence = 'whether node-2 runs conductor or op-conductor is told by its page /readyz, which could not be read';
  for (const isBack of [false, true])
    await expect(migrate((server) => ({ ...server, unread }), isBack)).rejects.toThrow(sentence);
  // Ours beyond doubt, but op-conductor would not be recognised afterwards.
  await expect(migrate((server) => ({ ...withNodes(server), unread }), true)).rejects.toThrow(sentence);
});

test('a server that is ours by its method is not deployed to again', async () => {
  const { events } = await migrate((server) => ({ ...withNodes(server), unread }), false);
  expect(events).toContain('skipped: deploy to node-2');
  expect(events).toContain('failed: deploy to node-3');
});

test('a page that is not answered after a deployment is asked for again', async () => {
  const deployed = join(folder, 'deployed');
  let looks = 0;
  const changed = (server: ServerView): ServerView => {
    if (!existsSync(deployed)) return withNodes(server);
    looks += 1;
    return looks < 5 ? { ...server, unread } : server;
  };
  const { outcome, events } = await migrate(changed, true, `touch '${deployed}'`);
  expect(outcome.kind, outcome.reason).toBe('done');
  expect(events).toContain('done: deploy to node-2');
  expect(looks).toBeGreaterThan(5);
});

test('a deployment after which the other program answers is taken to have failed, and says so', async () => {
  const { outcome } = await migrate(withNodes, true, 'true');
  expect(outcome.reason).toContain('not done after 600 s: op-conductor does not run there');
});
