/**
 * Reads the file of --config: a YAML mapping from the names of flags to what would be written behind them on a command
 * line. What is wrong is told with its line; what can be read is kept, so that one mistake does not hide the others.
 */
import { readFileSync, statSync } from 'node:fs';
import { isAlias, isMap, isScalar, LineCounter, parseDocument, type Pair, type Scalar } from 'yaml';
import { messageOf } from '#conductor/core/errors';
import { nearest } from './nearest.ts';

/** Largest file, bytes; all flags with long values fit many times. */
const configBytesMax = 64 * 1024;

export interface ConfigEntry {
  /** As it would be written on the command line. */
  readonly text: string;
  /** Where it stands, from 1. */
  readonly line: number;
}

export interface ConfigFile {
  readonly entries: ReadonlyMap<string, ConfigEntry>;
  /** Sentences, each with the path and, where there is one, the line. */
  readonly faults: readonly string[];
}

/** Never throws. `names` are those of all flags; `--config` itself is not one that the file may have. */
export function readConfigFile(path: string, names: readonly string[]): ConfigFile {
  let text: string;
  try {
    const status = statSync(path);
    if (!status.isFile()) throw new Error('it is not a file');
    if (status.size > configBytesMax)
      throw new Error(`it has ${status.size} bytes, at most ${configBytesMax} are read`);
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (thrown) {
    return { entries: new Map(), faults: [`--config: ${path} cannot be read: ${messageOf(thrown)}`] };
  }
  return parseConfig(text, path, names);
}

/** Reads the text of the file `path`. */
export function parseConfig(text: string, path: string, names: readonly string[]): ConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true, uniqueKeys: true });
  const faults: string[] = [];
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const fault = (offset: number, what: string): void =>
    void faults.push(`--config: ${path}, line ${lineAt(offset)}: ${what}`);
  for (const { pos, message } of [...document.errors, ...document.warnings]) fault(pos[0], message);
  const entries = new Map<string, ConfigEntry>();
  const root = document.contents;
  // An empty file, or one with comments only.
  if (root === null || (isScalar(root) && root.value === null)) return { entries, faults };
  if (!isMap(root)) {
    fault(root.range?.[0] ?? 0, 'it is not a mapping: write one "name: value" per line, as "rpc.port: 8545"');
    return { entries, faults };
  }
  for (const { key, value } of root.items as Pair<unknown, unknown>[]) {
    if (!isScalar(key)) {
      fault(offsetOf(key), 'a name is a word, as "rpc.port"');
      continue;
    }
    const name = String(key.value);
    const what = complaintAbout(name, value, names);
    if (what === null) entries.set(name, { text: textOf(value as Scalar), line: lineAt(offsetOf(key)) });
    else fault(offsetOf(key), what);
  }
  return { entries, faults };
}

/** null where the entry can be used. */
function complaintAbout(name: string, value: unknown, names: readonly string[]): string | null {
  if (name === 'config') return 'config names this file, and cannot stand in it';
  if (!names.includes(name)) {
    const isGroup = names.some((known) => known.startsWith(`${name}.`));
    if (isGroup && isMap(value)) return `names are written in one piece: "${name}.…: value", not as a mapping`;
    const meant = nearest(name.replace(/^--?/, ''), names);
    return `unknown option "${name}"${meant === null ? '; conductor --help lists them' : ` (did you mean ${meant}?)`}`;
  }
  if (isAlias(value)) return `${name} is an alias of another value: write the value itself`;
  if (!isScalar(value)) return `${name} takes one value; a list of several is one text with commas`;
  if (value.value === null) return `${name} has no value: write "" for an empty one, or leave the line out`;
  return null;
}

/** Numbers and booleans as they were written: 0x10 and 1e3 are for the flag's own reader to judge. */
function textOf(value: Scalar): string {
  return typeof value.value === 'string' ? value.value : (value.source ?? String(value.value));
}

function offsetOf(node: unknown): number {
  const { range } = (node ?? {}) as { readonly range?: readonly number[] | null };
  return range?.[0] ?? 0;
}
