/**
 * The words that pages avoid: content/data/vocabulary.yaml, validated. The check that looks for them and the
 * table of the style guide read the same list.
 */
import { z } from 'zod';
import { readContentData, type Dated } from './generated/content-data.ts';

const FILE = 'vocabulary.yaml';

const entry = z.strictObject({
  /** Words or phrases, matched whole. */
  avoid: z.array(z.string().trim().min(2)).nonempty(),
  /** Markdown. */
  use: z.string().trim().min(1),
  /** A sentence, in Markdown. */
  why: z.string().trim().min(1),
  /** Matched in this case only; in any case when left out. */
  exactCase: z.boolean().default(false),
});

const groups = z.array(z.strictObject({ title: z.string().min(1), entries: z.array(entry).nonempty() })).nonempty();

const exceptions = z
  .array(
    z.strictObject({
      /** A route, or with `/*` at its end all routes below it. */
      page: z.string().startsWith('/'),
      /** Titles of groups whose words the pages may use. */
      groups: z.array(z.string()).nonempty(),
      why: z.string().min(20),
    }),
  )
  .default([]);

export type VocabularyEntry = z.output<typeof entry>;
export type VocabularyException = z.output<typeof exceptions>[number];

export interface Vocabulary extends Dated {
  readonly groups: z.output<typeof groups>;
  readonly exceptions?: z.output<typeof exceptions>;
}

const parsed = new WeakMap<Vocabulary, Vocabulary>();

/** The same as long as the file is. Throws an error that names file and place when it has another shape or lists a term twice. */
export function readVocabulary(): Vocabulary {
  const data = readContentData<Vocabulary>(FILE);
  const vocabulary = parsed.get(data) ?? parseVocabulary(data);
  parsed.set(data, vocabulary);
  return vocabulary;
}

/** What `readVocabulary` does to the file's content. */
export function parseVocabulary(data: Vocabulary): Vocabulary {
  const read = groups.safeParse(data.groups);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`content/data/${FILE}: ${['groups', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? ''}`);
  }
  const avoided = read.data.flatMap(({ entries }) => entries.flatMap(({ avoid }) => avoid));
  const twice = avoided.find((term, index) => avoided.indexOf(term) !== index);
  if (twice !== undefined) throw new Error(`content/data/${FILE} lists ${JSON.stringify(twice)} twice`);
  const excepted = exceptions.parse(data.exceptions);
  const titles = new Set(read.data.map(({ title }) => title));
  const lost = excepted.flatMap((one) => one.groups).find((title) => !titles.has(title));
  if (lost !== undefined) throw new Error(`content/data/${FILE} excepts pages from ${lost}, which is no group`);
  return { source: data.source, date: data.date, groups: read.data, exceptions: excepted };
}
