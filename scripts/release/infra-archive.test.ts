/** The pages in the archive of infra/, as somebody reads them who downloaded it and has no repository. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notDeployed } from './release-files.ts';

const root = join(import.meta.dirname, '../..');
const deployed = readdirSync(join(root, 'infra'), { recursive: true, encoding: 'utf8' })
  .map((name) => `infra/${name}`)
  .filter((path) => lstatSync(join(root, path)).isFile() && !notDeployed.test(path));
const pages = deployed.filter((path) => path.endsWith('.md'));

test('has pages, and nothing that only makes or tests it', () => {
  expect(pages).toEqual(expect.arrayContaining(['infra/README.md', 'infra/systemd/README.md']));
  expect(deployed.filter((path) => /\.test\.|testdata/.test(path))).toEqual([]);
});

describe.each(pages)('%s', (path) => {
  const text = readFileSync(join(root, path), 'utf8');

  test('links to what is in the archive, or by a whole address', () => {
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)]
      .map(([, to = '']) => to)
      .filter((to) => !to.startsWith('https://'));
    const targets = links.map((to) => relative(root, join(root, dirname(path), to)));
    expect(targets.filter((to) => !deployed.includes(to) || !existsSync(join(root, to)))).toEqual([]);
  });

  test('says what a release has instead of what is built, and which things only the repository has', () => {
    if (/\bdist\/|npm run build/.test(text)) expect(text).toMatch(/release/);
    if (/npm run|npm test|content\/pages|\bbench\//.test(text)) expect(text).toContain('repository');
  });
});

test('settings and manifests point to pages by their addresses', () => {
  const others = deployed.filter((path) => /\.(example|service|sysusers|yaml|sh)$/.test(path));
  expect(others.length).toBeGreaterThan(10);
  expect(others.filter((path) => readFileSync(join(root, path), 'utf8').includes('content/pages'))).toEqual([]);
});
