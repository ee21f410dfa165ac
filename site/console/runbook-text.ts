/** Cuts the pages of the runbook into their sections, as Markdown: what the console shows and `conductor runbook` prints. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The way to the simulated cluster of the site, which neither console nor terminal has. */
const WATCH = /^\[Watch this happen\]\(.*$/gm;

/** By the name in the heading, for headings of one word. */
export function readRunbook(folder: string): Record<string, string> {
  const sections: Record<string, string> = {};
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.mdx'))
    .toSorted()) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const part of text.split(/^#{2,3} /m).slice(1)) {
      const [heading = '', ...lines] = part.split('\n');
      const body = lines.join('\n').replaceAll(WATCH, '').trim();
      if (/^[\w-]+$/.test(heading) && body !== '') sections[heading] = body;
    }
  }
  return sections;
}
