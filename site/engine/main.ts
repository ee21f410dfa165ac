/**
 * `npm run docs:build`: builds the site into dist/site. Everything wrong is printed at once, and the exit
 * code is 1; with `-- --draft` the site is written all the same.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from './build.ts';
import { formatProblems } from './problems.ts';
import { siteSettings } from './settings.ts';

const root = join(import.meta.dirname, '..', '..');
const { values } = parseArgs({ options: { draft: { type: 'boolean', default: false } } });
const started = performance.now();
const { routes, problems, written } = await buildSite({
  root,
  pages: join(root, 'content', 'pages'),
  outDir: join(root, 'dist', 'site'),
  settings: siteSettings(process.env),
  draft: values.draft,
});
const lines = formatProblems(problems);
for (const line of lines) console.error(line);
if (lines.length > 0) {
  const count = lines.length === 1 ? 'one problem' : `${lines.length} problems`;
  console.error(`${count}: ${written ? 'this is a draft.' : 'nothing was written; -- --draft writes all the same.'}`);
  process.exitCode = 1;
}
if (written) {
  console.log(`dist/site: ${routes} pages in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
