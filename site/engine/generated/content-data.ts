/** Reads a file of content/data: JSON or YAML with a source and a date, which pages show. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '../../../content/data');

export interface Dated {
  /** Where the facts come from, as a phrase. */
  readonly source: string;
  /** ISO date they were taken. */
  readonly date: string;
}

/** Parsing takes longer than reading: a file that several pages show is parsed when its text changes. */
const parsed = new Map<string, { readonly text: string; readonly data: Partial<Dated> }>();

/** Throws an error that names the file when it is not there or says neither source nor date. */
export function readContentData<T extends Dated>(name: string): T {
  const text = readFileSync(join(folder, name), 'utf8');
  const known = parsed.get(name);
  const data: Partial<Dated> =
    known?.text === text ? known.data : name.endsWith('.json') ? JSON.parse(text) : parse(text);
  parsed.set(name, { text, data });
  if (typeof data.source !== 'string' || String(data.date).match(/^\d{4}-\d{2}-\d{2}/) === null) {
    throw new Error(`content/data/${name} must name its \`source\` and the \`date\` it was taken`);
  }
  return data as T;
}

/** The sentence below a table. */
export function sourceNote({ source, date }: Dated): string {
  return `Source: ${source}; taken ${String(date).slice(0, 10)}.`;
}
