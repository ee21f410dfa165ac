/** What the unit promises, against the program's own tables and, where it is installed, systemd itself. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { drainDeadlineMs } from '#conductor/host/host';
import { runConfig } from '#conductor/host/settings/flags-config';
import { parseFlags } from '#conductor/cli/flags-parse';

/** `systemd-analyze security` counts from 0, safe, to 100. */
const EXPOSURE_MAX = 20;
/** Room between the end that the program gives itself and the one that systemd forces, seconds. */
const SPARE_SECONDS = 5;

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
const unit = read('conductor.service');
const example = read('conductor.env.example');

/** All values of a setting, in order. */
function settings(name: string): string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);
}

/** The variables of the example, with those that are commented out if asked, and the one of the unit. */
function variables(withOptional: boolean): Record<string, string> {
  const pattern = withOptional ? /^#?(OP_\w+)=(.*)$/gm : /^(OP_\w+)=(.*)$/gm;
  const listed = [...example.matchAll(pattern)].map(([, name, value]) => [name!, value!]);
  return { ...Object.fromEntries(listed), OP_CONDUCTOR_RAFT_STORAGE_DIR: '/var/lib/conductor' };
}

/** The unit in a folder of its own, started with a program that is here; null, after saying why, without systemd. */
function installed(context: TestContext): string | null {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    context.skip('systemd-analyze is not installed');
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'conductor-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'conductor.service');
  writeFileSync(file, unit.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/sh'));
  return file;
}

describe('the systemd unit', () => {
  it('leaves the program time to end in order', () => {
    expect(Number.parseInt(settings('TimeoutStopSec')[0]!, 10)).toBeGreaterThanOrEqual(
      drainDeadlineMs / 1000 + SPARE_SECONDS,
    );
    expect(settings('KillSignal')).toStrictEqual(['SIGTERM']);
  });

  it('starts again after a failure only, and is stopped before the node that it steers', () => {
    expect(settings('Restart')).toStrictEqual(['on-failure']);
    expect(settings('RestartForceExitStatus')).toStrictEqual([
      settings('ExecReload')[0]!.replace(/^kill -(\w+) .*/, 'SIG$1'),
    ]);
    expect(settings('After')[0]).toContain('op-node.service');
  });

  it('is not given up on: during the set-up of a cluster a conductor ends at once until its node has conductors enabled', () => {
    expect(settings('StartLimitIntervalSec')).toStrictEqual(['0']);
    expect(settings('StartLimitBurst')).toStrictEqual([]);
  });

  it('may write and run memory, without which the program cannot start', () => {
    expect(settings('MemoryDenyWriteExecute')).toStrictEqual(['no']);
  });

  it('keeps state where the unit makes a folder, as a user that the package makes', () => {
    expect(settings('Environment')).toStrictEqual([
      `OP_CONDUCTOR_RAFT_STORAGE_DIR=%S/${settings('StateDirectory')[0]}`,
    ]);
    expect(read('conductor.sysusers')).toMatch(new RegExp(`^u ${settings('User')[0]} `, 'm'));
  });

  it('is understood by systemd without a word of complaint', (context) => {
    const file = installed(context);
    if (file === null) return;
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    const about = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('conductor.service'));
    expect({ status, about }).toStrictEqual({ status: 0, about: [] });
  });

  it('exposes little to whoever gets into the program', (context) => {
    const file = installed(context);
    if (file === null) return;
    const words = ['security', '--offline=true', '--no-pager', `--threshold=${EXPOSURE_MAX}`, file];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
    if (/unrecognized option/.test(stderr)) return context.skip('this systemd-analyze cannot judge files offline');
    expect(status, stdout.slice(-2000)).toBe(0);
  });
});

describe('the example of its settings', () => {
  it('is a configuration that the program accepts', () => {
    const parsed = parseFlags([], variables(false), []);
    expect(parsed.unknownVariables).toStrictEqual([]);
    expect(() => runConfig(parsed.values)).not.toThrow();
  });

  it('names no variable that the program does not know, commented out or not', () => {
    expect(Object.keys(variables(true)).length).toBeGreaterThan(Object.keys(variables(false)).length);
    expect(parseFlags([], variables(true), []).unknownVariables).toStrictEqual([]);
  });

  it('lets the execution client judge blocks before they are committed, by a secret in a file of its group', () => {
    const { values } = parseFlags([], variables(false), []);
    expect(runConfig(values)).toMatchObject({ validation: 'leader' });
    const secret = variables(false)['OP_CONDUCTOR_EXECUTION_JWT_SECRET']!;
    expect(read('README.md')).toMatch(new RegExp(`^install -m 0640 -g conductor .* ${secret}$`, 'm'));
  });

  it("has every setting that the README says the operators' commands need", () => {
    const section = read('README.md').split("operators' commands**")[1]!.split('\n- **')[0]!;
    const named = section.match(/OP_CONDUCTOR_\w+/g)!;
    expect(named).toStrictEqual(
      expect.arrayContaining([
        'OP_CONDUCTOR_RPC_ADDR',
        'OP_CONDUCTOR_RPC_ENABLE_ADMIN',
        'OP_CONDUCTOR_RPC_AUTH_TOKENS_FILE',
      ]),
    );
    expect(Object.keys(variables(true))).toStrictEqual(expect.arrayContaining(named));
    // Those that the example does not set: by itself it opens nothing.
    expect(variables(false)['OP_CONDUCTOR_RPC_ADDR']).toBe('127.0.0.1');
    expect(variables(false)).not.toHaveProperty('OP_CONDUCTOR_RPC_ENABLE_ADMIN');
  });
});
