/**
 * The page as plain Markdown, for readers that are programs and for the copy button. What authors
 * wrote in Markdown stays as they wrote it; components become what Markdown has for them.
 */
import { attributeOf, isElement, type Node } from './nodes.ts';

/** Markdown of a tree that was parsed from `text`, without the title of the page. */
export function markdownTwin(text: string, tree: Node): string {
  return blocks(tree.children ?? [], text).trim();
}

/** What stands for a figure until the figures are loaded; see outputs/figures.ts. */
export function figureMark(name: string): string {
  return `<!-- figure ${name} -->`;
}

function blocks(nodes: readonly Node[], text: string): string {
  return nodes
    .map((node) => markdownOf(node, { text, columns: (node.position?.start.column ?? 1) - 1 }))
    .filter((block) => block.trim() !== '')
    .join('\n\n');
}

interface Source {
  readonly text: string;
  /** The indentation that the block has inside components, and must lose. */
  readonly columns: number;
}

function markdownOf(node: Node, source: Source): string {
  if (isElement(node)) return elementMarkdown(node, source);
  if (node.type.startsWith('mdx') || node.position === undefined) return '';
  const { text, columns } = source;
  const { start, end } = node.position;
  const whole = dedent(text.slice(start.offset, end.offset), columns);
  if (node.type === 'code') return whole.replace(RECORDING, '$1');
  if (!isRewritten(node)) return whole;
  let markdown = '';
  let from = start.offset;
  for (const child of node.children ?? []) {
    const { position } = child;
    if (position === undefined) continue;
    const inner = markdownOf(child, source);
    // An element inside a list keeps the list's indentation.
    const depth = child.type === 'mdxJsxFlowElement' ? position.start.column - 1 - columns : 0;
    markdown +=
      dedent(text.slice(from, position.start.offset), columns) +
      inner.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(depth)}`);
    from = position.end.offset;
  }
  return markdown + dedent(text.slice(from, end.offset), columns);
}

/** In the first line of a fence: the name under which its output is recorded, which is of no use to readers. */
const RECORDING = /^(.*?)[ \t]*run="[^"\n]*"/;

/** Whether the twin differs from what was written: MDX, and fences whose output is recorded, at any depth. */
function isRewritten(node: Node): boolean {
  const isRecorded = node.type === 'code' && RECORDING.test(node.meta ?? '');
  return isRecorded || node.type.startsWith('mdx') || (node.children ?? []).some(isRewritten);
}

function elementMarkdown(node: Node, source: Source): string {
  const children = node.children ?? [];
  if (node.name === 'br') return ' ';
  if (node.type === 'mdxJsxTextElement') return children.map((child) => markdownOf(child, source)).join('');
  const { text } = source;
  const inner = blocks(children, text);
  switch (node.name) {
    case 'Callout':
      return quote(calloutHead(node), inner);
    case 'Tab':
      return `**${attributeOf(node, 'label') ?? ''}**\n\n${inner}`;
    case 'Steps':
      return steps(children, text);
    case 'Card':
      return `- [${attributeOf(node, 'title') ?? ''}](${attributeOf(node, 'href') ?? ''}): ${inner.replaceAll('\n', ' ')}`;
    case 'Cards':
      return inner.replaceAll(/\n\n(?=- \[)/g, '\n');
    case 'Figure':
      return figureMark(attributeOf(node, 'name') ?? '');
    default:
      return inner;
  }
}

function calloutHead(node: Node): string {
  const kind = attributeOf(node, 'kind') ?? 'note';
  const word = kind.charAt(0).toUpperCase() + kind.slice(1);
  const title = attributeOf(node, 'title');
  return title === null ? `**${word}**` : `**${word}: ${title}**`;
}

function quote(head: string, inner: string): string {
  return `${head}\n\n${inner}`
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function steps(children: readonly Node[], text: string): string {
  return children
    .filter((child) => child.name === 'Step')
    .map(
      (step, index) => `#### ${index + 1}. ${attributeOf(step, 'title') ?? ''}\n\n${blocks(step.children ?? [], text)}`,
    )
    .join('\n\n');
}

/** Takes away the indentation that a block had inside components; its first line has none. */
function dedent(block: string, columns: number): string {
  return columns === 0 ? block : block.replaceAll(new RegExp(`\\n {1,${columns}}`, 'g'), '\n');
}
