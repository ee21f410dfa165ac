/**
 * The reader's test: content/questions has, for each page, the questions that a reader of its title would bring, each
 * with the heading that answers it, on the page itself or on one that it links to. `#` without a heading is what stands
 * above the first one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { BuiltPage } from './built-pages.ts';

const QUESTIONS_MIN = 5;

const schema = z.array(
  z.strictObject({
    question: z.string().regex(/\?$/, 'a question ends with a question mark'),
    answer: z.string().regex(/^(?:\/[^#]*)?#[^#]*$/, 'an answer is #heading, or /route#heading'),
  }),
);

/** What the files below a folder hold, by the route of their page. */
export function readQuestions(folder: string): Map<string, unknown> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  return new Map(
    files.map((file) => [
      `/${file.replace(/(?:^|\/)index\.yaml$|\.yaml$/, '')}`,
      parse(readFileSync(join(folder, file), 'utf8')),
    ]),
  );
}

/** Routes of other pages that answer what a file asks; none where it has another shape. */
export function answeringRoutes(questions: unknown): string[] {
  const { data = [] } = schema.safeParse(questions);
  return data.flatMap(({ answer }) => answer.split('#', 1)).filter((route) => route !== '');
}

/** Sentences: what is missing, what is answered nowhere. Pages that are not asked may answer, and need no questions. */
export function questionComplaints(
  pages: ReadonlyMap<string, BuiltPage>,
  questions: ReadonlyMap<string, unknown>,
  isAsked: (route: string) => boolean,
): string[] {
  const complaints = [...questions.keys()]
    .filter((route) => !pages.has(route))
    .map((route) => `${route}: there are questions, and no page`);
  for (const page of pages.values()) {
    if (!isAsked(page.route)) continue;
    const parsed = schema.safeParse(questions.get(page.route) ?? []);
    if (!parsed.success) {
      complaints.push(`${page.route}: ${parsed.error.issues[0]?.message}`);
      continue;
    }
    const asked = new Set(parsed.data.map(({ question }) => question));
    if (asked.size < QUESTIONS_MIN)
      complaints.push(`${page.route}: ${asked.size} different questions instead of ${QUESTIONS_MIN}`);
    for (const { answer } of parsed.data) complaints.push(...answerComplaint(page, answer, pages));
  }
  return complaints;
}

function answerComplaint(page: BuiltPage, answer: string, pages: ReadonlyMap<string, BuiltPage>): string[] {
  const [path = '', heading = ''] = answer.split('#', 2);
  const route = path === '' ? page.route : path;
  const target = pages.get(route);
  if (target === undefined) return [`${page.route}: there is no page ${route} that could answer`];
  if (heading !== '' && !target.headings.has(heading)) return [`${page.route}: ${route} has no heading #${heading}`];
  return route === page.route || page.links.has(route) ? [] : [`${page.route}: no link leads to ${answer}`];
}
