/**
 * A deb and an rpm with the compiled binary as a machine takes them, in a root of its own: installed by its package manager with
 * the packages' scripts, started by the command line of the unit as a member of a cluster of three, upgraded under the running
 * service, ended by the unit's signal, which hands leadership over, removed, purged.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, type TestContext } from 'vitest';
import { compiledConductor } from '../../tests/cluster/conductor-command.ts';
import { freePorts } from '../../tests/cluster/free-ports.ts';
import { HealthyNode } from '../../tests/cluster/healthy-node.ts';
import { waitFor } from '../../tests/cluster/wait.ts';
import { LoneConductor } from '../../tests/process/lone-conductor.ts';
import { makePackages, needNfpm } from './packages.ts';
import { OwnRoot } from './own-root.ts';
import { unitStart } from './unit-start.ts';

const toolMsMax = 20 * 60_000;
const startMsMax = 30_000;
const endMsMax = 25_000;
/** Package managers wait for the disk after each file. */
const testMsMax = 300_000;
const folder = mkdtempSync(join(tmpdir(), 'conductor-service-'));
const unitFile = '/usr/lib/systemd/system/conductor.service';
const settingsFile = '/etc/conductor/conductor.env';
const store = '/var/lib/conductor';
const [mine, theirs] = [process.arch === 'arm64' ? 'arm64' : 'amd64', process.arch === 'arm64' ? 'aarch64' : 'x86_64'];

let tool: Awaited<ReturnType<typeof needNfpm>>;
let root: OwnRoot | null = null;
let service: Bun.Subprocess | null = null;
/** Its log, to its end. */
let said = Promise.resolve('');
/** The op-node and execution client beside it. */
let node: HealthyNode | null = null;
/** The other members of its cluster, on this machine. */
let others: LoneConductor[] = [];
const [raftPort, rpcPort, metricsPort] = freePorts(3) as [number, number, number];

beforeAll(async () => {
  tool = await needNfpm();
}, toolMsMax);
afterEach(async () => {
  service?.kill('SIGKILL');
  await service?.exited;
  service = null;
  await node?.stop();
  node = null;
  for (const other of others) await other[Symbol.asyncDispose]();
  others = [];
  await root?.remove();
  root = null;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The packages of a version. */
function packagesOf(tool: string, version: string): { readonly deb: string; readonly rpm: string } {
  const binary = compiledConductor();
  const options = { binary, arch: mine, version, program: [binary], timeSeconds: 1_700_000_000, outdir: folder };
  const [deb, rpm] = makePackages(tool, options) as [string, string];
  return { deb, rpm };
}

async function ready(context: TestContext, manager: string): Promise<OwnRoot | null> {
  if ('missing' in tool) context.skip(tool.missing);
  if (Bun.which(manager) === null) context.skip(`${manager} is not installed`);
  if (process.getuid?.() !== 0) context.skip('a root of its own takes root');
  const made = await OwnRoot.make();
  if (typeof made === 'string') context.skip(made);
  else root = made;
  return root;
}

/** Runs it in the root; it must succeed. */
function run(...words: string[]): string {
  const { code, said } = root!.run(words);
  expect(code, `${words.join(' ')}: ${said}`).toBe(0);
  return said;
}

/** Starts the unit's command line; resolves with the process when it answers. */
async function start(): Promise<void> {
  const { words, before } = unitStart(run('cat', unitFile), (path) => run('cat', path));
  for (const one of before) run(...one);
  service = Bun.spawn(root!.command(words), { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const running = service;
  said = new Response(running.stdout as ReadableStream).text();
  await waitFor('the service to answer /healthz', startMsMax, async () => {
    if (running.exitCode !== null) throw new Error(`it ended with ${running.exitCode}: ${await said}`);
    const answer = await fetch(`http://127.0.0.1:${rpcPort}/healthz`).catch(() => null);
    return answer?.ok === true ? true : null;
  });
  expect(run('readlink', `/proc/${running.pid}/exe`).trim()).toBe('/usr/bin/conductor');
}

/** A call of the service's JSON-RPC. */
async function call(method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${rpcPort}`, { method: 'POST', headers, body });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: unknown };
  expect(error).toBe(undefined);
  return result;
}

/** Takes two more servers into the cluster of the service, which leads. */
async function takeOthers(): Promise<void> {
  await waitFor('the service to lead', startMsMax, async () =>
    (await call('conductor_leader')) === true ? true : null,
  );
  for (const id of ['second', 'third']) {
    const other = new LoneConductor(join(folder, `${id}-${Date.now()}`), id);
    others.push(other);
    other.start();
    await other.answers('conductor_leader', false);
    await call('conductor_addServerAsNonvoter', id, other.raftAddress, 0);
    await call('conductor_addServerAsVoter', id, other.raftAddress, 0);
  }
}

/** Who leads of the others; null for nobody. */
async function leaderOfOthers(): Promise<string | null> {
  const said = await Promise.all(others.map(async (one) => (await one.call('conductor_leader')).body.result === true));
  return others[said.indexOf(true)]?.id ?? null;
}

/** Ends it as the unit says; resolves with its exit code. */
async function stop(): Promise<number | null> {
  const running = service!;
  running.kill(unitStart(run('cat', unitFile), (path) => run('cat', path)).killSignal);
  await waitFor('the service to end', endMsMax, () => (running.exitCode === null ? null : true));
  service = null;
  return running.exitCode;
}

/** What an operator writes into the settings. */
function configure(): void {
  node = new HealthyNode();
  const settings = {
    ...{ RAFT_SERVER_ID: 'mine', RAFT_BOOTSTRAP: true, NODE_RPC: node.url, EXECUTION_RPC: node.url },
    ...{ CONSENSUS_ADDR: '127.0.0.1', CONSENSUS_PORT: raftPort, NETWORK: 'op-mainnet' },
    ...{ HEALTHCHECK_INTERVAL: 1, HEALTHCHECK_UNSAFE_INTERVAL: 5, HEALTHCHECK_MIN_PEER_COUNT: 1 },
    ...{ RPC_ADDR: '127.0.0.1', RPC_PORT: rpcPort, RPC_ENABLE_ADMIN: true },
    ...{ METRICS_ENABLED: true, METRICS_ADDR: '127.0.0.1', METRICS_PORT: metricsPort },
  };
  const lines = Object.entries(settings).map(([name, value]) => `OP_CONDUCTOR_${name}=${value}`);
  run('sh', '-c', `printf '%s\\n' "$@" > ${settingsFile}`, 'sh', ...lines);
}

async function term(): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  return Number(/^op_conductor_raft_term\S* (\d+)$/m.exec(await answer.text())?.[1] ?? Number.NaN);
}

/** From the first start to the removal, by these words of a package manager. */
async function live(
  versions: readonly [string, string],
  manager: { install(file: string): void; upgrade(file: string): void; remove(): void },
): Promise<void> {
  manager.install(versions[0]);
  expect(run('id', '-un', 'conductor').trim()).toBe('conductor');
  const rights = run('stat', '-c', '%U:%G %a', settingsFile, '/etc/conductor');
  expect(rights).toMatch(/^root:conductor 640\nroot:conductor 750\n/);
  configure();
  await start();
  expect(run('stat', '-c', '%U %a', store).trim()).toBe('conductor 700');
  await takeOthers();
  const files = run('ls', store);
  const settings = run('cat', settingsFile);
  manager.upgrade(versions[1]);
  // Nothing was restarted, and what runs answers on.
  expect(service!.exitCode).toBe(null);
  expect((await fetch(`http://127.0.0.1:${rpcPort}/healthz`)).ok).toBe(true);
  expect(run('stat', '-c', '%U:%G %a', settingsFile, '/etc/conductor')).toBe(rights);
  const before = await term();
  expect(await leaderOfOthers()).toBe(null);
  expect(await stop()).toBe(0);
  // While it still ran: nobody had to find out that it was gone.
  expect(await said).toMatch(/leader=false .*reason="server (second|third) asks for votes in a later term"/);
  await waitFor('another to lead', startMsMax, leaderOfOthers);
  expect(run('cat', settingsFile)).toBe(settings);
  await start();
  await waitFor('the service to follow', startMsMax, async () => ((await term()) > before ? true : null));
  expect(await stop()).toBe(0);
  manager.remove();
  expect(root!.run(['test', '-e', '/usr/bin/conductor']).code).toBe(1);
  expect(root!.run(['test', '-e', unitFile]).code).toBe(1);
  expect(run('ls', store)).toBe(files);
}

test(
  'a deb: installed, started, upgraded, ended, removed with what is the operator’s left, and purged',
  { timeout: testMsMax },
  async (context) => {
    if ((await ready(context, 'dpkg')) === null || 'missing' in tool) return;
    const { path } = tool;
    const versions = ['0.1.0', '0.2.0'].map((version) => packagesOf(path, version).deb) as [string, string];
    const dpkg = (...words: string[]): string => run('dpkg', ...words);
    await live(versions, {
      install: (file) => void dpkg('--install', file),
      upgrade: (file) => void dpkg('--install', file),
      remove: () => void dpkg('--remove', 'conductor'),
    });
    expect(run('cat', settingsFile)).toContain('=mine');
    // A volume of its own, as most stores have: its folder cannot go while it is mounted.
    run('sh', '-c', `mkdir /srv/volume && mv ${store}/* /srv/volume && mount --bind /srv/volume ${store}`);
    expect(run('ls', store)).not.toBe('');
    dpkg('--purge', 'conductor');
    expect(run('dpkg-query', '--show', '--showformat', '${db:Status-Abbrev}', 'base-files')).toMatch(/^ii/);
    expect(root!.run(['dpkg-query', '--show', 'conductor']).code).toBe(1);
    expect(run('ls', '-A', store)).toBe('');
    expect(root!.run(['test', '-e', '/etc/conductor']).code).toBe(1);
    // On this machine nothing of it has happened.
    expect(existsSync(settingsFile) && statSync(settingsFile).size > 0).toBe(false);
  },
);

test(
  'an rpm: installed, started, upgraded, ended, and removed with what is the operator’s left',
  { timeout: testMsMax },
  async (context) => {
    if ((await ready(context, 'rpm')) === null || 'missing' in tool) return;
    const { path } = tool;
    const versions = ['0.1.0', '0.2.0'].map((version) => packagesOf(path, version).rpm) as [string, string];
    const rpm = (...words: string[]): string =>
      run(Bun.which('rpm')!, '--nodeps', '--ignorearch', '--nosignature', ...words);
    expect(run(Bun.which('rpm')!, '-qp', '--qf', '%{ARCH}', versions[0])).toContain(theirs);
    await live(versions, {
      install: (file) => void rpm('--install', file),
      upgrade: (file) => void rpm('--upgrade', file),
      remove: () => void run(Bun.which('rpm')!, '--nodeps', '--erase', 'conductor'),
    });
    const left = [settingsFile, `${settingsFile}.rpmsave`].find((path) => root!.run(['test', '-e', path]).code === 0);
    expect(run('cat', left!)).toContain('=mine');
  },
);
