/**
 * `npm run docs:search -- [--json] [--area=<key>] <query>`: what the search dialog of the built site would show,
 * through the same code. A site that was never built is built first; all remarks go to stderr. SITE_DIST names the
 * folder of another build.
 */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { find } from './find.ts';
import { folderSource, indexFolder } from './folder-source.ts';
import { listAnswer } from './list-answer.ts';
import { SearchIndex } from './search-index.ts';

const USAGE = `usage: npm run docs:search -- [--json] [--area=<key>] <query>
  --json        print the answer as JSON: query, pages, areas, results with their hits
  --area=<key>  only one part of the site, such as stack; one that is unknown lists them all`;

const root = join(import.meta.dirname, '..', '..');
const outDir = process.env['SITE_DIST'] ?? join(root, 'dist', 'site');

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  return 1;
});

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 1 && ['--help', '-h'].includes(args[0] ?? '')) {
    console.log(USAGE);
    return 0;
  }
  const asked = readArguments(args);
  if (typeof asked === 'string') {
    console.error(asked);
    return 2;
  }
  if (indexFolder(outDir) === undefined && process.env['SITE_DIST'] === undefined) {
    console.error('The site is not built yet, so it is built first (npm run docs:build).');
    const build = Bun.spawnSync([process.execPath, join(root, 'site/engine/main.ts')], { stdio: [null, 2, 2] });
    if (build.exitCode !== 0) return 1;
  }
  const folder = indexFolder(outDir);
  if (folder === undefined) {
    console.error(`${outDir} has no assets/search/…/head.json; npm run docs:build writes it.`);
    return 1;
  }
  if (newestContent() > statSync(folder).mtimeMs) {
    console.error('Some pages changed after the site was built; npm run docs:build brings them in.');
  }
  const index = await SearchIndex.open(folderSource(folder));
  const unknown = asked.area !== undefined && !index.areas.has(asked.area);
  if (unknown) {
    console.error(`There is no part named ${asked.area}; there are ${[...index.areas.keys()].join(', ')}.`);
    return 2;
  }
  const answer = await find(index, asked);
  const isPlain = !process.stdout.isTTY || (process.env['NO_COLOR'] ?? '') !== '';
  console.log(asked.isJson ? JSON.stringify(answer, null, 2) : listAnswer(answer, { isPlain }));
  return 0;
}

function readArguments(args: readonly string[]): { query: string; area: string | undefined; isJson: boolean } | string {
  try {
    const { values, positionals } = parseArgs({
      // A query may begin with dashes: --raft.bootstrap.
      args: args.map((argument) => (isOption(argument) ? argument : `\u0000${argument}`)),
      options: { json: { type: 'boolean', default: false }, area: { type: 'string' } },
      allowPositionals: true,
    });
    const query = positionals
      .map((word) => word.slice(1))
      .join(' ')
      .trim();
    return query === '' ? USAGE : { query, area: values.area, isJson: values.json };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${USAGE}`;
  }
}

function isOption(argument: string): boolean {
  return argument === '--json' || argument.startsWith('--area=');
}

function newestContent(): number {
  const files = globSync(join(root, 'content/pages/**/*.{mdx,yaml}'));
  return files.reduce((newest, file) => Math.max(newest, statSync(file).mtimeMs), 0);
}
