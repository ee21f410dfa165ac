import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  it('is freed of what stopped builds left beside it, and of nothing that a running one needs', () => {
    const [stopped, running] = [join(work, 'site.new-aaaaaa'), join(work, 'site.new-bbbbbb')];
    for (const folder of [stopped, running]) mkdirSync(folder);
    utimesSync(stopped, 1, 1);
    openStaging(join(work, 'site'));
    expect([existsSync(stopped), existsSync(running)]).toEqual([false, true]);
  });
});
