/**
 * Admin methods behind tokens and JWTs, on the real process: who passes and who does not, files that
 * change while it runs, the audit log, and that no secret is ever written.
 */
import { createHash, createHmac } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../cluster/wait.ts';
import { LoneConductor } from '../lone-conductor.ts';

const UNAUTHORIZED = -40_100;
const WAIT_MS = 20_000;
const alice = 'alice-token-0123456789';
const bob = 'bob-token-0123456789';
const carol = 'carol-token-0123456789';
const secretHex = 'c0ffee'.padEnd(64, '1');
const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');

const folder = mkdtempSync(join(tmpdir(), 'conductor-auth-'));
const tokensFile = join(folder, 'tokens');
const secretFile = join(folder, 'jwt.hex');
const conductor = new LoneConductor(join(folder, 'solo'), 'solo');

function write(path: string, text: string, mode = 0o600): void {
  writeFileSync(path, text);
  chmodSync(path, mode);
}

function jwt(claims: object, key = secretHex): string {
  const body = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${body}.${createHmac('sha256', Buffer.from(key, 'hex')).update(body).digest('base64url')}`;
}

const now = (): number => Math.floor(Date.now() / 1000);
const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
const basic = (text: string): Record<string, string> => ({ Authorization: `Basic ${btoa(text)}` });

beforeAll(async () => {
  write(tokensFile, `# people\nalice ${alice}\nbob sha256:${sha256(bob)}\n`, 0o644);
  write(secretFile, `0x${secretHex}\n`);
  conductor.start([
    '--raft.bootstrap',
    '--rpc.enable-admin',
    `--rpc.auth.tokens-file=${tokensFile}`,
    `--rpc.auth.jwt-secret=${secretFile}`,
  ]);
  await conductor.answers('conductor_leader', true);
}, 60_000);

afterAll(async () => {
  await conductor[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('admin methods', () => {
  test.each<[string, () => Record<string, string>]>([
    ['nothing', () => ({})],
    ['a wrong token', () => bearer(carol)],
    ['a digest in place of its token', () => bearer(sha256(bob))],
    ['the token of another name', () => basic(`bob:${alice}`)],
    ['a JWT of another secret', () => bearer(jwt({ iat: now() }, 'ab'.repeat(32)))],
    ['a JWT of an hour ago', () => bearer(jwt({ iat: now() - 3600 }))],
  ])('with %s are refused: 401, how to authenticate, and nothing is done', async (_, headers) => {
    const reply = await conductor.call('conductor_overrideLeader', [true], headers());
    expect(reply.status).toBe(401);
    expect(reply.headers.get('WWW-Authenticate')).toMatch(/^Bearer /);
    expect(reply.body.error?.code).toBe(UNAUTHORIZED);
    expect(reply.body.error?.message).toMatch(/^unauthorized: .*Authorization: Bearer/);
    expect((await conductor.call('conductor_leaderOverridden')).body.result).toBe(false);
  });

  test.each<[string, () => Record<string, string>]>([
    ['alice', () => bearer(alice)],
    ['bob', () => basic(`bob:${bob}`)],
    ['jwt', () => bearer(jwt({ iat: now(), exp: null }))],
    ['jwt:ops', () => bearer(jwt({ iat: now(), sub: 'ops' }))],
  ])('are open to %s, and the audit log says so', async (name, headers) => {
    for (const claimed of [true, false]) {
      expect(await conductor.call('conductor_overrideLeader', [claimed], headers())).toMatchObject({
        status: 200,
        body: { result: null },
      });
    }
    const line = `method=conductor_overrideLeader params=[true] from=127.0.0.1 as=${name} outcome=done state=overridden before=false after=true`;
    await conductor.wrote(new RegExp(line.replaceAll(/[[\].]/g, '\\$&')));
  });

  test('in a batch are refused one by one; the rest is answered', async () => {
    const calls = [
      { jsonrpc: '2.0', id: 1, method: 'conductor_pause' },
      { jsonrpc: '2.0', id: 2, method: 'conductor_paused' },
    ];
    const reply = await conductor.send(calls, bearer(carol));
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject([
      { id: 1, error: { code: UNAUTHORIZED } },
      { id: 2, result: true },
    ]);
  });

  test('that are refused leave an audit line too, wrong parameters included, and are counted', async () => {
    await conductor.call('conductor_removeServer', ['solo', 0]);
    await conductor.wrote(
      /msg="admin call" method=conductor_removeServer params="\[solo 0\]" from=127\.0\.0\.1 outcome=unauthorized err=/,
    );
    await conductor.call('conductor_removeServer', ['solo', 'x'], bearer(alice));
    await conductor.wrote(/msg="admin call" method=conductor_removeServer params="\[solo x\]".* outcome=invalid err=/);
    const page = await (await fetch(`http://127.0.0.1:${conductor.metricsPort}/`)).text();
    expect(page).toContain('op_conductor_admin_calls_total{method="conductor_removeServer",outcome="unauthorized"} 1');
    expect(page).toContain('op_conductor_admin_calls_total{method="conductor_removeServer",outcome="invalid"} 1');
    expect(page).not.toContain('alice');
  });

  test('are all that is closed: op-node needs no token', async () => {
    for (const method of ['conductor_leader', 'conductor_active', 'conductor_clusterMembership', 'health_status']) {
      const reply = await conductor.call(method, [], bearer('whatever'));
      expect([reply.status, reply.body.error], method).toEqual([200, undefined]);
    }
    const commit = await conductor.call('conductor_commitUnsafePayload', [{}]);
    expect([commit.status, commit.body.error?.code]).toEqual([200, -32_602]);
  });
});

describe('files that change while it runs', () => {
  const passes = async (token: string): Promise<boolean> =>
    (await conductor.call('conductor_pause', [], bearer(token))).status === 200;

  test('a new token is accepted and the old one no longer, without a restart', async () => {
    write(tokensFile, `carol ${carol}\n`);
    await waitFor("carol's token to be accepted", WAIT_MS, async () => ((await passes(carol)) ? true : null));
    expect(await passes(alice)).toBe(false);
  });

  test('a new JWT secret is accepted and the old one no longer, without a restart', async () => {
    const newSecret = 'beef'.repeat(16);
    write(secretFile, newSecret);
    const isTaken = async (key: string): Promise<boolean> => passes(jwt({ iat: now() }, key));
    await waitFor('the new secret to be in force', WAIT_MS, async () => ((await isTaken(newSecret)) ? true : null));
    expect(await isTaken(secretHex)).toBe(false);
  });

  test('a bad file changes nothing but the log', async () => {
    write(tokensFile, 'a-secret-on-a-line-of-its-own\n');
    await conductor.wrote(
      /lvl=warn msg="a file with secrets has changed.*stays in force.*" flag=rpc\.auth\.tokens-file .*line 1/,
    );
    expect(await passes(carol)).toBe(true);
  });

  test('SIGHUP has them read at once, ends nothing and takes the lead from nobody', async () => {
    write(tokensFile, `carol ${carol}\nbob ${bob}\n`);
    conductor.signal('SIGHUP');
    await conductor.wrote(/msg="received SIGHUP: tokens, secrets and certificates were read again/);
    expect(await passes(bob)).toBe(true);
    expect((await conductor.call('conductor_leader')).body.result).toBe(true);
  });

  test('nothing of all that was written holds a secret', () => {
    expect(conductor.output).toContain('every user of this machine can read');
    for (const secret of [alice, bob, sha256(bob), carol, secretHex, 'a-secret-on-a-line', 'eyJ']) {
      expect(conductor.output).not.toContain(secret);
    }
  });
});

describe('starts', () => {
  async function output(flags: readonly string[], until?: RegExp): Promise<{ code: number | null; text: string }> {
    const other = new LoneConductor(join(folder, 'other'), 'other');
    try {
      other.start(flags);
      if (until === undefined) return { code: await other.ended(), text: other.output };
      await other.wrote(until);
      return { code: null, text: other.output };
    } finally {
      await other[Symbol.asyncDispose]();
    }
  }

  test('with a file that cannot be used end with exit code 1 and a line that names it', async () => {
    write(join(folder, 'bad'), 'only-one-secret-word\n');
    const { code, text } = await output([`--rpc.auth.tokens-file=${join(folder, 'bad')}`]);
    expect(code).toBe(1);
    expect(text).toMatch(
      /lvl=crit msg="Application failed" message=.*--rpc\.auth\.tokens-file: .*bad cannot be used: line 1/,
    );
    expect(text).not.toContain('only-one-secret-word');
    const missing = await output([`--rpc.auth.jwt-secret=${join(folder, 'nowhere')}`]);
    expect([missing.code, missing.text]).toEqual([1, expect.stringMatching(/--rpc\.auth\.jwt-secret: .*ENOENT/)]);
  });

  test('with admin methods or raft beyond loopback and nothing before them warn of it, loudly', async () => {
    // Nobody answers at that node, so that nothing is bound to the open addresses while the test looks.
    const flags = [
      '--rpc.addr=0.0.0.0',
      '--rpc.enable-admin',
      '--consensus.addr=0.0.0.0',
      '--node.rpc=http://127.0.0.1:1',
    ];
    const { text } = await output(flags, /raft port has no authentication/);
    expect(text).toMatch(/lvl=warn msg="ADMIN METHODS ARE OPEN: .*--rpc\.auth\.tokens-file/);
    expect(text).toMatch(/lvl=warn msg="the raft port has no authentication.*--consensus\.tls/);
  });
});
