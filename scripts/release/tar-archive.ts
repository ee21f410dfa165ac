/**
 * Tar archives in which only names, contents and one time stand: entries are sorted, owners are nobody, modes are two.
 * The same files give the same bytes on any machine, which tools that read a folder do not promise. The format is
 * POSIX ustar, which every tar reads.
 */

/** One file of an archive; folders come of themselves when it is unpacked. */
export interface ArchiveEntry {
  /** Relative, with `/` between parts; at most 255 bytes of ASCII, of which the last part at most 100. */
  readonly path: string;
  readonly data: Uint8Array;
  readonly isExecutable?: boolean;
}

const BLOCK_BYTES = 512;
const NAME_BYTES_MAX = 100;
const PREFIX_BYTES_MAX = 155;
/** Eleven octal digits. */
const SIZE_BYTES_MAX = 0o77777777777;

/** The archive, not compressed. `mtimeSeconds` is Unix time, for all. Throws for a path that ustar cannot hold, or twice. */
export function tarArchive(entries: readonly ArchiveEntry[], mtimeSeconds: number): Uint8Array {
  const sorted = [...entries].sort((one, other) => (one.path < other.path ? -1 : 1));
  const chunks: Uint8Array[] = [];
  let previous: string | null = null;
  for (const entry of sorted) {
    if (entry.path === previous) throw new Error(`${entry.path} is twice in the archive`);
    previous = entry.path;
    chunks.push(header(entry, mtimeSeconds), entry.data, new Uint8Array(padding(entry.data.length)));
  }
  // Two empty blocks are the end.
  chunks.push(new Uint8Array(2 * BLOCK_BYTES));
  return new Uint8Array(Buffer.concat(chunks));
}

function header({ path, data, isExecutable = false }: ArchiveEntry, mtimeSeconds: number): Uint8Array {
  const { prefix, name } = splitPath(path);
  if (data.length > SIZE_BYTES_MAX) throw new Error(`${path} is too large for a tar archive`);
  const block = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, at: number, digits: number): void => {
    block.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
  };
  block.write(name, 0, 'latin1');
  octal(isExecutable ? 0o755 : 0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(data.length, 124, 11);
  octal(mtimeSeconds, 136, 11);
  // The sum is taken with blanks in its place.
  block.fill(' ', 148, 156);
  block.write('0', 156, 'latin1');
  block.write('ustar\u000000', 257, 'latin1');
  block.write(prefix, 345, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  octal(sum, 148, 6);
  block.write('\0 ', 154, 'latin1');
  return block;
}

/** A long path is cut at a slash, so that both parts fit. */
function splitPath(path: string): { readonly prefix: string; readonly name: string } {
  const parts = path.split('/');
  if (!/^[\x20-\x7e]+$/.test(path) || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new Error(`${JSON.stringify(path)} cannot be a path in an archive: want relative ASCII without . and ..`);
  }
  if (path.length <= NAME_BYTES_MAX) return { prefix: '', name: path };
  // The earliest slash that leaves a name short enough.
  const slash = path.indexOf('/', path.length - NAME_BYTES_MAX - 1);
  if (slash === -1 || slash > PREFIX_BYTES_MAX) throw new Error(`${path} is too long for a tar archive`);
  return { prefix: path.slice(0, slash), name: path.slice(slash + 1) };
}

function padding(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}
