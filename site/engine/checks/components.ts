/**
 * Components, islands and figures that pages name exist, and canonical routes are pages.
 */
import type { ContentGraph } from '../content-graph.ts';
import { authorsComponents } from '../mdx/element-rules.ts';
import type { Problem } from '../problems.ts';

export interface KnownNames {
  readonly components: readonly string[];
  readonly islands: readonly string[];
  readonly figures: readonly string[];
}

export function checkComponents(graph: ContentGraph, known: KnownNames): Problem[] {
  const registries: Readonly<Record<string, { readonly names: readonly string[]; readonly file: string }>> = {
    Island: { names: known.islands, file: 'site/islands/registry.ts' },
    Figure: { names: known.figures, file: 'site/mdx/figures/registry.ts' },
  };
  // Some are the engine's own: they take ready HTML, which authors must not write.
  const usable = known.components.filter((name) => authorsComponents().includes(name));
  const problems: Problem[] = [];
  for (const { page, components } of graph.pages.values()) {
    for (const { name, names, line } of components) {
      const registry = registries[name];
      const complain = (message: string): number => problems.push({ file: page.file, line, message });
      if (!usable.includes(name)) {
        complain(`There is no component <${name}>; site/mdx/components.ts has ${usable.join(', ')}.`);
      } else if (registry !== undefined && (names === null || !registry.names.includes(names))) {
        complain(
          `<${name}> needs a name that ${registry.file} has, not ${JSON.stringify(names ?? '')}: ${registry.names.join(', ')}.`,
        );
      }
    }
  }
  return problems;
}

/** A canonical page is another page of the site that is its own original. */
export function checkCanonicals(graph: ContentGraph): Problem[] {
  return [...graph.pages.values()].flatMap(({ page }) => {
    const { canonical } = page.frontMatter;
    if (canonical === undefined) return [];
    const original = graph.pages.get(canonical)?.page;
    const isOriginal =
      original !== undefined && original.frontMatter.canonical === undefined && canonical !== page.route;
    const message = `canonical names ${canonical}, which must be another page that has no canonical itself.`;
    return isOriginal ? [] : [{ file: page.file, line: 1, message }];
  });
}
