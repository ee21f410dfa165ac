/** The glossary's terms, group by group, each under an anchor that never changes. */
import { readContentData, sourceNote, type Dated } from './content-data.ts';
import type { Generator } from './generator.ts';

interface Glossary extends Dated {
  readonly groups: readonly {
    readonly title: string;
    readonly terms: readonly { readonly id: string; readonly term: string; readonly text: string }[];
  }[];
}

export const glossary: Generator = () => {
  const data = readContentData<Glossary>('glossary.yaml');
  const groups = data.groups.map(({ title, terms }) => {
    const entries = terms.map(({ id, term, text }) => `<h3 id="${id}">${term}</h3>\n\n${text}`);
    return [`## ${title}`, ...entries].join('\n\n');
  });
  return [...groups, sourceNote(data)].join('\n\n');
};
