/**
 * An element on a line of its own is a block, though a parser that goes by lines finds a paragraph around it.
 * MDX takes such paragraphs away before it compiles; the engine reads trees earlier and does the same.
 */
import type { Node } from './nodes.ts';

const FLOW: Readonly<Record<string, string>> = {
  mdxJsxTextElement: 'mdxJsxFlowElement',
  mdxTextExpression: 'mdxFlowExpression',
};

/** Changes the tree. */
export function unravel(tree: Node): void {
  if (tree.children === undefined) return;
  tree.children = tree.children.flatMap((child) => (isOnlyElements(child) ? elementsOf(child) : [child]));
  for (const child of tree.children) unravel(child);
}

function isOnlyElements(node: Node): boolean {
  const children = node.type === 'paragraph' ? (node.children ?? []) : [];
  return children.some(({ type }) => type in FLOW) && children.every((child) => child.type in FLOW || isBlank(child));
}

function elementsOf(paragraph: Node): Node[] {
  return (paragraph.children ?? [])
    .filter((child) => !isBlank(child))
    .map((child) => ({ ...child, type: FLOW[child.type] ?? child.type }));
}

function isBlank(node: Node): boolean {
  return node.type === 'text' && (node.value ?? '').trim() === '';
}
