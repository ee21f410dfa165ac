/**
 * `npm run release`: everything that is published of a version, into dist/release/<version>: binaries for Linux on x64
 * and arm64, completions, the deployables of infra/, the documentation site with its edge worker, a bill of materials for
 * each binary and for the edge bundle, and checksums. The same commit gives the same bytes. `-- --help` lists the options.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { endGroupOnSignals, runGroup } from '../process-group.ts';
import { changelogSection } from './changelog-section.ts';
import { removeAtExit, removeLeftovers } from './leftovers.ts';
import { checkReleaseFolder, openBeside, replaceRelease, SUMS_FILE } from './release-folder.ts';
import { describeState, readState, type ReleaseState } from './release-state.ts';
import { releaseFiles } from './release-files.ts';
import { releaseNotes, siteAddress } from './site-address.ts';
import { sha256Of, sumsOf, tableOf } from './sums.ts';

const USAGE = `usage: npm run release -- [--out=<folder>] [--site-url=<origin>] [--allow-dirty]
  --out=<folder>       a new or empty folder, or a former release, which is replaced; dist/release/<version> without it
  --site-url=<origin>  the documentation is for this address, which the notes then say; without it for the project's own
  --allow-dirty        release files that differ from their commit, or have none: to try, not to publish
SOURCE_DATE_EPOCH is the time that stands in everything made; without it the commit's.`;

const root = join(import.meta.dirname, '..', '..');
const kept = { root, home: homedir() };

try {
  await release();
} catch (thrown) {
  console.error(`No release was made: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      'allow-dirty': { type: 'boolean', default: false },
      'site-url': { type: 'string' },
      out: { type: 'string' },
    },
  });
  if (values.help) return console.log(USAGE);
  const startedMs = performance.now();
  const site = siteAddress(values['site-url'], process.env);
  const state = readState(root, { mayBeDirty: values['allow-dirty'], env: process.env });
  const section = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), state.version);
  const out = resolve(values.out ?? join(root, 'dist', 'release', state.version));
  checkReleaseFolder(out, kept);
  console.log(describeState(state));
  if (site.remark !== '') console.log(site.remark);
  for (const path of removeLeftovers(root, out)) console.log(`Removed ${path}, which an interrupted release left.`);
  if (section.unreleased > 0)
    console.log(`CHANGELOG.md has ${section.unreleased} entries under Unreleased that this release contains, too.`);
  const fresh = openBeside(out);
  removeAtExit(root, fresh);
  await fill(fresh, state, site.env);
  writeFileSync(join(fresh, `conductor-${state.version}-notes.md`), releaseNotes(section.text, site));
  const sums = sha256Of(fresh);
  writeFileSync(join(fresh, SUMS_FILE), sumsOf(sums));
  replaceRelease(fresh, out, kept);
  console.log(`\n${tableOf(sums)}\n`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  console.log(`${relative(process.cwd(), out)}: ${sums.length} files and ${SUMS_FILE}, in ${seconds} s`);
}

async function fill(folder: string, state: ReleaseState, siteEnv: NodeJS.ProcessEnv): Promise<void> {
  endGroupOnSignals();
  const buildSite = (out: string, packages: string): Promise<void> =>
    build(['--out', out, '--packages', packages], siteEnv);
  for (const step of releaseFiles({ root, folder, state, buildSite })) {
    const startedMs = performance.now();
    await step.make();
    console.log(`${step.name.padEnd(36)} ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  }
}

async function build(options: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const words = [join(root, 'site', 'engine', 'main.ts'), ...options];
  const code = await runGroup(process.execPath, words, { cwd: root, env, onLine: () => undefined });
  if (code !== 0) throw new Error('the documentation site has problems, listed above');
}
