/** The console over real sockets: what it serves to whom, and what it refuses. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenHttp } from '#conductor/adapters/http/server';
import { bareServer, type ClusterConfig } from '#conductor/operate/cluster-config';
import { readClusterFile } from '#conductor/operate/cluster-file';
import { actWords } from '../../site/console/act-words.ts';
import { Access } from './access.ts';
import { consoleApp } from './app.ts';
import { History } from './history.ts';
import type { Act, ActForm, ClusterNow, Plan } from './protocol.ts';
import { StandInCluster } from './testing/stand-in-cluster.ts';
import { Watches } from './watches.ts';

const gone: ClusterConfig = {
  name: 'gone',
  path: null,
  // Nobody listens on the port of discard.
  servers: [bareServer('a', 'http://127.0.0.1:9')],
};

function serve({ mayChange = false, config = gone }: { mayChange?: boolean; config?: ClusterConfig } = {}) {
  const audited: unknown[] = [];
  const audit = (action: string, fields: unknown): void => void audited.push([action, fields]);
  const watches = new Watches([config], new History(':memory:'), audit);
  const access = new Access({
    tokens: null,
    publicUrl: null,
    isLocal: true,
    isEncrypted: false,
    isOpenToLook: false,
    linkName: 'operator',
    nowMs: Date.now,
    renewed: () => undefined,
  });
  const gzip = Bun.gzipSync('<!doctype html>');
  const pack = {
    files: new Map([['index.html', { type: 'text/html', gzip, isHashed: false }]]),
    runbook: { ConductorDown: 'Start it.' },
  };
  const app = consoleApp({
    access,
    pack,
    watches,
    streams: watches.streams,
    version: 'v0',
    mayChange,
    audit,
  });
  const listener = listenHttp({ hostname: '127.0.0.1', port: 0, app: app as never, headRefused: () => undefined });
  onTestFinished(async () => {
    watches.close();
    await listener.stop(0);
  });
  const at = `http://127.0.0.1:${listener.port}`;
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${at}${path}`, { redirect: 'manual', ...init });
  const enter = async (): Promise<Record<string, string>> => {
    const entered = await ask(`/enter/${access.linkToken}`);
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
    const { proof } = (await (await ask('/api/session', { headers: { cookie } })).json()) as { proof: string };
    return { cookie, 'x-console-proof': proof };
  };
  return { ask, enter, access, audited, watches, at };
}

test('the page is for all of this machine, the data for whoever came by the link', async () => {
  const { ask, access } = serve();
  const page = await ask('/');
  expect([page.status, await page.text()]).toEqual([200, '<!doctype html>']);
  for (const path of [
    '/api/session',
    '/api/clusters',
    '/api/stream',
    '/api/clusters/gone/failovers',
    '/api/runbook/ConductorDown',
  ])
    expect((await ask(path)).status, path).toBe(401);
  const entered = await ask(`/enter/${access.linkToken}`);
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/']);
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  expect((await ask('/api/clusters', { headers: { cookie } })).status).toBe(200);
  expect((await ask('/enter/x')).status).toBe(403);
});

test('every answer forbids what the page does not need: foreign scripts, inline ones, frames', async () => {
  const { ask } = serve();
  for (const path of ['/', '/api/session', '/nothing']) {
    const { headers } = await ask(path);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('another host, another origin and another site are refused with a session, too', async () => {
  const { ask, enter } = serve();
  const own = await enter();
  for (const headers of [
    { host: 'evil.example' },
    { origin: 'http://evil.example' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  ])
    expect(
      (await ask('/api/clusters', { headers: { ...own, ...headers } as never })).status,
      JSON.stringify(headers),
    ).toBe(403);
});

test('what changes something needs the proof that no other page can read, and leaves a line', async () => {
  const { ask, enter, audited, watches } = serve();
  const { cookie, ...proof } = await enter();
  const body = JSON.stringify({ text: 'a does not answer', reason: 'moved', hours: 1 });
  const post = (headers: object, text = body): Promise<Response> =>
    ask('/api/clusters/gone/silences', { method: 'POST', headers: { cookie, ...headers } as never, body: text });
  expect((await post({})).status).toBe(403);
  expect((await post({ 'x-console-proof': 'x' })).status).toBe(403);
  expect(audited).toEqual([]);
  expect((await post(proof)).status).toBe(204);
  expect(audited).toEqual([
    ['alarm silenced', { cluster: 'gone', alarm: 'a does not answer', reason: 'moved', hours: 1, as: 'operator' }],
  ]);
  for (const bad of [
    '{',
    '{}',
    JSON.stringify({ text: 'x', reason: ' ', hours: 1 }),
    JSON.stringify({ text: 'x', reason: 'y', hours: 1e9 }),
  ])
    expect((await post(proof, bad)).status, bad).toBe(400);
  expect(watches.silence('nobody', { text: 'x', reason: 'y', name: '', hours: 1 })).toBe(false);
});

test('leaving ends the session', async () => {
  const { ask, enter } = serve();
  const own = await enter();
  expect((await ask('/api/leave', { method: 'POST', headers: own })).status).toBe(204);
  expect((await ask('/api/clusters', { headers: own })).status).toBe(401);
});

test('probes and scrapers see that it lives, and nothing of the clusters', async () => {
  const { ask } = serve();
  expect(await (await ask('/healthz')).json()).toEqual({ version: 'v0' });
  const metrics = await (await ask('/metrics')).text();
  expect(metrics).toContain('conductor_console_clusters 1\n');
  expect(metrics).not.toContain('gone');
});

test('a cluster of which nobody answers is told as one, with what to do', async () => {
  const { ask, enter, watches } = serve();
  const own = await enter();
  watches.start();
  const stream = await ask('/api/stream', { headers: own });
  let text = '';
  const reader = stream.body!.getReader();
  while (!text.includes('does not answer')) {
    const { value, done } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  await reader.cancel();
  const rows = [...text.matchAll(/data: (.*)/g)].map(
    ([, json]) => JSON.parse(json!) as { name: string; troubles: unknown[] }[],
  );
  expect(rows.at(-1)![0]).toMatchObject({
    name: 'gone',
    leader: null,
    head: null,
    troubles: expect.arrayContaining([expect.objectContaining({ code: 'ConductorDown', silence: null })]),
  });
  const runbook = await ask('/api/runbook/ConductorDown', { headers: own });
  expect(await runbook.json()).toEqual({ text: 'Start it.' });
});

test('a stream that was opened with a session ends with it', async () => {
  const { ask, enter } = serve();
  const own = await enter();
  const stream = await ask('/api/stream', { headers: own });
  const ended = stream.text();
  expect((await ask('/api/leave', { method: 'POST', headers: { ...own, 'content-length': '0' } })).status).toBe(204);
  expect(await ended).toContain('event: clusters');
});

async function changeable(mayChange: boolean, { deploy }: { readonly deploy?: string } = {}) {
  const cluster = new StandInCluster();
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  cluster.elect(0);
  const folder = mkdtempSync(join(tmpdir(), 'console-changes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'mainnet.toml');
  if (deploy !== undefined) writeFileSync(file, cluster.clusterFile(deploy));
  const served = serve({ mayChange, config: deploy === undefined ? cluster.config : readClusterFile(file) });
  const own = await served.enter();
  const post = (path: string, body: unknown, headers: object = own): Promise<Response> =>
    served.ask(`/api/clusters/mainnet/${path}`, {
      method: 'POST',
      headers: headers as never,
      body: JSON.stringify(body),
    });
  const plan = async (request: object): Promise<Plan> => (await (await post('plans', request)).json()) as Plan;
  /** Plans it and agrees to the plan. */
  const begin = async (request: object): Promise<number> =>
    (await post('acts', { ...request, plan: (await plan(request)).id })).status;
  const until = async (holds: (act: Act) => boolean): Promise<Act> => {
    const deadlineMs = performance.now() + 15_000;
    for (;;) {
      const [now] = (await (await served.ask('/api/clusters', { headers: own })).json()) as ClusterNow[];
      if (now!.act !== null && holds(now!.act)) return now!.act;
      expect(performance.now(), JSON.stringify(now!.act)).toBeLessThan(deadlineMs);
    }
  };
  const ended = (): Promise<Act> => until(({ outcome }) => outcome !== null);
  return { ...served, own, cluster, file, post, plan, begin, until, ended };
}

test('a change is planned by the operators’ tool, done when it is asked for, and leaves who did it', async () => {
  const { plan, begin, ended, cluster, audited, watches } = await changeable(true);
  const request = { command: 'pause', words: ['node-2'] };
  expect(await plan(request)).toMatchObject({
    title: 'pause node-2',
    refusal: null,
    steps: [{ title: 'pause node-2', state: 'open' }],
  });
  expect(cluster.servers[1]!.told).toEqual([]);
  expect(await begin(request)).toBe(202);
  expect(await ended()).toMatchObject({
    name: 'operator',
    outcome: 'done',
    steps: [{ title: 'pause node-2', state: 'done' }],
  });
  expect(cluster.servers[1]!.told).toEqual(['conductor_pause']);
  expect(audited).toMatchObject([
    ['change begun', { cluster: 'mainnet', ...request, as: 'operator' }],
    ['change ended', { outcome: 'done', as: 'operator' }],
  ]);
  const { happenings } = watches.window('mainnet', Date.now() - 60_000, Date.now())!;
  expect(happenings.map(({ text }) => text)).toEqual([
    'operator begins: pause node-2',
    'pause node-2, by operator: done',
  ]);
});

test('a change that the tool refuses is refused here, in its words, and nothing is done', async () => {
  const { plan, begin, ended, cluster } = await changeable(true);
  cluster.servers[1]!.fallSilent();
  const request = { command: 'pause', words: ['node-2'] };
  const { refusal } = await plan(request);
  expect(refusal).toContain('node-2');
  expect(await begin(request)).toBe(202);
  expect(await ended()).toMatchObject({ outcome: 'refused', reason: refusal });
  expect(cluster.servers.flatMap(({ told }) => told)).toEqual([]);
});

test('what would be done and is not what was shown is refused', async () => {
  const { post, plan, ended, cluster } = await changeable(true);
  // Without a name the tool chooses, and chooses somebody else by then.
  const request = { command: 'transfer', words: [] };
  const shown = await plan(request);
  expect(shown.title).toBe('hand leadership to node-2');
  cluster.servers[1]!.isHealthy = false;
  expect((await post('acts', { ...request, plan: shown.id })).status).toBe(202);
  expect(await ended()).toMatchObject({
    outcome: 'refused',
    reason: expect.stringContaining('look at the plan again'),
  });
  expect((await post('acts', request)).status).toBe(202);
  expect(await ended()).toMatchObject({ outcome: 'refused' });
  expect(cluster.servers.flatMap(({ told }) => told)).toEqual([]);
});

test('every command of the page has a form, and a plan or the tool’s sentence why there is none', async () => {
  const { ask, own, plan, cluster } = await changeable(true);
  const forms = (await (await ask('/api/forms', { headers: own })).json()) as ActForm[];
  expect(forms.map(({ command }) => command).toSorted()).toEqual(Object.keys(actWords).toSorted());
  for (const { command, servers } of forms) {
    const words = servers === 'none' ? [] : ['node-3'];
    const { steps, refusal, notes } = await plan({ command, words });
    expect(steps.length > 0 || (refusal ?? notes.join('')) !== '', command).toBe(true);
  }
  expect(cluster.servers.flatMap(({ told }) => told)).toEqual([]);
});

test('a server leaves, and a conductor is stopped, leadership first', async () => {
  const { begin, ended, cluster } = await changeable(true);
  expect(await begin({ command: 'leave', words: ['node-1'] })).toBe(202);
  expect(await ended()).toMatchObject({ outcome: 'done', afterwards: ['stop the conductor of node-1'] });
  expect(cluster.members).toEqual(['node-2', 'node-3']);
  expect(cluster.leader?.id).toBe('node-2');
  cluster.members = ['node-1', 'node-2', 'node-3'];
  expect(await begin({ command: 'stop', words: ['node-2'] })).toBe(202);
  expect(await ended()).toMatchObject({ outcome: 'done' });
  expect(cluster.servers[1]!.told.at(-1)).toBe('conductor_stop');
});

test('a deployment shows what its command prints, and is taken back when it is interrupted twice', async () => {
  const { begin, post, until, ended, audited } = await changeable(true, {
    deploy: 'echo to $SERVER_ID; exec sleep 600',
  });
  expect(await begin({ command: 'rolling', words: [] })).toBe(202);
  const { steps } = await until(({ notes }) => notes.length > 0);
  expect(steps.map(({ state }) => state)).toContain('started');
  expect((await post('interrupts', {})).status).toBe(202);
  expect((await post('interrupts', {})).status).toBe(202);
  expect(await ended()).toMatchObject({ outcome: 'interrupted', notes: ['to node-2'] });
  expect((await post('interrupts', {})).status).toBe(409);
  expect(audited.map((line) => (line as string[])[0])).toEqual([
    'change begun',
    'change interrupted',
    'change interrupted',
    'change ended',
  ]);
});

test('a cluster file that says something else by now is not worked with', async () => {
  const { plan, cluster, file } = await changeable(true, { deploy: 'true' });
  expect((await plan({ command: 'rolling', words: [] })).refusal).toBeNull();
  writeFileSync(file, cluster.clusterFile('false'));
  expect((await plan({ command: 'rolling', words: [] })).refusal).toContain('start the console again');
  expect((await plan({ command: 'pause', words: ['node-2'] })).refusal).toBeNull();
});

test('nothing is changed without --allow-changes, without the proof, or by what the page has no button for', async () => {
  const closed = await changeable(false);
  for (const path of ['plans', 'acts', 'interrupts'])
    expect((await closed.post(path, { command: 'pause', words: ['node-2'] })).status).toBe(403);
  const { post, enter, cluster } = await changeable(true);
  const { cookie } = await enter();
  expect((await post('acts', { command: 'pause', words: ['node-2'] }, { cookie })).status).toBe(403);
  for (const body of [
    { command: 'migrate', words: [] },
    { command: 'toString', words: [] },
    { command: 'pause', words: ['--all'] },
    { command: 'pause', words: 'node-2' },
    { command: 'pause', words: ['node-2'], flags: { yes: true } },
    { command: 'pause', words: [], flags: { all: 'yes' } },
    { command: 'canary', words: [], flags: { leader: '--fresh' } },
  ])
    expect((await post('acts', body)).status, JSON.stringify(body)).toBe(400);
  expect([...cluster.servers, ...closed.cluster.servers].flatMap(({ told }) => told)).toEqual([]);
});

test('of two changes of a cluster the second is refused', async () => {
  const { begin, ended } = await changeable(true);
  const answers = await Promise.all(['node-2', 'node-3'].map((id) => begin({ command: 'pause', words: [id] })));
  expect(answers.toSorted()).toEqual([202, 409]);
  await ended();
});

test('a body without a length, or of more than a few kilobytes, is not read', async () => {
  const { ask } = serve();
  const large = 'token='.padEnd(5000, 'x');
  expect((await ask('/enter', { method: 'POST', body: large })).status).toBe(413);
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
  expect((await ask('/enter', { method: 'POST', body: endless })).status).toBe(413);
  expect((await ask('/enter', { method: 'POST', body: 'token=x' })).status).toBe(403);
});
