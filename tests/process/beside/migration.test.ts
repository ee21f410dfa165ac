/** The commands and the start that move a directory between op-conductor and ours, as processes. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, type TestContext } from 'vitest';
import { command, commands, goDirectory } from '#conductor/migration/testing/go-directory';
import { readRecording, unpack } from '#conductor/migration/testing/unpack';
import { conductorCommand } from '../../cluster/conductor-command.ts';
import { SmallDisk } from '../../cluster/small-disk.ts';
import { LoneConductor } from '../lone-conductor.ts';

const name = 'single-restarted';

/** A storage folder with one server's directory in it. */
function storage(directory: string, serverId: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-migration-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'raft'));
  cpSync(directory, join(folder, 'raft', serverId), { recursive: true });
  return folder;
}

async function run(words: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...conductorCommand(), ...words], {
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...env },
  });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, output, errors };
}

/** As `run`, while nothing else has to go on here. */
function runNow(words: readonly string[]) {
  const { exitCode, stderr } = Bun.spawnSync([...conductorCommand(), ...words]);
  return { code: exitCode, errors: stderr.toString() };
}

/** A small disk, or the test is skipped and says why. */
function mounted(context: TestContext, path: string): SmallDisk {
  const disk = SmallDisk.mount(path);
  if (typeof disk === 'string') return context.skip(disk);
  return disk;
}

describe('conductor started on a directory of op-conductor', () => {
  test('takes it over, leads the cluster in it, and goes on after kill −9', async () => {
    const { serverId, logs, stable } = readRecording(name);
    const servers = logs.findLast(({ Configuration }) => Configuration !== undefined)?.Configuration ?? [];
    const folder = storage(unpack(name), serverId);
    const lone = new LoneConductor(folder, serverId);
    onTestFinished(() => lone[Symbol.asyncDispose]());
    const flags = ['--rpc.enable-admin', `--consensus.advertised=${servers[0]?.Address}`];
    for (let life = 1; life <= 2; life += 1) {
      lone.start(flags);
      await lone.answers('conductor_leader', true);
      const membership = (await lone.call('conductor_clusterMembership')).body.result;
      expect(membership).toMatchObject({
        servers: servers.map(({ ID, Address, Suffrage }) => ({ id: ID, addr: Address, suffrage: Suffrage })),
      });
      await lone.kill();
    }
    expect(lone.output.match(/imported op-conductor's store/g)).toHaveLength(1);
    const where = ['--raft.storage.dir', join(folder, 'raft'), '--raft.server.id', serverId];
    const { code, output } = await run(['export', ...where, '--json']);
    expect(code).toBe(0);
    const report = JSON.parse(output) as { term: number; lastIndex: number };
    expect(report.term).toBeGreaterThan(stable['CurrentTerm']?.value ?? 0);
    expect(report.lastIndex).toBeGreaterThan(readRecording(name).lastIndex);
  });

  test('refuses to start where it cannot tell which log is current', async () => {
    const { serverId } = readRecording(name);
    const folder = storage(unpack(name), serverId);
    rmSync(join(folder, 'raft', serverId, 'raft-stable.db'));
    const lone = new LoneConductor(folder, serverId);
    onTestFinished(() => lone[Symbol.asyncDispose]());
    lone.start();
    expect(await lone.ended()).toBe(1);
    expect(lone.output).toMatch(/raft-stable\.db is missing/);
  });
});

describe('a full disk', () => {
  test('makes an import and an export fail without a trace, and both go on when there is space', (context) => {
    const folder = storage(goDirectory({ entries: commands(1, 40, 1, 50_000), currentTerm: 1 }), 'n1');
    using disk = mounted(context, join(folder, 'disk'));
    cpSync(join(folder, 'raft'), disk.path, { recursive: true });
    const directory = join(disk.path, 'n1');
    const where = ['--raft.storage.dir', disk.path, '--raft.server.id', 'n1'];
    for (const word of ['import', 'export']) {
      const before = readdirSync(directory);
      disk.fill();
      const failed = runNow([word, ...where]);
      expect(failed.code).toBe(1);
      expect(failed.errors).toMatch(/full|no space/i);
      expect(readdirSync(directory)).toEqual(before);
      disk.empty();
      expect(runNow([word, ...where])).toMatchObject({ code: 0 });
      for (const leftover of readdirSync(directory)) {
        if (/\.(imported|exported)$/.test(leftover)) rmSync(join(directory, leftover), { recursive: true });
      }
    }
  });
});

describe('conductor import and conductor export', () => {
  test('report in sentences or as JSON, and end with 0, 1 or 2', async () => {
    const folder = storage(goDirectory({ entries: [command(1, 1), command(2, 1)], currentTerm: 1 }), 'n1');
    const directory = join(folder, 'raft', 'n1');
    const env = { OP_CONDUCTOR_RAFT_STORAGE_DIR: join(folder, 'raft'), OP_CONDUCTOR_RAFT_SERVER_ID: 'n1' };
    const before = readdirSync(directory);
    const checked = await run(['import', '--dry-run', '--json'], env);
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.output)).toMatchObject({
      outcome: 'checked',
      directory,
      firstIndex: 1,
      lastIndex: 2,
      term: 1,
    });
    expect(readdirSync(directory)).toEqual(before);
    expect(await run(['import'], env)).toMatchObject({
      code: 0,
      output: expect.stringContaining('imported entries 1 to 2') as string,
    });
    expect(await run(['import'], env)).toMatchObject({
      code: 0,
      output: expect.stringContaining('nothing to import') as string,
    });
    expect(await run(['export', '--dry-run'], env)).toMatchObject({
      code: 0,
      output: expect.stringContaining('can be exported: entries 1 to 2') as string,
    });
    expect(await run(['export'], env)).toMatchObject({
      code: 0,
      output: expect.stringContaining('op-conductor can be started') as string,
    });
    const again = await run(['export', '--json'], env);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.output)).toMatchObject({ outcome: 'in-place' });
    const elsewhere = { ...env, OP_CONDUCTOR_RAFT_STORAGE_DIR: join(directory, 'none') };
    const refused = await run(['export', '--json'], elsewhere);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.output)).toMatchObject({ outcome: 'refused' });
    for (const command of ['import', 'export']) {
      expect(await run([command])).toMatchObject({
        code: 2,
        errors: expect.stringContaining('--raft.storage.dir') as string,
      });
      expect(await run([command, '--raft.server.id=../n1'], env)).toMatchObject({ code: 2 });
      const help = await run([command, '--help']);
      expect(help.code).toBe(0);
      expect(help.output).toMatch(/--dry-run[\s\S]*--json[\s\S]*Exit codes/);
    }
  });
});
