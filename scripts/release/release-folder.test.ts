import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { removeLeftovers } from './leftovers.ts';
import { checkReleaseFolder, openBeside, replaceRelease, SUMS_FILE } from './release-folder.ts';
import { sha256Of, sumsOf } from './sums.ts';

/** Above every pid that there can be. */
const NO_PID = 2 ** 22 + 1;

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-release-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A checkout and a home, with room beside them. */
function world() {
  const folder = temporary();
  const kept = { root: join(folder, 'work', 'checkout'), home: join(folder, 'home') };
  for (const path of Object.values(kept)) mkdirSync(path, { recursive: true });
  return { folder, kept, check: (out: string) => () => checkReleaseFolder(out, kept) };
}

function fillRelease(folder: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'conductor-1.2.3-linux-x64'), text);
  writeFileSync(join(folder, 'conductor-1.2.3-notes.md'), 'what is new\n');
  writeFileSync(join(folder, SUMS_FILE), sumsOf(sha256Of(folder)));
}

describe('a release', () => {
  test('goes into a new folder, an empty one, or takes the place of a former release', () => {
    const { folder, kept, check } = world();
    const out = join(folder, 'new', 'deep');
    expect(check(out)).not.toThrow();
    for (const text of ['first', 'second']) {
      const fresh = openBeside(out);
      fillRelease(fresh, text);
      replaceRelease(fresh, out, kept);
      expect(readFileSync(join(out, 'conductor-1.2.3-linux-x64'), 'utf8')).toBe(text);
      expect(readdirSync(dirname(out))).toEqual(['deep']);
    }
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    expect(check(empty)).not.toThrow();
  });

  test.each<[string, (out: string) => void, RegExp]>([
    ['files of somebody', (out) => writeFileSync(join(out, 'thesis.tex'), ''), /thesis\.tex is there, and no release/],
    ['sums of something else', (out) => writeFileSync(join(out, SUMS_FILE), ''), /SHA256SUMS is there, and no release/],
    [
      'a file beside a release',
      (out) => {
        fillRelease(out, 'a');
        writeFileSync(join(out, 'mine.txt'), '');
      },
      /SHA256SUMS does not name this mine\.txt/,
    ],
    [
      'a folder beside a release',
      (out) => {
        fillRelease(out, 'a');
        mkdirSync(join(out, 'mine'));
      },
      /mine is no file of a release/,
    ],
    [
      'a release with notes that somebody changed',
      (out) => {
        fillRelease(out, 'a');
        writeFileSync(join(out, 'conductor-1.2.3-notes.md'), 'better\n');
      },
      /does not name this conductor-1\.2\.3-notes\.md/,
    ],
    [
      'a release that lacks a file',
      (out) => {
        fillRelease(out, 'a');
        rmSync(join(out, 'conductor-1.2.3-linux-x64'));
      },
      /names files that are gone/,
    ],
  ])('never goes into %s', (_name, fill, message) => {
    const { folder, kept, check } = world();
    const out = join(folder, 'out');
    mkdirSync(out);
    fill(out);
    const before = readdirSync(out);
    expect(check(out)).toThrow(message);
    expect(check(out)).toThrow(out);
    expect(() => replaceRelease(openBeside(out), out, kept)).toThrow(message);
    expect(readdirSync(out)).toEqual(before);
  });

  test('never takes the place of the repository, HOME, the root, what they lie in, or a file; not by a link either', () => {
    const { folder, kept, check } = world();
    for (const out of [kept.root, dirname(kept.root), kept.home, folder, '/', join(kept.root, '..', 'checkout')])
      expect(check(out), out).toThrow('a release would replace');
    symlinkSync(kept.home, join(folder, 'link'));
    expect(check(join(folder, 'link'))).toThrow('a release would replace');
    writeFileSync(join(folder, 'file'), '');
    expect(check(join(folder, 'file'))).toThrow('it is a file');
    expect(check(join(kept.root, 'dist', 'release'))).not.toThrow();
    expect(check(join(kept.home, 'release'))).not.toThrow();
  });
});

describe('what an interrupted release left', () => {
  test('goes at the next start; what belongs to a process that lives, or to somebody else, stays', () => {
    const { folder, kept } = world();
    const out = join(folder, 'out');
    const [ours, theirs] = [openBeside(out), join(folder, `.conductor-release-${NO_PID}-abcdef`)];
    const others = ['.conductor-release-notes', `.conductor-release-${NO_PID}-my notes`].map((name) =>
      join(folder, name),
    );
    for (const path of [theirs, ...others]) mkdirSync(path);
    const [old, young] = ['.0a1b-00000000.bun-build', '.2c-00000000.bun-build'].map((name) => join(kept.root, name));
    for (const path of [old!, young!]) writeFileSync(path, '');
    utimesSync(old!, 0, 0);
    expect(removeLeftovers(kept.root, out).toSorted()).toEqual([theirs, old].toSorted());
    for (const path of [ours, ...others, young!]) expect(existsSync(path), path).toBe(true);
    for (const path of [theirs, old!]) expect(existsSync(path), path).toBe(false);
  });

  test('git leaves it out, so that the next release finds no change', (context) => {
    if (Bun.which('git') === null) return context.skip('git is not installed');
    const names = [
      '.conductor-release-1-abcdef/x',
      '.b58d4c916fc37fdd-00000000.bun-build',
      'out/.conductor-release-1-a/x',
    ];
    const ignored = Bun.spawnSync(['git', 'check-ignore', '--no-index', ...names], {
      cwd: join(import.meta.dirname, '../..'),
      stderr: 'ignore',
    });
    if (ignored.exitCode > 1) return context.skip('this is no git repository');
    expect(ignored.stdout.toString().trim().split('\n')).toEqual(names);
  });
});
