/**
 * The real binary beside a development sequencer: start-up, JSON-RPC over HTTP, blocks committed and
 * read back, the admin switch, the end by SIGTERM, and starts that must fail with a clear line.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rollupConfig } from '#conductor/dev-sequencer/chain-spec';
import { conductorCommand } from '../../cluster/conductor-command.ts';

const root = join(import.meta.dirname, '../../..');
const deadlineMs = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'conductor-rpc-'));
const children: Bun.Subprocess<'ignore', 'pipe', 'inherit'>[] = [];
let ports: { node: number; execution: number; rpc: number; raft: number; metrics: number };

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer();
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}

function start(words: readonly string[]): Bun.Subprocess<'ignore', 'pipe', 'inherit'> {
  const child = Bun.spawn([...conductorCommand(), ...words], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, CONDUCTOR_DEVNET_PARENT: String(process.pid) },
  });
  children.push(child);
  return child;
}

function conductorFlags(extra: readonly string[] = []): string[] {
  return [
    '--consensus.addr=127.0.0.1',
    `--consensus.port=${ports.raft}`,
    '--raft.server.id=solo',
    `--raft.storage.dir=${join(folder, 'raft')}`,
    `--node.rpc=http://127.0.0.1:${ports.node}`,
    `--execution.rpc=http://127.0.0.1:${ports.execution}`,
    `--rollup.config=${join(folder, 'rollup.json')}`,
    '--healthcheck.interval=1',
    '--healthcheck.unsafe-interval=5',
    '--healthcheck.min-peer-count=1',
    '--rpc.addr=127.0.0.1',
    `--rpc.port=${ports.rpc}`,
    '--metrics.enabled',
    '--metrics.addr=127.0.0.1',
    `--metrics.port=${ports.metrics}`,
    '--log.format=logfmt',
    ...extra,
  ];
}

async function post(
  port: number,
  body: unknown,
): Promise<{ result?: unknown; error?: { code: number; message: string; data?: unknown } }> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  return (await response.json()) as Awaited<ReturnType<typeof post>>;
}

const call = (method: string, params: unknown[] = [], port = ports.rpc) =>
  post(port, { jsonrpc: '2.0', id: 1, method, params });

/** Waits until `holds` gives something, trying again while it throws or gives undefined. */
async function until<Found>(what: string, holds: () => Promise<Found | undefined>): Promise<Found> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const found = await holds().catch(() => undefined);
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`${what} did not happen within ${deadlineMs} ms`);
    await Bun.sleep(20);
  }
}

async function ended(words: readonly string[]): Promise<{ code: number; output: string }> {
  const child = start(words);
  const output = await new Response(child.stdout).text();
  return { code: await child.exited, output };
}

beforeAll(async () => {
  const [node, execution, rpc, raft, metrics] = await Promise.all(Array.from({ length: 5 }, freePort));
  ports = { node, execution, rpc, raft, metrics } as typeof ports;
  writeFileSync(
    join(folder, 'rollup.json'),
    JSON.stringify(rollupConfig({ genesisTime: 1_700_000_000, blockSeconds: 1, chainId: 901 }, `0x${'a1'.repeat(32)}`)),
  );
  const genesis = Math.floor(Date.now() / 1000);
  start([
    'dev-sequencer',
    `--data-dir=${join(folder, 'sequencer')}`,
    `--node-port=${ports.node}`,
    `--execution-port=${ports.execution}`,
    `--conductor-rpc=http://127.0.0.1:${ports.rpc}`,
    `--genesis-time=${genesis}`,
  ]);
  start(conductorFlags(['--raft.bootstrap', '--rpc.enable-admin']));
  await until('leadership', async () => ((await call('conductor_leader')).result === true ? true : undefined));
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map((child) => child.exited));
  rmSync(folder, { recursive: true, force: true });
});

describe('a bootstrapped conductor over HTTP', () => {
  test('is leader, paused and alone', async () => {
    expect(await call('conductor_paused')).toMatchObject({ result: true });
    expect(await call('conductor_leaderWithID')).toMatchObject({ result: { id: 'solo', suffrage: 0 } });
    expect(await call('conductor_clusterMembership')).toMatchObject({
      result: { servers: [{ id: 'solo' }], version: 1 },
    });
    const batch = await post(ports.rpc, [
      { jsonrpc: '2.0', id: 'a', method: 'conductor_leader' },
      { jsonrpc: '2.0', id: 'b', method: 'conductor_nope' },
    ]);
    expect(batch).toMatchObject([
      { id: 'a', result: true },
      { id: 'b', error: { code: -32601 } },
    ]);
  });

  test('commits the blocks of its sequencer, refuses others at their heights', async () => {
    const latest = async () =>
      (await call('eth_getBlockByNumber', ['latest', false], ports.execution)).result as {
        hash: string;
        number: string;
      };
    const { hash } = await latest();
    expect(await call('admin_startSequencer', [hash], ports.node)).toMatchObject({ result: null });
    await until('three blocks', async () => (Number((await latest()).number) >= 3 ? true : undefined));
    const page = await (await fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).text();
    expect(Number(/op_conductor_committed_block_number (\d+)/.exec(page)?.[1])).toBeGreaterThanOrEqual(3);
    expect(page).toMatch(/op_conductor_fsync_seconds_count [1-9]/);
    expect(page).toMatch(/op_conductor_loop_execution_time_count [1-9]/);
    expect(page).toContain('op_conductor_up 1');
  });

  test('resumes with what the node says', async () => {
    expect(await call('conductor_resume')).toMatchObject({ result: null });
    expect(await call('conductor_active')).toMatchObject({ result: true });
  });

  test('membership methods dial first and name what is wrong', async () => {
    const unreachable = await call('conductor_addServerAsVoter', ['x', '127.0.0.1:1', 0]);
    expect(unreachable.error).toEqual({ code: -32000, message: 'dial tcp 127.0.0.1:1: connect: connection refused' });
    expect((await call('conductor_removeServer', ['nobody', 0])).error?.message).toContain('nobody');
    expect((await call('conductor_removeServer', ['solo', 77])).error?.message).toBe(
      'configuration changed since 77 (latest is 1)',
    );
    expect((await call('conductor_transferLeader')).error?.message).toBe('cannot find peer');
  });

  test('probes', async () => {
    expect((await fetch(`http://127.0.0.1:${ports.rpc}/healthz`)).status).toBe(200);
    await until('readiness', async () =>
      (await fetch(`http://127.0.0.1:${ports.rpc}/readyz`)).status === 200 ? true : undefined,
    );
  });
});

describe('the end and the next start', () => {
  test('SIGTERM stops the sequencer and exits 0', async () => {
    const conductor = children[1] as (typeof children)[number];
    conductor.kill('SIGTERM');
    expect(await conductor.exited).toBe(0);
    expect(await call('admin_sequencerActive', [], ports.node)).toMatchObject({ result: false });
  });

  test('started again it leads with what it had, starts the sequencer by itself, and admin methods are closed by default', async () => {
    start(conductorFlags());
    await until('the sequencer runs', async () =>
      (await call('admin_sequencerActive', [], ports.node)).result === true ? true : undefined,
    );
    const closed = await call('conductor_pause');
    expect(closed.error?.code).toBe(-32601);
    expect(closed.error?.message).toContain('--rpc.enable-admin');
  });

  test('a second conductor on the same store ends with a clear line', async () => {
    const { code, output } = await ended(
      conductorFlags(['--consensus.port=0', '--rpc.port=0', '--metrics.enabled=false']),
    );
    expect(code).toBe(1);
    expect(output).toMatch(/lvl=crit msg="Application failed" message=.*(locked|another|two processes)/i);
  });

  test('a taken port and a bad flag end with a clear line', async () => {
    const taken = await ended(
      conductorFlags(['--raft.server.id=other', '--consensus.port=0', '--metrics.enabled=false']),
    );
    expect([taken.code, taken.output]).toEqual([
      1,
      expect.stringMatching(/failed to bind to address.*address already in use/),
    ]);
    const bad = await ended(['--nope']);
    expect([bad.code, bad.output]).toEqual([1, expect.stringContaining('flag provided but not defined: -nope')]);
  });
});
