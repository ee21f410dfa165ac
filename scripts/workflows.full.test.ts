/** The workflows are what their runner understands, says actionlint. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { needGoProgram } from '../bench/go-build.ts';

const folder = join(import.meta.dirname, '../.github/workflows');
const BUILD_MS_MAX = 300_000;
const program = {
  name: 'actionlint-v1.7.12',
  module: 'github.com/rhysd/actionlint@v1.7.12',
  package: './cmd/actionlint',
};

it('actionlint finds nothing', { timeout: BUILD_MS_MAX }, async (context) => {
  const found = await needGoProgram(program);
  if ('missing' in found) return context.skip(found.missing);
  const files = readdirSync(folder).map((name) => join(folder, name));
  // What stands under `run` is one command; shellcheck and pyflakes are not asked, wherever they happen to be.
  const { stdout, exitCode } = Bun.spawnSync([found.path, '-shellcheck=', '-pyflakes=', ...files]);
  expect(stdout.toString()).toBe('');
  expect(exitCode).toBe(0);
});
