/**
 * The folder of the built site. A build writes beside it and takes its place at the end, so that whoever serves
 * the folder never sees half a site.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '#conductor/adapters/process/process-identity';
import type { OutputFile } from './outputs/output-file.ts';

/** No build lasts as long: what is older was left behind, even if another process has got the number of its own. */
const LEFT_OVER_AFTER_MS = 3_600_000;
/** After the prefix: the process that made the folder, what mkdtemp adds, and how replaceFolder calls the old site. */
const TEMPORARY = /^(\d{1,10})-\w{6}(?:\.old)?$/;

/**
 * A new folder beside `outDir`, on the same disk. The output folder is deleted as a whole later, so it must be one
 * of ours, or empty: throws a sentence otherwise, and when nothing can be written there.
 */
export function openStaging(outDir: string): string {
  const entries = entriesOf(outDir);
  if (entries.length > 0 && !entries.includes('_headers')) {
    throw new Error(
      `${outDir} holds files, and no site that was built here. Choose a folder that is empty or does not exist.`,
    );
  }
  try {
    return openTemporary(`${outDir}.new-`);
  } catch (error) {
    throw new Error(`Nothing can be written beside ${outDir}: ${reasonOf(error)}.`, { cause: error });
  }
}

function entriesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file; choose a folder for the site.`);
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new Error(`${folder} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

/** A new folder whose path begins so. Removes what builds left there whose process is gone. */
export function openTemporary(prefix: string): string {
  const parent = dirname(prefix);
  mkdirSync(parent, { recursive: true });
  const begin = basename(prefix);
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(begin))) {
    const owner = TEMPORARY.exec(name.slice(begin.length))?.[1];
    if (owner === undefined) continue;
    const path = join(parent, name);
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (!isAlive(Number(owner)) || Date.now() - modified > LEFT_OVER_AFTER_MS)
      rmSync(path, { recursive: true, force: true });
  }
  return mkdtempSync(`${prefix}${process.pid}-`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
