import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStaging, replaceFolder, writeFiles } from './output-folder.ts';

describe('the output folder', () => {
  let work = '';
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), 'output-'));
  });
  afterEach(() => rmSync(work, { recursive: true, force: true }));

  it('is replaced as a whole by what was written beside it', () => {
    const out = join(work, 'deep', 'site');
    for (const word of ['first', 'second']) {
      const staging = openStaging(out);
      writeFiles(staging, [
        { path: '_headers', text: word },
        { path: `a/b/${word}.md`, text: word },
      ]);
      replaceFolder(out, staging);
    }
    expect(readdirSync(join(work, 'deep'))).toEqual(['site']);
    expect(readdirSync(join(out, 'a/b'))).toEqual(['second.md']);
  });

  it('is refused when it holds something else', () => {
    writeFileSync(join(work, 'thesis.txt'), '');
    expect(() => openStaging(work)).toThrow(/holds files/);
    expect(existsSync(join(work, 'thesis.txt'))).toBe(true);
  });

  it('is freed of what stopped builds left beside it, and of nothing that a running one or someone else needs', () => {
    const gone = Bun.spawnSync([process.execPath, '--version']).pid;
    const left = [`site.new-${gone}-aaaaaa`, `site.new-${gone}-bbbbbb.old`, `site.new-${process.pid}-cccccc`];
    const needed = [
      `site.new-${process.pid}-dddddd`,
      'site.new-design',
      `site.new-${gone}`,
      `other.new-${gone}-eeeeee`,
    ];
    for (const name of [...left, ...needed]) mkdirSync(join(work, name));
    utimesSync(join(work, `site.new-${process.pid}-cccccc`), 1, 1);
    utimesSync(join(work, 'site.new-design'), 1, 1);
    const staging = openStaging(join(work, 'site'));
    expect(readdirSync(work).toSorted()).toEqual([...needed, basename(staging)].toSorted());
  });

  it('is refused in a sentence when it is a file, or below one', () => {
    const file = join(work, 'notes.txt');
    writeFileSync(file, 'kept');
    expect(() => openStaging(file)).toThrow(`${file} is a file; choose a folder for the site.`);
    expect(() => openStaging(join(file, 'site'))).toThrow(`Nothing can be written beside ${join(file, 'site')}: `);
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });
});
