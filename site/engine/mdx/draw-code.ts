/**
 * Puts coloured code and drawn diagrams in the place of fences. Both travel as ready HTML in one
 * attribute: that is many times cheaper to compile and to render than an element per token.
 */
import { readCodeMeta } from './code-meta.ts';
import { drawDiagram } from './draw-diagram.ts';
import type { Highlighter } from './highlight.ts';
import { elementInPlaceOf, type Node } from './nodes.ts';

export interface DrawingProblem {
  readonly line: number;
  readonly message: string;
}

/** Changes the tree. Fences of languages that the highlighter does not know become plain text. */
export async function drawCode(tree: Node, highlighter: Highlighter): Promise<DrawingProblem[]> {
  const problems: DrawingProblem[] = [];
  for (const [index, child] of (tree.children ?? []).entries()) {
    if (child.type !== 'code') problems.push(...(await drawCode(child, highlighter)));
    else if (child.lang === 'mermaid') tree.children?.splice(index, 1, diagram(child, problems));
    else tree.children?.splice(index, 1, await codeBlock(child, highlighter));
  }
  return problems;
}

async function codeBlock(node: Node, highlighter: Highlighter): Promise<Node> {
  const lang = node.lang ?? 'text';
  const { title, marked, prompt, output } = readCodeMeta(node.meta ?? '');
  const html = await highlighter.highlight(node.value ?? '', highlighter.knows(lang) ? lang : 'text', marked);
  return elementInPlaceOf(node, 'CodeBlock', {
    lang,
    ...(title === null ? {} : { title }),
    ...(output ? { output: null } : {}),
    ...(prompt ? { prompt: null } : {}),
    html,
  });
}

function diagram(node: Node, problems: DrawingProblem[]): Node {
  try {
    return elementInPlaceOf(node, 'Diagram', { ...drawDiagram(node.value ?? '') });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push({ line: node.position?.start.line ?? 1, message: `This diagram cannot be drawn: ${reason}` });
    return elementInPlaceOf(node, 'Diagram', { svg: '', title: '', description: '' });
  }
}
