import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeLeftovers } from './directories.ts';

/** Beyond the highest process number of any system. */
const NO_PROCESS = 2 ** 30;

test('what a run left whose process is gone is removed, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leftovers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const folders = [`run-${NO_PROCESS}`, `conductors-${NO_PROCESS}-17`];
  const files = [`k6-${NO_PROCESS}-17.json`, `bodies-${NO_PROCESS}.txt`, `scenario-bodies-${NO_PROCESS}.txt`];
  const stays = [`run-${process.ppid}`, 'bin', 'lock', 'rpc.json', 'leader-kill.json', 'fan-out.json'];
  for (const name of folders) mkdirSync(join(folder, name, 'deep'), { recursive: true });
  for (const name of [...files, ...stays]) writeFileSync(join(folder, name), '');
  expect(removeLeftovers(folder).toSorted()).toEqual([...folders, ...files].toSorted());
  expect(readdirSync(folder).toSorted()).toEqual(stays.toSorted());
});
