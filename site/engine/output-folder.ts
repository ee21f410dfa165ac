/**
 * The folder of the built site. A build writes beside it and takes its place at the end, so that whoever serves
 * the folder never sees half a site.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OutputFile } from './outputs/output-file.ts';

/** No build lasts as long: what is older was left behind by one that was stopped. */
const LEFT_OVER_AFTER_MS = 3_600_000;

/**
 * A new folder beside `outDir`, on the same disk. The output folder is deleted as a whole later, so it must be one
 * of ours, or empty: throws a sentence otherwise.
 */
export function openStaging(outDir: string): string {
  const entries = existsSync(outDir) ? readdirSync(outDir) : [];
  if (entries.length > 0 && !entries.includes('_headers')) {
    throw new Error(
      `${outDir} holds files, and no site that was built here. Choose a folder that is empty or does not exist.`,
    );
  }
  return openTemporary(`${outDir}.new-`);
}

/** A new folder whose path begins so. Removes what stopped builds left there. */
export function openTemporary(prefix: string): string {
  const parent = dirname(prefix);
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(basename(prefix)))) {
    const path = join(parent, name);
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - modified > LEFT_OVER_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
  return mkdtempSync(prefix);
}

/** Writes texts below a folder, which exists. */
export function writeFiles(folder: string, files: readonly OutputFile[]): void {
  for (const { path, text } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Two renames: between them there is no site for a blink. */
export function replaceFolder(folder: string, replacement: string): void {
  const old = `${replacement}.old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(replacement, folder);
  rmSync(old, { recursive: true, force: true });
}
