/**
 * `npm run release`: everything that is published of a version, into dist/release/<version>: binaries for Linux on x64
 * and arm64, a bill of materials for each, completions, the deployables of infra/, the documentation site with its edge
 * worker, and checksums. The same commit gives the same bytes. Options: --allow-dirty (also outside of a repository),
 * --out=<folder>.
 */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { endGroupOnSignals, runGroup } from '../process-group.ts';
import { changelogSection } from './changelog-section.ts';
import { describeState, readState, type ReleaseState } from './release-state.ts';
import { releaseFiles } from './release-files.ts';
import { sha256Of, sumsOf, tableOf } from './sums.ts';

const root = join(import.meta.dirname, '..', '..');

try {
  await release();
} catch (thrown) {
  console.error(`No release was made: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  const { values } = parseArgs({
    options: { 'allow-dirty': { type: 'boolean', default: false }, out: { type: 'string' } },
  });
  const startedMs = performance.now();
  const state = readState(root, { mayBeDirty: values['allow-dirty'], env: process.env });
  const section = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), state.version);
  console.log(describeState(state));
  if (section.unreleased > 0)
    console.log(`CHANGELOG.md has ${section.unreleased} entries under Unreleased that this release contains, too.`);
  const out = resolve(values.out ?? join(root, 'dist', 'release', state.version));
  mkdirSync(dirname(out), { recursive: true });
  const fresh = mkdtempSync(join(dirname(out), '.release-'));
  try {
    await fill(fresh, state);
    writeFileSync(join(fresh, `conductor-${state.version}-notes.md`), `${section.text}\n`);
    const sums = sha256Of(fresh);
    writeFileSync(join(fresh, 'SHA256SUMS'), sumsOf(sums));
    // It appears complete or not at all; one that was made before is replaced.
    rmSync(out, { recursive: true, force: true });
    renameSync(fresh, out);
    console.log(`\n${tableOf(sums)}\n`);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    console.log(`${relative(process.cwd(), out)}: ${sums.length} files and SHA256SUMS, in ${seconds} s`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

async function fill(folder: string, state: ReleaseState): Promise<void> {
  endGroupOnSignals();
  for (const step of releaseFiles({ root, folder, state, buildSite })) {
    const startedMs = performance.now();
    await step.make();
    console.log(`${step.name.padEnd(36)} ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  }
}

async function buildSite(out: string): Promise<void> {
  const words = [join(root, 'site', 'engine', 'main.ts'), '--out', out];
  const code = await runGroup(process.execPath, words, { cwd: root, env: process.env, onLine: () => undefined });
  if (code !== 0) throw new Error('the documentation site has problems, listed above');
}
