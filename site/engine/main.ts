/**
 * `npm run docs:build`: builds the site into dist/site. Everything wrong is printed at once, and the exit
 * code is 1; with `-- --draft` the site is written all the same. `-- --pages FOLDER --out FOLDER` build another, and
 * `-- --packages FILE` lists what a bill of materials has to name.
 */
import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from './build.ts';
import { formatProblems } from './problems.ts';
import { siteSettings } from './settings.ts';

const USAGE = `usage: npm run docs:build -- [--draft] [--pages <folder>] [--out <folder>] [--packages <file>]
  --draft           write the site in spite of mistakes, to look at it
  --pages <folder>  pages and menus of another site; content/pages without it
  --out <folder>    replaced by the site as a whole; dist/site without it
  --packages <file> gets, as JSON, the packages below node_modules that browsers get code of
The variable SITE_URL is the address that the site is for.`;

const root = join(import.meta.dirname, '..', '..');

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      draft: { type: 'boolean', default: false },
      pages: { type: 'string', default: join(root, 'content', 'pages') },
      out: { type: 'string', default: join(root, 'dist', 'site') },
      packages: { type: 'string' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return true;
  }
  const outDir = resolve(values.out);
  const started = performance.now();
  const { routes, problems, written, packages, cards } = await buildSite({
    root,
    pages: resolve(values.pages),
    outDir,
    settings: siteSettings(process.env),
    draft: values.draft,
  });
  if (values.packages !== undefined) writeFileSync(values.packages, `${JSON.stringify(packages)}\n`);
  const lines = formatProblems(problems);
  for (const line of lines) console.error(line);
  if (lines.length > 0) {
    const count = lines.length === 1 ? 'one problem' : `${lines.length} problems`;
    console.error(`${count}: ${written ? 'this is a draft.' : 'nothing was written; -- --draft writes all the same.'}`);
  }
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  if (written) {
    const folder = relative(process.cwd(), outDir);
    console.log(`${folder}: ${routes} pages in ${seconds(performance.now() - started - cards.milliseconds)}`);
    if (cards.drawn > 0)
      console.log(`${cards.drawn} cards drawn in ${seconds(cards.milliseconds)}; they are kept in .cache/cards`);
  }
  return lines.length === 0;
}
