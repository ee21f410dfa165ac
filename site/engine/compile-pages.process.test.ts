import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compilePages } from './compile-pages.ts';
import { joinContent, readContentGraph } from './content-graph.ts';
import { createPageCompiler } from './mdx/compile-page.ts';
import { createCodeHighlighter } from './mdx/highlight.ts';

const PAGES = 24;
/** Enough for a thread beside this one. */
const WORDS_PER_PAGE = 4000;

describe('pages compiled on all cores', () => {
  const root = mkdtempSync(join(tmpdir(), 'compile-pages-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('are the same as those compiled one after the other, in the same order', async () => {
    const folder = { root, pages: join(root, 'pages') };
    mkdirSync(folder.pages);
    for (let page = 0; page < PAGES; page += 1) {
      const head = `---\ntitle: Page ${page}\ndescription: A page of many words, to keep a thread busy.\nkind: concept\n---\n\n`;
      const broken = page % 5 === 0 ? '<Callout>' : '![](/no-words.png)';
      const text = `${head}${'words '.repeat(WORDS_PER_PAGE)}\n\n## Part ${page}\n\n\`\`\`sh\necho ${page}\n\`\`\`\n\n${broken}\n`;
      writeFileSync(join(folder.pages, `page-${page}.mdx`), text);
    }
    const compiler = async () => createPageCompiler(await createCodeHighlighter(), {});
    const parallel = joinContent(folder, await compilePages(folder, await compiler()));
    expect(parallel.pages.size).toBe(PAGES);
    expect(parallel).toEqual(await readContentGraph(folder, await compiler()));
    expect([...parallel.pages.keys()]).toEqual([...parallel.pages.keys()].sort());
  });
});
