/**
 * Everything that is made from the content graph without rendering: the files beside the documents,
 * and what documents say of them.
 */
import { createHash } from 'node:crypto';
import type { PageAssets } from '../../layout/frame-props.ts';
import { HEAD_NAME } from '../../search/index-format.ts';
import { searchFilesOf } from '../search-sections.ts';
import { feedFiles } from './feeds.ts';
import { withFigures } from './figures.ts';
import type { FigureText } from './figures.ts';
import type { OutputFile, OutputInput } from './output-file.ts';
import { redirectFiles } from './redirects.ts';
import { contentSecurityPolicy, headersFile, speculationRules } from './security.ts';
import { twinFiles } from './twins.ts';

export interface SiteOutputs {
  readonly files: readonly OutputFile[];
  readonly assets: Pick<PageAssets, 'searchIndex' | 'speculationRules' | 'contentSecurityPolicy'>;
}

export interface SiteOutputsInput extends OutputInput {
  readonly figures: Readonly<Record<string, FigureText>>;
  readonly bootScript: string;
}

/** The files that people and programs read beside the documents: twins, feeds, redirects. */
export function makeTextFiles(input: OutputInput & Pick<SiteOutputsInput, 'figures'>): OutputFile[] {
  return [
    ...twinFiles(input, ({ markdown }) => withFigures(markdown, input.figures)),
    ...feedFiles(input),
    ...redirectFiles(input),
  ];
}

export function makeSiteOutputs(input: SiteOutputsInput): SiteOutputs {
  const { graph, bootScript } = input;
  const rules = speculationRules(graph.tree);
  const policy = contentSecurityPolicy([bootScript, rules]);
  const index = searchFilesOf(graph);
  const hash = createHash('sha256')
    .update(JSON.stringify([...index]))
    .digest('hex')
    .slice(0, 8);
  const folder = `assets/search/${hash}/`;
  const searchIndex = `/${folder}${HEAD_NAME}`;
  return {
    files: [
      ...makeTextFiles(input),
      headersFile(policy),
      // Where the edge finds the newest index, which browsers are told by each page.
      { path: 'search.json', text: `${JSON.stringify({ index: searchIndex })}\n` },
      ...[...index].map(([name, text]) => ({ path: `${folder}${name}`, text })),
    ],
    assets: { searchIndex, speculationRules: rules, contentSecurityPolicy: policy },
  };
}
