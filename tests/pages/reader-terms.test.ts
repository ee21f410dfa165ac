/** What readers search for stands in the text of the page that explains it: content/data/reader-terms.yaml. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const schema = z.object({ terms: z.record(z.string().startsWith('/'), z.array(z.string().min(2)).nonempty()) });
const { terms } = schema.parse(parse(readFileSync(join(root, 'content/data/reader-terms.yaml'), 'utf8')));

/** What a reader reads: without front matter, code blocks and the marks of glossary terms; in one case and one line. */
function textOf(route: string): string {
  const files = [`content/pages${route}.mdx`, `content/pages${route}/index.mdx`].map((file) => join(root, file));
  const file = files.find((one) => existsSync(one));
  if (file === undefined) throw new Error(`there is no page ${route}`);
  return readFileSync(file, 'utf8')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
    .replaceAll(/<\/?Term[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
}

describe('terms that readers search for', () => {
  test.each(Object.entries(terms))('stand in the text of %s', (route, wanted) => {
    const text = textOf(route);
    expect(wanted.filter((term) => !text.includes(term.toLowerCase()))).toEqual([]);
  });
});
