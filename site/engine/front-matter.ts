/**
 * The head of a page: YAML between two lines of three dashes, checked against a schema. What is wrong
 * comes back as sentences; a page with a bad head still has one, so that the rest of it is checked too.
 */
import { z } from 'zod';
import type { FrontMatter, PageKind } from './page.ts';
import type { Problem } from './problems.ts';
import { readYamlPart } from './yaml-part.ts';

const DESCRIPTION_LENGTH_MIN = 30;
const DESCRIPTION_LENGTH_MAX = 200;

const KINDS = [
  'index',
  'concept',
  'tutorial',
  'reference',
  'interactive',
  'notice',
] as const satisfies readonly PageKind[];
const FENCE = '---';

const text = (name: string, example: string) =>
  z
    .string({ error: `${name} must be text, for example \`${name}: ${example}\`.` })
    .trim()
    .min(1, `${name} is empty.`);

const schema = z.strictObject(
  {
    title: text('title', 'Run a node'),
    description: text('description', 'How to run a node of the OP Stack, from hardware to the first block.')
      .min(
        DESCRIPTION_LENGTH_MIN,
        `description must have ${DESCRIPTION_LENGTH_MIN} characters or more: one sentence on what the reader finds here.`,
      )
      .max(
        DESCRIPTION_LENGTH_MAX,
        `description must have ${DESCRIPTION_LENGTH_MAX} characters or fewer: one sentence on what the reader finds here.`,
      ),
    lang: text('lang', 'en-US')
      .refine(isLanguageTag, 'lang must be a BCP 47 tag of a language that exists, such as en-US.')
      .default('en-US'),
    kind: z.enum(KINDS, { error: `kind must be one of ${KINDS.join(', ')}.` }),
    tags: z
      .array(text('a tag', 'bridge'), { error: 'tags must be a list of words, for example `tags: [bridge, deposit]`.' })
      .default([]),
    canonical: text('canonical', '/chain/networks')
      .regex(
        /^\/(?:[\w.-]+(?:\/[\w.-]+)*)?$/,
        'canonical must be the route of another page, for example `/chain/networks`.',
      )
      .optional(),
    date: text('date', '2026-01-31')
      .refine(
        (date) => /^\d{4}-\d\d-\d\d$/.test(date) && isCalendarDay(date),
        'date must be a day of the calendar as YYYY-MM-DD.',
      )
      .optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `There is no ${issue.keys.join(', ')} in the head of a page; it has title, description, lang, kind, tags, canonical and date.`
        : 'The head of a page is a list of `key: value` lines: title, description and kind are needed.',
  },
);

export interface PageHead {
  readonly frontMatter: FrontMatter;
  /** The file with the head blanked out: lines keep their numbers. */
  readonly body: string;
  readonly problems: readonly Problem[];
}

/** Splits a page file into head and body. `file` is only for the problems. */
export function readPageHead(file: string, source: string): PageHead {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end =
    lines[0]?.trimEnd() === FENCE ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === FENCE) : -1;
  if (end < 0) {
    const message = `The page must begin with a head between two lines of ${FENCE} with title, description and kind.`;
    return { frontMatter: standIn(file), body: lines.join('\n'), problems: [{ file, line: 1, message }] };
  }
  const { value, problems } = readYamlPart({ file, firstLine: 2, text: lines.slice(1, end).join('\n') }, schema);
  const body = lines.map((line, index) => (index <= end ? '' : line)).join('\n');
  return { frontMatter: value === null ? standIn(file) : withoutUndefined(value), body, problems };
}

function standIn(file: string): FrontMatter {
  return { title: file, description: '', lang: 'en-US', kind: 'concept', tags: [] };
}

function withoutUndefined(value: z.infer<typeof schema>): FrontMatter {
  const { canonical, date, ...always } = value;
  return { ...always, ...(canonical === undefined ? {} : { canonical }), ...(date === undefined ? {} : { date }) };
}

/** Also tells languages from words of their form. */
const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

function isLanguageTag(tag: string): boolean {
  try {
    return languageNames.of(new Intl.Locale(tag).language) !== undefined;
  } catch {
    return false;
  }
}

function isCalendarDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date);
}
