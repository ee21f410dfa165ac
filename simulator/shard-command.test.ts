/** A shard's file is gone on with, holds to what it was told, and is merged with the others. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { runFromText } from './run-value.ts';
import { mergeShardFiles, soakShard } from './shard-command.ts';

/** One quiet run: what is tested here is the files. */
const runs = fc.constant(runFromText('v1~~crash-1'));

const print = (): void => undefined;
let corpus = '';
beforeEach(() => {
  corpus = mkdtempSync(join(tmpdir(), 'soak-'));
  onTestFinished(() => rmSync(corpus, { recursive: true, force: true }));
});

const soak = (shard: string, total: number, seed = 7): Promise<number> =>
  soakShard({
    shard,
    corpus,
    seed,
    set: 'all',
    runs,
    total,
    untilMs: Infinity,
    stopping: new AbortController().signal,
    print,
  });
const read = (name: string) => JSON.parse(readFileSync(join(corpus, name), 'utf8')) as { readonly runs: number };

it('does its part of all runs, and more of them where more are asked for later', async () => {
  expect(await soak('1/2', 1)).toBe(0);
  expect(read('shard-1-of-2.json').runs).toBe(1);
  expect(await soak('1/2', 1)).toBe(0);
  expect(read('shard-1-of-2.json').runs).toBe(1);
  expect(await soak('1/2', 3)).toBe(0);
  expect(read('shard-1-of-2.json').runs).toBe(2);
});

it('a report lacks nothing only when every shard is there', async () => {
  await soak('1/2', 2);
  expect(mergeShardFiles(corpus, print)).toBe(1);
  await soak('2/2', 2);
  expect(mergeShardFiles(corpus, print)).toBe(0);
  expect(read('report.json')).toMatchObject({ seed: 7, missing: [], runs: 2, broken: 0 });
});

it('another seed, a damaged file and one of another version are refused', async () => {
  await soak('1/1', 1);
  await expect(soak('1/1', 1, 8)).rejects.toThrow('is of seed 7');
  writeFileSync(join(corpus, 'shard-1-of-1.json'), '{');
  await expect(soak('1/1', 1)).rejects.toThrow('cannot be read');
  writeFileSync(join(corpus, 'shard-1-of-1.json'), '{"version":0}');
  await expect(soak('1/1', 1)).rejects.toThrow('another version');
});
