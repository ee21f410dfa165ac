/**
 * Names with a hyphen are not broken there, nor numbers before their units: op-node, ERC-20, 3.1 s. At the end of a line
 * “op-” would be read with whatever name the next one begins with. Only for what is drawn; the index and the Markdown
 * twin have the text as it is.
 */
import { isElement, type Node } from './nodes.ts';

const WHOLE =
  /(?<![\w/.-])((?:op|kona)-[a-z]+|(?:ERC|EIP)-\d+|\d[\d.,]* (?:ms|s|min|kB|MB|GB|gwei|ETH|%))(?![\w/]|-\w)/u;
const CODE = new Set(['code', 'pre', 'kbd', 'samp', 'var']);

/** Puts each of them into a span of its own. */
export function keepNamesWhole(node: Node): void {
  if (isElement(node) && CODE.has(node.name ?? '')) return;
  if (node.children === undefined) return;
  for (const child of node.children) keepNamesWhole(child);
  node.children = node.children.flatMap((child) => (child.type === 'text' ? cut(child) : [child]));
}

/** Splitting by a pattern with one group gives text and name in turn. */
function cut(text: Node): Node[] {
  const pieces = (text.value ?? '').split(WHOLE);
  if (pieces.length === 1) return [text];
  return pieces.flatMap((value, at) => (value === '' ? [] : [at % 2 === 1 ? whole(value) : { ...text, value }]));
}

function whole(name: string): Node {
  return {
    type: 'mdxJsxTextElement',
    name: 'span',
    attributes: [{ type: 'mdxJsxAttribute', name: 'className', value: 'whole' }],
    children: [{ type: 'text', value: name }],
  };
}
