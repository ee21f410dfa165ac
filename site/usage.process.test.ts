import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

it.each([
  ['docs', 'site/engine/authoring/main.ts', '--port'],
  ['docs:build', 'site/engine/main.ts', '--draft'],
  ['docs:preview', 'scripts/preview-site.ts', '--site'],
  ['docs:search', 'site/search/main.ts', '--json'],
])('npm run %s -- --help says what it takes, and does nothing', (name, script, option) => {
  for (const help of ['--help', '-h']) {
    const run = Bun.spawnSync([process.execPath, join(root, script), help], { stdio: ['ignore', 'pipe', 'pipe'] });
    expect([run.exitCode, run.stderr.toString()]).toEqual([0, '']);
    expect(run.stdout.toString()).toMatch(new RegExp(`^usage: npm run ${name} -- .*\n(?:  .*\n)*  ${option}`));
  }
});
