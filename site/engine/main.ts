/** `npm run docs:build`: builds the site into dist/site; everything wrong is printed at once, and the exit code is 1. */
import { join } from 'node:path';
import { buildSite } from './build.ts';
import { formatProblems } from './problems.ts';
import { siteSettings } from './settings.ts';

const root = join(import.meta.dirname, '..', '..');
const outDir = join(root, 'dist', 'site');
const started = performance.now();
const result = await buildSite({
  root,
  pages: join(root, 'content', 'pages'),
  outDir,
  settings: siteSettings(process.env),
});
if (result.kind === 'built') {
  console.log(`dist/site: ${result.routes} pages in ${((performance.now() - started) / 1000).toFixed(1)} s`);
} else {
  const { problems } = result;
  console.error(formatProblems(problems));
  console.error(`The site was not built: ${problems.length === 1 ? 'one problem' : `${problems.length} problems`}.`);
  process.exitCode = 1;
}
