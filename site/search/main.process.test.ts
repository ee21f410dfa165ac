import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Section } from '../engine/page.ts';
import { find } from './find.ts';
import { indexFiles } from './index-files.ts';
import { openInMemory } from './memory-source.ts';

const section = (slug: string, heading: string, prose: string, code: string[] = []): Section => ({
  route: '/builders/conductor',
  pageTitle: 'Conductor',
  trail: ['Builders'],
  slug,
  heading,
  prose,
  code,
});

const sections = [
  section('', 'Conductor', 'Keeps a sequencer running, whatever happens to one of three machines in one network.'),
  section(
    '--raftbootstrap',
    '--raft.bootstrap',
    'Creates a cluster of this one server; it is given once, to one server, and then taken away again.',
  ),
  section('conductor_pause', 'conductor_pause', 'Pauses the loop.', [
    'curl --data \'{"method":"conductor_pause"}\' http://127.0.0.1:8547',
  ]),
];

describe('npm run docs:search', () => {
  let folder = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'docs-search-'));
    mkdirSync(join(folder, 'assets/search/0'), { recursive: true });
    for (const [name, text] of indexFiles(sections)) writeFileSync(join(folder, 'assets/search/0', name), text);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(...args: string[]): { exitCode: number; stdout: string; stderr: string } {
    const env = { ...process.env, SITE_DIST: folder };
    const { exitCode, stdout, stderr } = Bun.spawnSync(
      [process.execPath, join(import.meta.dirname, 'main.ts'), ...args],
      { env },
    );
    return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
  }

  test.each([['--raft.bootstrap'], ['pause loop'], ['condcutor'], ['nowhere']])(
    '--json %s prints the dialog’s answer',
    async (query) => {
      const { exitCode, stdout } = run('--json', query);
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toEqual(await find(await openInMemory(sections), { query }));
    },
  );

  test('several words need no quotes, and a part of the site can be named', () => {
    const { stdout } = run('pause', 'loop', '--json', '--area=builders');
    expect(JSON.parse(stdout)).toMatchObject({ query: 'pause loop', area: 'builders', pages: 1 });
  });

  test('without --json it is a list in 80 columns, without terminal sequences in a pipe', () => {
    const { exitCode, stdout } = run('cluster of one server');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('1 page answers “cluster of one server”');
    expect(stdout).toContain('--raft.bootstrap  /builders/conductor#--raftbootstrap');
    expect(stdout).not.toContain('\u001b');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(run('nowhere').stdout).toContain('Nothing on this site answers “nowhere”.');
  });

  test('what cannot be done is said in a sentence, and the exit code tells', () => {
    expect(run()).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('usage: npm run docs:search'),
    });
    expect(run('--area=garden', 'fees')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is no part named garden; there are builders.'),
    });
    const file = join(folder, 'assets/search/0/head.json');
    writeFileSync(file, '[{"route":1}]');
    expect(run('fees')).toMatchObject({
      exitCode: 1,
      stderr: 'The head of the search index does not hold a list of pages.\n',
    });
    rmSync(file);
    expect(run('fees')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('npm run docs:build writes it') });
    writeFileSync(file, indexFiles(sections).get('head.json') ?? '');
  });
});
