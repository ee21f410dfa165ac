/** The words that pages avoid, as the tables of the style guide: what not to write, what to write, and why. */
import { readVocabulary } from '../vocabulary.ts';
import { sourceNote } from './content-data.ts';
import type { Generator } from './generator.ts';
import { code, table } from './mdx-text.ts';

export const vocabulary: Generator = () => {
  const data = readVocabulary();
  const groups = data.groups.map(({ title, entries }) => {
    const rows = entries.map(({ avoid, use, why }) => [avoid.map(code).join(', '), use, why]);
    return `### ${title}\n\n${table(['Not', 'But', 'Why'], rows)}`;
  });
  return [...groups, sourceNote(data)].join('\n\n');
};
