/**
 * Conductors under mutual TLS with certificates of infra/tls/make-ca.sh, as real processes: they form a
 * cluster; a server with another CA's, an expired or another server's certificate is kept out; renewed
 * files let it in without a restart; and idle connections do not keep it out.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { waitFor } from '../../cluster/wait.ts';
import { dial } from '../hostile-bytes.ts';
import { LoneConductor } from '../lone-conductor.ts';

const SCRIPT = join(import.meta.dirname, '../../../infra/tls/make-ca.sh');
const WAIT_MS = 30_000;
/** More than a raft port takes from one address. */
const IDLE_CONNECTIONS = 2100;
const hasOpenssl = Bun.which('openssl') !== null;

const folder = mkdtempSync(join(tmpdir(), 'conductor-mtls-'));
const tls = join(folder, 'tls');
const [a, b, c] = ['a', 'b', 'c'].map((id) => new LoneConductor(join(folder, id), id)) as [
  LoneConductor,
  LoneConductor,
  LoneConductor,
];

function script(...words: readonly string[]): { code: number; said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', SCRIPT, ...words]);
  return { code: exitCode, said: `${stdout.toString()}${stderr.toString()}` };
}

function needsOpenssl(context: TestContext): void {
  if (!hasOpenssl) context.skip('openssl is not installed');
}

function make(...words: readonly string[]): void {
  const { code, said } = script(...words);
  if (code !== 0) throw new Error(said);
}

/** The three flags of a server, by default with its own certificate of the common authority. */
function tlsFlags(id: string, from = tls): string[] {
  const file = (name: string): string => join(from, name);
  return [
    `--consensus.tls.cert=${file(`${id}.pem`)}`,
    `--consensus.tls.key=${file(`${id}.key`)}`,
    `--consensus.tls.ca=${file('ca.pem')}`,
  ];
}

async function counted(conductor: LoneConductor, series: string): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${conductor.metricsPort}/`)).text();
  const line = page.split('\n').find((one) => one.startsWith(`op_conductor_${series} `));
  return Number(line?.slice(line.lastIndexOf(' ') + 1) ?? 0);
}

async function leaderIdOf(conductor: LoneConductor): Promise<string> {
  const { result } = (await conductor.call('conductor_leaderWithID')).body;
  return (result as { readonly id: string }).id;
}

/** Waits until it knows one of `leaders` as its leader; resolves with that one. */
async function knowsLeader(conductor: LoneConductor, leaders: readonly LoneConductor[]): Promise<LoneConductor> {
  return waitFor(`${conductor.id} to know a leader`, WAIT_MS, async () => {
    const id = await leaderIdOf(conductor);
    return leaders.find((one) => one.id === id) ?? null;
  }).catch((thrown: unknown) => {
    throw new Error(`${String(thrown)}; ${[conductor, ...leaders].map((one) => one.output).join('\n')}`, {
      cause: thrown,
    });
  });
}

/** Waits until `rejecting`, who leads, has found once more that it cannot talk to a server of that certificate. */
async function isRejectedBy(rejecting: LoneConductor): Promise<void> {
  const series = 'raft_dial_failures_total{reason="unauthorized"}';
  const before = await counted(rejecting, series);
  await waitFor(`${rejecting.id} to reject`, WAIT_MS, async () =>
    (await counted(rejecting, series)) > before ? true : null,
  );
}

afterAll(async () => {
  for (const conductor of [a, b, c]) await conductor[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('the script', () => {
  test('makes files that only their owner reads, adds servers to an authority, and replaces nothing by itself', (context) => {
    needsOpenssl(context);
    const other = join(folder, 'script');
    make(other, 'x');
    make(other, 'y.z_1');
    expect(readdirSync(other).toSorted()).toEqual(['ca.key', 'ca.pem', 'x.key', 'x.pem', 'y.z_1.key', 'y.z_1.pem']);
    for (const name of readdirSync(other)) expect(statSync(join(other, name)).mode & 0o077, name).toBe(0);
    const verified = Bun.spawnSync(['openssl', 'verify', '-CAfile', join(other, 'ca.pem'), join(other, 'y.z_1.pem')]);
    expect(verified.stdout.toString()).toContain('OK');
    expect(script(other, 'x')).toMatchObject({ code: 1, said: expect.stringContaining('--renew') as string });
  });

  test.for<readonly [readonly string[], RegExp]>([
    [[], /^usage:/],
    [[join(folder, 'no')], /^usage:/],
    [[join(folder, 'no'), 'a b'], /cannot be a server id/],
    [[join(folder, 'no'), 'ca'], /cannot be a server id/],
    [['--days', 'x', join(folder, 'no'), 'a'], /--days needs a number/],
    [['--nope'], /unknown option --nope/],
  ])('%# refuses what it cannot use, and makes nothing', ([words, said], context) => {
    needsOpenssl(context);
    const refused = script(...words);
    expect(refused.code).toBe(1);
    expect(refused.said).toMatch(said);
    expect(readdirSync(folder)).not.toContain('no');
  });
});

describe('three conductors', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    if (!hasOpenssl) return;
    make(tls, 'a', 'b', 'c');
    a.start(['--raft.bootstrap', '--rpc.enable-admin', ...tlsFlags('a')]);
    b.start(['--rpc.enable-admin', ...tlsFlags('b')]);
    c.start(tlsFlags('c'));
    await a.answers('conductor_leader', true);
    for (const other of [b, c]) await other.answers('conductor_leader', false);
    for (const other of [b, c]) {
      expect((await a.call('conductor_addServerAsVoter', [other.id, other.raftAddress, 0])).body).toMatchObject({
        result: null,
      });
    }
  }, 120_000);

  test('form a cluster', async (context) => {
    needsOpenssl(context);
    await knowsLeader(b, [a, b]);
    await knowsLeader(c, [a, b]);
  });

  test('keep out one of another authority, and one that has expired', async (context) => {
    needsOpenssl(context);
    const foreign = join(folder, 'foreign');
    const expired = join(folder, 'expired');
    make(foreign, 'c');
    Bun.spawnSync(['cp', '-r', tls, expired]);
    make('--renew', '--days', '0', expired, 'c');
    for (const from of [foreign, expired]) {
      await c.kill();
      c.output = '';
      c.start(tlsFlags('c', from));
      await c.answers('conductor_leader', false);
      await isRejectedBy(await knowsLeader(b, [a, b]));
      expect((await c.call('conductor_leaderWithID')).body.result).toMatchObject({ id: '' });
      if (from === expired) await c.wrote(/lvl=error msg="the TLS certificate of this conductor has expired/);
    }
    make('--renew', expired, 'c');
    await c.wrote(/read the TLS files again/);
    await knowsLeader(c, [a, b]);
  });

  test("do not start with another server's certificate", async (context) => {
    needsOpenssl(context);
    await c.kill();
    c.output = '';
    c.start(tlsFlags('b'));
    expect(await c.ended()).toBe(1);
    expect(c.output).toMatch(/Application failed.*b\.pem is for b.*not for the server id c/);
  });

  test(`are not kept apart by ${IDLE_CONNECTIONS} idle connections, opened before and after they connect`, async (context) => {
    needsOpenssl(context);
    const sockets: Socket[] = [];
    const flood = async (): Promise<void> => {
      for (const target of [a, b]) {
        for (let each = 0; each < IDLE_CONNECTIONS / 2; each += 100) {
          sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => dial(target.raftPort)))));
        }
      }
    };
    await flood();
    c.start(tlsFlags('c'));
    await knowsLeader(c, [a, b]);
    await flood();
    const leader = await knowsLeader(c, [a, b]);
    expect(await counted(leader, 'raft_connections_rejected_total{reason="displaced"}')).toBeGreaterThan(0);
    const version = async (conductor: LoneConductor): Promise<number> =>
      ((await conductor.call('conductor_clusterMembership')).body.result as { version: number }).version;
    const before = await version(leader);
    expect((await leader.call('conductor_demoteVoter', ['c', 0])).body).toMatchObject({ result: null });
    const after = await version(leader);
    expect(after).toBeGreaterThan(before);
    await waitFor('c to have the change', WAIT_MS, async () => ((await version(c)) >= after ? true : null));
    for (const socket of sockets) socket.destroy();
  });
});
