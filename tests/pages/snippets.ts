/**
 * The blocks of pages in languages that nothing runs: shell, JSON, YAML, TOML and Solidity are parsed, so that what
 * readers copy has at least no slip in it. Messages name page and line.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseSolidity } from '@solidity-parser/parser';
import { parseAllDocuments } from 'yaml';
import { fencesOf } from './fences.ts';

export interface Snippet {
  readonly lang: string;
  readonly text: string;
  /** `chain/networks.mdx:12`, where its fence opens. */
  readonly place: string;
}

/** The blocks of pages, in their order; `files` are paths below `folder`. */
export function snippetsOf(folder: string, files: readonly string[]): Snippet[] {
  return files.flatMap((file) =>
    fencesOf(readFileSync(join(folder, file), 'utf8')).map(({ lang, text, line }) => ({
      lang,
      text,
      place: `${file}:${line}`,
    })),
  );
}

/** By language: throws what its parser says. */
const parsers: Readonly<Record<string, (text: string) => void>> = {
  json: (text) => void JSON.parse(text),
  toml: (text) => void Bun.TOML.parse(text),
  solidity: (text) => void parseSolidity(text),
  yaml: (text) => {
    const [error] = parseAllDocuments(text).flatMap(({ errors }) => errors);
    if (error !== undefined) throw error;
  },
};

/** Languages that `snippetComplaints` looks at. */
export const parsedLanguages: readonly string[] = ['sh', ...Object.keys(parsers)];

/** One sentence for each snippet that is not of its language. Needs bash. */
export async function snippetComplaints(snippets: readonly Snippet[]): Promise<string[]> {
  const complaints: string[] = [];
  for (const { lang, text, place } of snippets) {
    try {
      parsers[lang]?.(text);
    } catch (error) {
      complaints.push(`${place}: this is no ${lang}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    }
  }
  for (const { place, text } of snippets.filter(({ lang }) => lang === 'sh')) {
    const said = await shellComplaint(text);
    if (said !== '') complaints.push(`${place}: this is no shell: ${said}`);
  }
  return complaints;
}

/** What bash says of a script that it does not run; '' when it is content. */
async function shellComplaint(script: string): Promise<string> {
  const bash = Bun.spawn(['bash', '-n'], { stdin: new Blob([script]), stdout: 'ignore', stderr: 'pipe' });
  const said = await new Response(bash.stderr).text();
  return (await bash.exited) === 0 && said === '' ? '' : said.trim().replaceAll('\n', ' ') || 'bash refuses it';
}
