import { afterEach, expect, test } from 'vitest';
import { serveProfiles } from './profile-server.ts';
import { Profiler } from './profiler.ts';

const servers: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

function start(options: { isLocal?: boolean; isLeading?: boolean } = {}) {
  const { isLocal = true, isLeading = false } = options;
  const server = serveProfiles({
    hostname: '127.0.0.1',
    port: 0,
    profiler: new Profiler(),
    isLocal,
    isLeading: () => isLeading,
  });
  servers.push(server);
  const get = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${path}`, init);
  return { get };
}

test('a CPU profile has nodes, samples and their times', async () => {
  const { get } = start();
  const response = await get('/debug/pprof/profile?seconds=1');
  expect(response.headers.get('content-disposition')).toContain('.cpuprofile');
  const { nodes, samples, timeDeltas } = (await response.json()) as Record<string, unknown[]>;
  expect(nodes?.length).toBeGreaterThan(0);
  expect(samples?.length).toBe(timeDeltas?.length);
});

test('a heap snapshot is one that developer tools open', async () => {
  const { get } = start();
  const snapshot = (await (await get('/debug/pprof/heap')).json()) as { snapshot: { node_count: number } };
  expect(snapshot.snapshot.node_count).toBeGreaterThan(1000);
});

test('one at a time; who hangs up ends the profile', async () => {
  const { get } = start();
  const heapStatus = async (): Promise<number> => {
    const response = await get('/debug/pprof/heap');
    await response.text();
    return response.status;
  };
  const leaving = new AbortController();
  const first = get('/debug/pprof/profile?seconds=60', { signal: leaving.signal });
  while ((await heapStatus()) !== 409);
  leaving.abort();
  await expect(first).rejects.toThrow(/abort/i);
  while ((await heapStatus()) !== 200);
});

test('nothing that stops a leader, shows secrets to others, or has no bound', async () => {
  expect((await start({ isLeading: true }).get('/debug/pprof/heap')).status).toBe(409);
  const remote = start({ isLocal: false });
  expect((await remote.get('/debug/pprof/heap')).status).toBe(403);
  for (const seconds of ['0', '61', '-1', 'x', '1e9', 'NaN'])
    expect((await remote.get(`/debug/pprof/profile?seconds=${seconds}`)).status).toBe(400);
  expect((await remote.get('/else')).status).toBe(404);
  expect((await remote.get('/', { method: 'POST', body: 'x' })).status).toBe(405);
  expect(await (await remote.get('/debug/pprof/')).text()).toContain('/debug/pprof/profile');
});

test.each<[string, Record<string, string>]>([
  ['of any origin', { Origin: 'https://evil.example' }],
  ['whose own name resolves to this machine', { Host: 'evil.example:6060' }],
  ['of another site that shows it as an image', { 'Sec-Fetch-Site': 'cross-site' }],
  ['of another name of the same site', { 'Sec-Fetch-Site': 'same-site' }],
])('nothing for a web page %s', async (_, headers) => {
  const { get } = start();
  for (const path of ['/', '/debug/pprof/profile?seconds=1', '/debug/pprof/heap'])
    expect((await get(path, { headers })).status).toBe(403);
});

test.each<[string, Record<string, string>]>([
  ['who types the address', { 'Sec-Fetch-Site': 'none' }],
  ['who comes through a tunnel', { Host: 'localhost:9999' }],
])('something for somebody %s', async (_, headers) => {
  expect((await start().get('/debug/pprof/', { headers })).status).toBe(200);
});
