/** What an import refuses, in a sentence and without changing a byte (rule 8). */
import { execFileSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Entry } from '#conductor/core/raft/types';
import { BoltFile } from './bolt-file.ts';
import { fileSource } from './byte-source.ts';
import { lockFile } from './file-lock.ts';
import { importGoStore, type ImportOutcome } from './import-store.ts';
import { command, commands, goDirectory, type GoContent } from './testing/go-directory.ts';
import { contents, serverId, stored } from './testing/inspect.ts';

const take = (directory: string): Promise<ImportOutcome> => importGoStore({ directory, serverId });
const three = (): string => goDirectory({ entries: commands(1, 3), currentTerm: 1 });

async function refused(directory: string, code: string, sentence: RegExp): Promise<void> {
  const before = contents(directory);
  for (const isDryRun of [true, false]) {
    await expect(importGoStore({ directory, serverId, isDryRun })).rejects.toMatchObject({
      name: 'MigrationError',
      code,
      message: expect.stringMatching(sentence) as string,
    });
    expect(contents(directory)).toEqual(before);
  }
}

const withTerm = (term: number, ...indexes: number[]): Entry[] => indexes.map((index) => command(index, term));
const of = (entries: readonly Entry[], currentTerm?: number, snapshots: readonly number[] = []): GoContent => ({
  entries,
  snapshots,
  ...(currentTerm === undefined ? {} : { currentTerm }),
});

describe('an import refuses, and changes nothing:', () => {
  const refusals: readonly [law: string, content: GoContent, code: string, sentence: RegExp][] = [
    ['a gap in the log', of(withTerm(1, 1, 2, 4), 1), 'incomplete', /gap before entry 4/],
    ['a gap above the snapshot', of(withTerm(5, 76, 78), 5, [75]), 'inconsistent', /no entries between 75/],
    ['a log that begins later, without a snapshot', of(withTerm(1, 5, 6), 1), 'incomplete', /begins at 5/],
    ['a vote beyond the term', { ...of([], 3), lastVoteTerm: 4 }, 'inconsistent', /vote .* term 4/],
    ['entries beyond the term, as of a copy of two moments', of(withTerm(9, 1), 8), 'inconsistent', /term 9, beyond/],
    ['entries and no term', of(withTerm(1, 1)), 'inconsistent', /term 1, beyond/],
    ['terms that descend', of([...withTerm(3, 1), ...withTerm(2, 2)], 3), 'inconsistent', /below 3/],
    ['a log older than the snapshot before it', of(withTerm(4, 76), 5, [75]), 'inconsistent', /below 5/],
    ['another term where the snapshot is', of(withTerm(4, 75), 5, [75]), 'inconsistent', /snapshot there has term 5/],
    ['a snapshot beyond the term', of([], 4, [75]), 'inconsistent', /snapshot has term 5/],
    ['an entry of an unknown type', of([{ ...command(1, 1), type: 9 }], 1), 'unsuitable', /type 9/],
    ['an unreadable configuration', of([{ ...command(1, 1), type: 5 }], 1), 'damaged', /configuration in entry 1/],
  ];

  test.each(refusals)('%s', async (_law, content, code, sentence) => {
    await refused(goDirectory(content), code, sentence);
  });

  test('one file without the other', async () => {
    for (const name of ['raft-log.db', 'raft-stable.db']) {
      const directory = three();
      rmSync(join(directory, name));
      await refused(directory, 'incomplete', new RegExp(`${name} is missing`));
      writeFileSync(join(directory, name), 'no bolt file');
      await refused(directory, 'incomplete', new RegExp(`${name} is missing or no bolt file`));
    }
  });

  test('files that have changed places, or one copied over the other (rule 8)', async () => {
    const swapped: readonly [log: string, stable: string, sentence: RegExp][] = [
      ['raft-stable.db', 'raft-log.db', /raft-stable\.db holds log entries.*changed places/],
      ['raft-log.db', 'raft-log.db', /raft-stable\.db holds log entries/],
      ['raft-stable.db', 'raft-stable.db', /raft-log\.db holds terms or votes/],
    ];
    for (const [log, stable, sentence] of swapped) {
      const directory = three();
      const source = three();
      cpSync(join(source, log), join(directory, 'raft-log.db'));
      cpSync(join(source, stable), join(directory, 'raft-stable.db'));
      await refused(directory, 'inconsistent', sentence);
    }
  });

  test('what is no regular file under a name of op-conductor, without waiting for a pipe', async () => {
    for (const name of ['raft-log.db', 'raft-stable.db']) {
      for (const make of [(path: string) => mkdirSync(path), (path: string) => execFileSync('mkfifo', [path])]) {
        const directory = three();
        rmSync(join(directory, name));
        make(join(directory, name));
        await expect(take(directory)).rejects.toMatchObject({
          code: 'unsuitable',
          message: expect.stringMatching(new RegExp(`${name} is no regular file`)) as string,
        });
      }
    }
  });

  test('both stores, naming each way out', async () => {
    const directory = three();
    const other = goDirectory({ entries: commands(1, 5), currentTerm: 1 });
    await take(directory);
    for (const name of ['raft-log.db', 'raft-stable.db']) {
      cpSync(join(other, name), join(directory, name));
      await refused(directory, 'ambiguous', /both .* to import its log; .* remove this server/);
    }
  });

  test('files that another process has locked', async () => {
    for (const name of ['raft-log.db', 'raft-stable.db']) {
      const directory = three();
      const lock = lockFile(join(directory, name));
      await refused(directory, 'in-use', /is locked: op-conductor/);
      lock[Symbol.dispose]();
      expect(await take(directory)).toMatchObject({ kind: 'imported' });
    }
  });
});

describe('a snapshot that is wrong', () => {
  const replaced = (from: string | RegExp, to: string) => (bytes: Buffer) => bytes.toString().replace(from, to);
  const spoiled: readonly [file: string, change: (bytes: Buffer) => Buffer | string, problem: RegExp][] = [
    ['state.bin', (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(0)]), /does not match its checksum/],
    ['state.bin', (bytes) => bytes.subarray(0, -1), /604 bytes instead of 605/],
    ['state.bin', () => '', /0 bytes instead/],
    ['meta.json', () => '{', /JSON/],
    ['meta.json', () => 'null', /no object/],
    ['meta.json', replaced('"Version":1', '"Version":0'), /version is 0/],
    ['meta.json', replaced('"Index":75', '"Index":-1'), /number that is none/],
    ['meta.json', replaced(/"CRC":"[^"]*"/, '"CRC":7'), /no checksum/],
    ['meta.json', replaced('"Servers":[', '"Servers":[7,'), /no readable configuration/],
  ];

  test.each(spoiled)(
    '(%s) is refused where it is needed, and left behind where it is not',
    async (file, change, problem) => {
      for (const first of [70, 1]) {
        const directory = goDirectory(of(commands(first, 80, 5), 5, [75]));
        const path = join(directory, 'snapshots', '5-75-1', file);
        writeFileSync(path, change(readFileSync(path)));
        if (first > 1) await refused(directory, 'incomplete', problem);
        else
          expect(await take(directory)).toMatchObject({
            summary: { snapshot: null, warnings: [expect.stringMatching(problem)] },
          });
      }
    },
  );
});

describe('an import that was begun', () => {
  test('and failed on the file system says so, and goes on from there', async () => {
    const directory = three();
    mkdirSync(join(directory, 'raft-stable.db.imported'));
    await expect(take(directory)).rejects.toMatchObject({ name: 'MigrationError', code: 'io' });
    expect(existsSync(join(directory, 'conductor.db'))).toBe(false);
    rmSync(join(directory, 'raft-stable.db.imported'), { recursive: true });
    expect(await take(directory)).toEqual({ kind: 'completed' });
    expect(stored(directory).indexes).toEqual([1, 2, 3]);
  });

  test('leaves no bolt file to a process that opened the log before and waits for its lock', async () => {
    const directory = three();
    const descriptors = ['raft-log.db', 'raft-stable.db'].map((name) => openSync(join(directory, name), 'r'));
    await take(directory);
    for (const descriptor of descriptors) {
      expect(() => new BoltFile(fileSource('waiting', descriptor))).toThrow(/no bolt file/);
      closeSync(descriptor);
    }
  });
});
