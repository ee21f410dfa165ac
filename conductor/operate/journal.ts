/**
 * What a procedure remembers across runs and no server can be asked for: that something was deployed, who sequenced
 * before. A JSON file beside the cluster file, replaced as a whole, so that a crash leaves the old one or the new one.
 */
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { syncDirectory } from '#conductor/adapters/sqlite/directory';
import { writeDurably } from '#conductor/adapters/system/durable-files';
import { messageOf } from '#conductor/core/errors';
import { ClusterConfigError } from './cluster-config.ts';

const FORMAT = 1;
const FILE_BYTES_MAX = 1024 * 1024;

type Notes = Record<string, string>;
interface Content {
  readonly format: typeof FORMAT;
  /** Notes by procedure. */
  readonly procedures: Record<string, Notes>;
}

/** Notes of one procedure. Every change is on disk when the call returns; throws ClusterConfigError when it cannot be. */
export interface Journal {
  read(key: string): string | null;
  note(key: string, value: string): void;
  /** Forgets this procedure, because it came to its end. */
  clear(): void;
}

/** Where the journal of a cluster file is. */
export function journalPath(clusterFile: string): string {
  return `${clusterFile.replace(/\.toml$/, '')}.journal.json`;
}

/** The notes of `procedure` in the file; a procedure is named with what it is about: "bluegreen node-2". */
export function openJournal(path: string, procedure: string): Journal {
  requireContent(path);
  const change = (edit: (notes: Notes) => Notes | null): void => {
    const { procedures } = requireContent(path);
    const edited = edit({ ...own(procedures, procedure) });
    const { [procedure]: _, ...others } = procedures;
    writeContent(path, { format: FORMAT, procedures: edited === null ? others : { ...others, [procedure]: edited } });
  };
  return {
    read: (key) => own(own(requireContent(path).procedures, procedure) ?? {}, key),
    note: (key, value) => change((notes) => ({ ...notes, [key]: value })),
    clear() {
      if (own(requireContent(path).procedures, procedure) !== null) change(() => null);
    },
  };
}

/** Whether there is a file that is no journal; throws ClusterConfigError where it cannot be read. */
export function isDamagedJournal(path: string): boolean {
  return readContent(path) === null;
}

/** Gives a damaged journal another name, which is returned, so that a new one can be begun. Throws ClusterConfigError. */
export function setAside(path: string): string {
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[^0-9TZ]/g, '')}`;
  try {
    renameSync(path, aside);
    syncDirectory(dirname(resolve(path)));
  } catch (error) {
    throw new ClusterConfigError(`the damaged journal ${path} cannot be set aside: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return aside;
}

/** Remembers nothing. */
export const emptyJournal: Journal = { read: () => null, note: () => undefined, clear: () => undefined };

/** Reads as if nothing had been noted; what had been is forgotten with the first note. */
export function asIfClear(journal: Journal): Journal {
  let isForgotten = false;
  const forget = (): void => {
    if (!isForgotten) journal.clear();
    isForgotten = true;
  };
  return {
    read: (key) => (isForgotten ? journal.read(key) : null),
    note(key, value) {
      forget();
      journal.note(key, value);
    },
    clear: () => journal.clear(),
  };
}

/** What a file says under a name, and not what every object has. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | null {
  return Object.hasOwn(record, name) ? (record[name] ?? null) : null;
}

function requireContent(path: string): Content {
  const content = readContent(path);
  if (content !== null) return content;
  throw new ClusterConfigError(
    `the journal ${path} is damaged; look where the procedure stopped, then begin again with --fresh, which sets it aside (bootstrap: rename it)`,
  );
}

/** Null where it is damaged. */
function readContent(path: string): Content | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { format: FORMAT, procedures: {} };
    throw new ClusterConfigError(`the journal ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  return text.length > FILE_BYTES_MAX ? null : parse(text);
}

function parse(text: string): Content | null {
  try {
    const { format, procedures } = JSON.parse(text) as { format?: unknown; procedures?: unknown };
    if (format !== FORMAT || typeof procedures !== 'object' || procedures === null) return null;
    const isGood = (notes: unknown): notes is Notes =>
      typeof notes === 'object' && notes !== null && Object.values(notes).every((value) => typeof value === 'string');
    return Object.values(procedures).every(isGood) ? { format: FORMAT, procedures: { ...procedures } } : null;
  } catch {
    return null;
  }
}

function writeContent(path: string, content: Content): void {
  const temporary = `${path}.${process.pid}`;
  try {
    if (Object.keys(content.procedures).length === 0) rmSync(path, { force: true });
    else {
      writeDurably(temporary, Buffer.from(`${JSON.stringify(content, null, 2)}\n`), 0o600);
      renameSync(temporary, path);
    }
    syncDirectory(dirname(resolve(path)));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new ClusterConfigError(`the journal ${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
