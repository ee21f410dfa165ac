/** The image of a sharded soak has all that the simulator imports: what it copies, carried out beside the packages. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

it('the image has all that the simulator imports', () => {
  const image = mkdtempSync(join(tmpdir(), 'soak-image-'));
  onTestFinished(() => rmSync(image, { recursive: true, force: true }));
  const copied = readFileSync(join(import.meta.dirname, 'soak/Containerfile'), 'utf8').matchAll(/^COPY (.+) (\S+)$/gm);
  for (const [, from = '', to = ''] of copied) {
    const names = from.split(' ');
    for (const name of names) cpSync(join(root, name), join(image, names.length > 1 ? name : to), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(image, 'node_modules'));
  const words = [
    'simulator/main.ts',
    'soak',
    '--shard',
    '1/1',
    '--corpus',
    'corpus',
    '--seed',
    '1',
    '--runs',
    '1',
    '--kind',
    'single',
  ];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: image, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
