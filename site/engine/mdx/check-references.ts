/**
 * References of Markdown: `[words][name]`, `![words][name]` and `[^name]` need a definition, without which they are
 * but brackets on the page. Pictures by reference are held to what pictures are held to.
 */
import type { Node } from './nodes.ts';

/** `][name]` in what is left as text. */
const UNDEFINED_LINK = /(?<!\\)\](\[(?:[^\][\\]|\\.)*\])/g;
const UNDEFINED_NOTE = /(?<!\\)(\[\^[^\]\s]+\])/g;

interface ReferenceProblem {
  readonly line: number;
  readonly message: string;
}

/** `tree` was parsed from `text`; lines are of the text. */
export function checkReferences(text: string, tree: Node): ReferenceProblem[] {
  const definitions = new Map(nodesOf(tree, 'definition').map(({ identifier, url }) => [identifier, url ?? '']));
  const problems: ReferenceProblem[] = [];
  for (const { position } of nodesOf(tree, 'text')) {
    if (position === undefined) continue;
    const written = text.slice(position.start.offset, position.end.offset);
    for (const pattern of [UNDEFINED_LINK, UNDEFINED_NOTE]) {
      for (const { 1: found = '', index } of written.matchAll(pattern)) {
        const name = found.replaceAll(/\s+/g, ' ');
        const line = position.start.line + written.slice(0, index).split('\n').length - 1;
        problems.push({
          line,
          message: `The reference ${name} has no definition: add a line \`${name}: …\`, or set it as code.`,
        });
      }
    }
  }
  for (const { identifier, alt, position } of nodesOf(tree, 'imageReference')) {
    const line = position?.start.line ?? 1;
    const url = definitions.get(identifier) ?? '';
    if ((alt ?? '').trim() === '') problems.push({ line, message: NO_ALTERNATIVE });
    if (!url.startsWith('/')) problems.push({ line, message: foreignPicture(url) });
  }
  return problems;
}

export const NO_ALTERNATIVE = 'This image has no alternative text; say what it shows to readers who cannot see it.';

export function foreignPicture(href: string): string {
  return `The picture ${href} would be fetched from another site; put it into site/public.`;
}

function nodesOf(node: Node, type: string): Node[] {
  return [...(node.type === type ? [node] : []), ...(node.children ?? []).flatMap((child) => nodesOf(child, type))];
}
