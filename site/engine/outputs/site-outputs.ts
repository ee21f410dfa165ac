/**
 * Everything that is made from the content graph without rendering: the files beside the documents,
 * and what documents say of them.
 */
import type { PageAssets } from '../../layout/frame-props.ts';
import { HEAD_NAME } from '../../search/index-format.ts';
import { feedFiles } from './feeds.ts';
import { withFigures, type FigureText } from './figures.ts';
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
  /** The folder of the search index, below the site's. */
  readonly searchFolder: string;
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
  const { graph, bootScript, searchFolder } = input;
  const rules = speculationRules(graph.tree);
  const policy = contentSecurityPolicy([bootScript, rules]);
  const searchIndex = `/${searchFolder}/${HEAD_NAME}`;
  return {
    files: [
      ...makeTextFiles(input),
      headersFile(policy),
      // Where the edge finds the newest index, which browsers are told by each page.
      { path: 'search.json', text: `${JSON.stringify({ index: searchIndex })}\n` },
    ],
    assets: { searchIndex, speculationRules: rules, contentSecurityPolicy: policy },
  };
}
