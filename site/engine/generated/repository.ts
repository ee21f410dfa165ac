/**
 * Pages made from what stands elsewhere in the repository: the list of decision records, from their heads, the changelog,
 * and the text of a page that has two routes. Each has one source.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPageHead } from '../front-matter.ts';
import type { Generator } from './generator.ts';
import { prose, table } from './mdx-text.ts';

const root = join(import.meta.dirname, '../../..');
const PAGES = join(root, 'content/pages');
const DECISIONS = 'content/pages/conductor/decisions';
/** The first line of a record. */
const STATUS = /^(Accepted on \d{1,2} \p{L}+ \d{4}|Superseded by .+)\.$/u;

/** The records of a folder within the repository, in their order: number, title, what it says, status. */
export const decisionRecords: Generator = ({ folder = DECISIONS }) => {
  const files = readdirSync(join(root, folder)).filter((name) => /^\d{4}-[\w-]+\.mdx$/.test(name));
  const rows = files.toSorted().map((name) => {
    const { frontMatter, body } = readPageHead(name, readFileSync(join(root, folder, name), 'utf8'));
    const first = body.split('\n').find((line) => line.trim() !== '') ?? '';
    const [, status] = STATUS.exec(first) ?? [];
    if (status === undefined) {
      throw new Error(`${name} does not begin with “Accepted on 21 November 2026.” or “Superseded by …”`);
    }
    const link = `[${prose(frontMatter.title)}](/conductor/decisions/${name.slice(0, -'.mdx'.length)})`;
    return [name.slice(0, 4), link, prose(frontMatter.description), status];
  });
  return table(['No.', 'Decision', 'In short', 'Status'], rows);
};

/** CHANGELOG.md without its title: MDX as it stands, since Markdown that is no MDX is a mistake the build names. */
export const changelog: Generator = () => {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  return text.replace(/^# .*\n+/, '').replaceAll(/^(#+) \[(.+?)\]/gm, '$1 $2');
};

/** Attribute `of`: the route of a page, whose text without its head stands here, too. */
export const pageText: Generator = ({ of = '' }) => {
  const file = [`${of}.mdx`, `${of}/index.mdx`].find((name) => existsSync(join(PAGES, name)));
  if (!/^(?:\/[\w.-]+)+$/.test(of) || of.includes('..') || file === undefined)
    throw new Error(`page/text needs \`of\`, the route of a page; there is none at ${of === '' ? 'nothing' : of}`);
  return readPageHead(file, readFileSync(join(PAGES, file), 'utf8')).body.trim();
};
