/** The recorded op-conductor directories, unpacked for a test. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';

/** The repository's own recordings. */
const ownFolder = join(import.meta.dirname, '..', 'testdata');

/** Where the recordings to be judged are: in boltdb/ of VECTORS_DIR, otherwise the own ones. */
export const vectorsFolder =
  process.env['VECTORS_DIR'] === undefined ? ownFolder : join(process.env['VECTORS_DIR'], 'boltdb');

const suffix = '.tar.gz';

/** Names of the recordings in a folder. */
export function listRecordings(folder: string): string[] {
  const archives = readdirSync(folder).filter((name) => name.endsWith(suffix));
  return archives.map((name) => name.slice(0, -suffix.length)).toSorted();
}

export interface RecordedEntry {
  readonly Index: number;
  readonly Term: number;
  readonly Type: number;
  readonly Data: string | null;
  readonly Extensions: string | null;
  readonly AppendedAtBinary: string;
  readonly Configuration?: readonly { readonly ID: string; readonly Address: string; readonly Suffrage: 0 | 1 }[];
}

/** The .json beside a recording. */
export interface Recording {
  readonly serverId: string;
  readonly firstIndex: number;
  readonly lastIndex: number;
  readonly stable: Readonly<Record<string, { readonly hex: string; readonly value?: number }>>;
  readonly logs: readonly RecordedEntry[];
  readonly snapshots: readonly {
    readonly dir: string;
    readonly metaText: string;
    readonly meta: { readonly Index: number; readonly Term: number; readonly ConfigurationIndex: number };
    readonly stateHex: string;
  }[];
}

export function readRecording(name: string, folder = ownFolder): Recording {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Recording;
}

/** A fresh copy of the server's directory; it goes away with the test. */
export function unpack(name: string, folder = ownFolder): string {
  const target = temporaryDirectory();
  execFileSync('tar', ['-xzf', join(folder, name + suffix), '-C', target]);
  return join(target, 'storage', readRecording(name, folder).serverId);
}
