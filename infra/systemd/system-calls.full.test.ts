/**
 * Every system call of a conductor that bootstraps, leads, answers, is scraped and ends lies inside of the unit's
 * filter. Needs a compiled binary, strace and systemd-analyze.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LoneConductor } from '../../tests/process/lone-conductor.ts';

/** Only asked of root: SQLite gives new files to the owner of the folder. The unit is not root. */
const AS_ROOT_ONLY = 'fchown';
const unit = readFileSync(join(import.meta.dirname, 'conductor.service'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'conductor-calls-'));

/** The calls of a group, those of the groups within it too. */
function callsOf(group: string): string[] {
  const lines = spawnSync('systemd-analyze', ['syscall-filter', group], { encoding: 'utf8' }).stdout.split('\n');
  const words = lines.slice(1).map((line) => line.trim());
  return words.flatMap((word) => (word.startsWith('@') ? callsOf(word) : /^[a-z]/.test(word) ? [word] : []));
}

/** The filter's lines in order; ~ takes away. */
function allowed(): Set<string> {
  const calls = new Set<string>();
  for (const [, minus, groups] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    for (const call of groups!.split(' ').flatMap((group) => callsOf(group))) {
      if (minus === '~') calls.delete(call);
      else calls.add(call);
    }
  }
  return calls;
}

describe('the filter of system calls', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('lets a conductor do all it does', { timeout: 120_000 }, async (context) => {
    if ((process.env['CONDUCTOR_BIN'] ?? '') === '') return context.skip('CONDUCTOR_BIN names no compiled binary');
    for (const tool of ['strace', 'systemd-analyze']) {
      if (spawnSync(tool, ['--version']).status !== 0) return context.skip(`${tool} is not installed`);
    }
    const trace = join(folder, 'trace');
    await using conductor = new LoneConductor(join(folder, 'state'), 'node-1');
    conductor.start(['--raft.bootstrap'], ['strace', '--daemonize=grandchild', '--follow-forks', '--output', trace]);
    await conductor.answers('conductor_leader', true);
    await conductor.call('conductor_clusterMembership');
    const scraped = await fetch(`http://127.0.0.1:${conductor.metricsPort}/metrics`);
    expect(await scraped.text()).toContain('op_conductor_up 1');
    conductor.signal('SIGTERM');
    expect(await conductor.ended()).toBe(0);
    const used = new Set([...readFileSync(trace, 'utf8').matchAll(/^\d+ +([a-z]\w*)\(/gm)].map(([, call]) => call!));
    expect(used).toContain('fsync');
    used.delete(AS_ROOT_ONLY);
    const filter = allowed();
    expect([...used].filter((call) => !filter.has(call))).toStrictEqual([]);
  });
});
