import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { builtPath } from './op-stack.ts';
import { commitIn, commitOf, moduleVersionIn, opConductorVersion } from './versions.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'versions-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A checkout of one commit with one file. */
function checkout(): string {
  const folder = temporaryFolder();
  const git = (...words: string[]): void => {
    execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@t', ...words], { stdio: 'ignore' });
  };
  writeFileSync(join(folder, 'a.ts'), '1');
  git('init');
  git('add', 'a.ts');
  git('commit', '--no-gpg-sign', '-m', 'a');
  return folder;
}

test('a tree with changes that are not committed is named dirty', () => {
  const folder = checkout();
  expect(commitOf(folder)).toMatch(/^[0-9a-f]+$/);
  writeFileSync(join(folder, 'a.ts'), '2');
  expect(commitOf(folder)).toMatch(/^[0-9a-f]+-dirty$/);
});

test('so is one with a new file, but not one with new results', () => {
  const folder = checkout();
  mkdirSync(join(folder, 'bench/results'), { recursive: true });
  writeFileSync(join(folder, 'bench/results/rpc.json'), '{}');
  expect(commitOf(folder)).toMatch(/^[0-9a-f]+$/);
  writeFileSync(join(folder, 'b.ts'), '1');
  expect(commitOf(folder)).toMatch(/-dirty$/);
});

test('where there is no commit none is told', () => {
  expect(commitOf(temporaryFolder())).toBe('unknown');
});

test('a binary that was built elsewhere tells its own commit', () => {
  expect(commitIn('conductor version v0.1.0 (81658698b317-dirty), Bun 1.4.5, linux x64')).toBe('81658698b317-dirty');
  expect(commitIn('conductor version v0.1.0 (81658698b317), Bun 1.4.5, linux x64')).toBe('81658698b317');
  expect(commitIn('conductor version v0.1.0, Bun 1.4.5, linux x64')).toBeNull();
});

test("the module's version is read from Go's build information, and a development build has none", () => {
  const of = (version: string): string =>
    `x: go1.26.8\n\tpath\tgithub.com/ethereum-optimism/optimism/op-conductor/cmd\n\tmod\tgithub.com/ethereum-optimism/optimism\t${version}\t\n\tdep\tgithub.com/a/b\tv1.0.0\n`;
  expect(moduleVersionIn(of('v1.19.6'))).toBe('v1.19.6');
  expect(moduleVersionIn(of('v1.18.0+dirty'))).toBe('v1.18.0+dirty');
  expect(moduleVersionIn(of('(devel)'))).toBeNull();
  expect(moduleVersionIn('')).toBeNull();
});

test('an op-conductor of another release is recognised, and one of the right release is no other', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'op-conductor');
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const saying = (version: string): void =>
    writeFileSync(join(folder, 'go'), `#!/bin/sh\necho ' mod github.com/ethereum-optimism/optimism ${version} '\n`, {
      mode: 0o755,
    });
  saying('v1.18.0');
  expect(opConductorVersion(path)).toEqual({ words: 'v1.18.0, by its build information', isOther: true });
  saying('v1.19.6');
  expect(opConductorVersion(path)).toEqual({ words: 'v1.19.6, by its build information', isOther: false });
});

test('a binary that says nothing is told as not checked, with its sum; one built here is known', () => {
  const path = join(temporaryFolder(), 'op-conductor');
  writeFileSync(path, 'abc');
  const { words, isOther } = opConductorVersion(path);
  expect(words).toMatch(/^not checked to be v1\.19\.6 \(.+\), sha256 ba7816bf8f01cfea414140de5dae2223/);
  expect(isOther).toBe(false);
  expect(opConductorVersion(builtPath('op-conductor')).words).toBe('v1.19.6, built here from the Go module proxy');
});
