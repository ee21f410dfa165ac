/** Checksums of a folder of files, as sha256sum writes and checks them, and as a table for people. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textTable } from '../text-table.ts';

export interface FileSum {
  readonly name: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** Of all files that lie directly in a folder, by name. */
export function sha256Of(folder: string): FileSum[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name).sort();
  return names.map((name) => {
    const data = readFileSync(join(folder, name));
    return { name, bytes: data.length, sha256: createHash('sha256').update(data).digest('hex') };
  });
}

/** `sha256sum -c` reads it. */
export function sumsOf(sums: readonly FileSum[]): string {
  return sums.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
}

export function tableOf(sums: readonly FileSum[]): string {
  const size = (bytes: number): string =>
    bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  const rows = sums.map(({ name, bytes, sha256 }) => [name, size(bytes), sha256]);
  return textTable(rows, (column) => column === 1).join('\n');
}
