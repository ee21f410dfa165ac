/**
 * What supervisors see: 0 after an orderly end, 1 when it could not start or its store failed, 2 when it
 * was forced. And profiles, which the compiled program must be able to make.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from 'bun:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { conductorCommand } from '../../cluster/conductor-command.ts';
import { freePorts } from '../../cluster/free-ports.ts';
import { LoneConductor } from '../lone-conductor.ts';

vi.setConfig({ testTimeout: 90_000 });

/** Largest file of a process with a limit, in the shell's blocks of 512 or 1024 bytes. */
const FILE_BLOCKS_MAX = 512;
/** More changes than fit into that. */
const CHANGES_MAX = 2000;

function lone(): LoneConductor {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-exit-'));
  const conductor = new LoneConductor(folder, 'solo');
  onTestFinished(async () => {
    await conductor[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return conductor;
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s: an orderly end, with 0 and a last line that says so', async (signal) => {
  const conductor = lone();
  conductor.start(['--raft.bootstrap']);
  await conductor.answers('conductor_leader', true);
  conductor.signal(signal);
  expect(await conductor.ended()).toBe(0);
  await conductor.wrote(/lvl=info msg="OpConductor stopped"\n$/);
});

test('SIGHUP takes the log level of the file of options, which healthcheck reads too, and names what needs a restart', async () => {
  const conductor = lone();
  const config = join(conductor.storageDir, '..', 'conductor.yaml');
  const options = `raft.bootstrap: true\nrpc.port: ${conductor.rpcPort}\n`;
  writeFileSync(config, `${options}log.level: warn\n`);
  conductor.start([`--config=${config}`]);
  await conductor.answers('conductor_leader', true);
  expect(conductor.output).not.toContain('lvl=info msg="OpConductor started"');
  const env = { ...process.env, OP_CONDUCTOR_CONFIG: config };
  const asked = Bun.spawnSync([...conductorCommand(), 'healthcheck'], { env, stderr: 'pipe' });
  expect([asked.exitCode, asked.stderr.toString()]).toEqual([0, '']);
  writeFileSync(config, `${options}log.level: debug\nrpc.batch-limit: 7\n`);
  conductor.signal('SIGHUP');
  await conductor.wrote(/lvl=info msg="the log level has changed" from=warn to=debug/);
  await conductor.wrote(/lvl=warn msg="options have changed .*: restart to apply them" options=rpc\.batch-limit/);
  expect((await conductor.call('conductor_leader')).body.result).toBe(true);
  conductor.signal('SIGTERM');
  expect(await conductor.ended()).toBe(0);
  await conductor.wrote(/lvl=info msg="OpConductor stopped"\n$/);
});

test('a second signal, of either kind, forces the end with 2', async () => {
  const conductor = lone();
  conductor.start(['--raft.bootstrap']);
  await conductor.answers('conductor_leader', true);
  conductor.signal('SIGTERM');
  conductor.signal('SIGINT');
  expect(await conductor.ended()).toBe(2);
  await conductor.wrote(/lvl=crit msg="forced to end by a second signal"/);
});

test('a signal while it waits for its node ends it with 0', async () => {
  const conductor = lone();
  const [nobody] = freePorts(1) as [number];
  conductor.start([`--node.rpc=http://127.0.0.1:${nobody}`]);
  await conductor.wrote(/waiting for the node/);
  conductor.signal('SIGTERM');
  expect(await conductor.ended()).toBe(0);
});

test('a store of a newer release is refused with 1 and what to do, by export too, and stays as it is', async () => {
  const conductor = lone();
  conductor.start(['--raft.bootstrap']);
  await conductor.answers('conductor_leader', true);
  conductor.signal('SIGTERM');
  expect(await conductor.ended()).toBe(0);
  const path = join(conductor.storageDir, 'solo', 'conductor.db');
  const format = (version: number): void => {
    using database = new Database(path);
    database.run(`PRAGMA user_version = ${version}`);
    database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  };
  format(99);
  const before = readFileSync(path);
  conductor.start();
  expect(await conductor.ended()).toBe(1);
  await conductor.wrote(/newer release \(format 99, this release knows \d+\).*Start that release again, or remove/);
  const words = ['export', `--raft.storage.dir=${conductor.storageDir}`, '--raft.server.id=solo'];
  const exported = Bun.spawnSync([...conductorCommand(), ...words], { stderr: 'pipe' });
  expect(exported.exitCode).toBe(1);
  expect(`${exported.stdout.toString()}${exported.stderr.toString()}`).toContain('newer release (format 99');
  expect(readFileSync(path).equals(before)).toBe(true);
  format(2);
  conductor.start();
  await conductor.answers('conductor_leader', true);
});

test('a start that cannot be is 1', async () => {
  const conductor = lone();
  conductor.start(['--raft.lease-timeout=1ms']);
  expect(await conductor.ended()).toBe(1);
  await conductor.wrote(/lvl=crit msg="Application failed" message=.*LeaderLeaseTimeout is too low/);
});

test('a store that takes no more writes is 1', async () => {
  const conductor = lone();
  // Files cannot grow beyond the limit; without the trap the signal of that would end the process.
  const launcher = ['sh', '-c', `ulimit -f ${FILE_BLOCKS_MAX}; trap '' XFSZ; exec "$@"`, 'sh'];
  conductor.start(['--raft.bootstrap', '--rpc.enable-admin'], launcher);
  await conductor.answers('conductor_leader', true);
  // Any address that can be dialled may become a member; it need not answer.
  const address = `127.0.0.1:${conductor.rpcPort}`;
  for (let change = 0; change < CHANGES_MAX && !conductor.output.includes('lvl=crit'); change += 1) {
    const isAddition = change % 2 === 0;
    const method = isAddition ? 'conductor_addServerAsNonvoter' : 'conductor_removeServer';
    await conductor.call(method, isAddition ? ['x', address, 0] : ['x', 0]).catch(() => null);
  }
  expect(await conductor.ended()).toBe(1);
  await conductor.wrote(/lvl=crit msg="Application failed" message=.*(store|database)/i);
});

test('profiles are served, and one is written at the end', async () => {
  const conductor = lone();
  const [pprof] = freePorts(1) as [number];
  const folder = mkdtempSync(join(tmpdir(), 'conductor-pprof-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'profiles'));
  const own = ['--pprof.enabled', '--pprof.addr=127.0.0.1', `--pprof.port=${pprof}`];
  conductor.start([...own, '--pprof.type=heap', `--pprof.path=${join(folder, 'profiles')}`]);
  await conductor.wrote(/OpConductor started/);
  const get = async (path: string): Promise<unknown> => (await fetch(`http://127.0.0.1:${pprof}${path}`)).json();
  expect(await get('/debug/pprof/profile?seconds=1')).toHaveProperty('nodes');
  expect(await get('/debug/pprof/heap')).toHaveProperty('snapshot');
  conductor.signal('SIGTERM');
  expect(await conductor.ended()).toBe(0);
  const file = join(folder, 'profiles', 'conductor.heapsnapshot');
  expect(existsSync(file)).toBe(true);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('snapshot');
});

test.each([
  [['--pprof.type=mutex', '--pprof.path=/tmp/x'], /--pprof.type=mutex is a profile of Go's runtime/],
  [['--pprof.type=cpu'], /--pprof.type needs --pprof.path/],
])('%j writes no profile, says so, and is no reason not to start', async (flags, sentence) => {
  const conductor = lone();
  conductor.start(flags);
  await conductor.wrote(/OpConductor started/);
  await conductor.wrote(sentence);
});

test.each([
  ['/dev/full', 'status --rpc http://127.0.0.1:1', 1, /^the output could not be written: ENOSPC/],
  ['/dev/full', 'status --rpc http://127.0.0.1:1 --json', 1, /^the output could not be written: ENOSPC/],
  ['/dev/null', 'completion nosuch', 2, /'nosuch' is invalid/],
  ['/dev/null', 'statsu', 2, /^"statsu" is no command; did you mean status\?\n$/],
  // As in a manifest of op-conductor's image, beside the entry point of ours.
  ['/dev/null', 'op-conductor statsu', 2, /^"statsu" is no command; did you mean status\?\n$/],
  ['/dev/null', '/usr/local/bin/op-conductor version', 0, /^$/],
  ['/dev/null', 'op-conductor --help', 0, /^$/],
])('what is written to %s by %s', (to, words, code, says) => {
  const line = [...conductorCommand(), ...words.split(' ')];
  const { status, stderr } = spawnSync('/bin/sh', ['-c', `"$@" > ${to}`, 'sh', ...line], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([code, expect.stringMatching(says)]);
});
