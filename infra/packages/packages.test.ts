/** What a package brings, against the files that it is made of; that package managers take it is in the full test. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packagedUnit } from './packages.ts';
import { unitStart } from './unit-start.ts';

const here = import.meta.dirname;
const { contents, scripts } = parse(readFileSync(join(here, 'nfpm.yaml'), 'utf8')) as {
  contents: { src?: string; dst: string; type?: string }[];
  scripts: Record<string, string>;
};

test('the unit starts the program where the package puts it, and is otherwise the one that is tested', () => {
  const unit = readFileSync(join(here, '../systemd/conductor.service'), 'utf8');
  const [, program] = /^ExecStart=(.*)$/m.exec(packagedUnit(unit))!;
  expect(contents.map(({ dst }) => dst)).toContain(program);
  expect(packagedUnit(unit).replace(program!, '')).toBe(unit.replace('/usr/local/bin/conductor', ''));
});

test('nothing is installed below /usr/local, and settings are kept on an upgrade', () => {
  expect(contents.filter(({ dst }) => !/^\/(usr\/(bin|lib|share)|etc\/conductor)(\/|$)/.test(dst))).toEqual([]);
  const settings = contents.filter(({ dst, type }) => dst.startsWith('/etc/') && type !== 'dir');
  expect(settings.map(({ type }) => type)).toEqual(['config|noreplace']);
});

test('its scripts are all there, are used, and are shell', () => {
  const files = readdirSync(here).filter((name) => name.endsWith('.sh'));
  expect(Object.values(scripts).toSorted()).toEqual(files.map((name) => `./${name}`).toSorted());
  const checked = files.map((name) => spawnSync('/bin/sh', ['-n', join(here, name)]).status);
  expect(checked).toEqual(files.map(() => 0));
});

test('the unit can be started by hand: its user, variables and words, and nothing of the machine’s environment', () => {
  const unit = packagedUnit(readFileSync(join(here, '../systemd/conductor.service'), 'utf8'));
  const { words, before, killSignal } = unitStart(unit, (path) => `# of ${path}\nOP_CONDUCTOR_RAFT_SERVER_ID=mine\n`);
  expect(words).toEqual(expect.arrayContaining(['--reuid=conductor', '-i', 'OP_CONDUCTOR_RAFT_SERVER_ID=mine']));
  expect(words).toContain('OP_CONDUCTOR_RAFT_STORAGE_DIR=/var/lib/conductor');
  expect(words.at(-1)).toBe('umask 0077; exec /usr/bin/conductor');
  expect(before[0]).toEqual(['mkdir', '-p', '-m', '0700', '/var/lib/conductor']);
  expect(killSignal).toBe('SIGTERM');
  expect(() => unitStart(unit.replace('%S', '%H'), () => '')).toThrow('%H');
});
