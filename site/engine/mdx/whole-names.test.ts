import { describe, expect, it } from 'vitest';
import { textOf, type Node } from './nodes.ts';
import { keepNamesWhole } from './whole-names.ts';

const text = (value: string): Node => ({ type: 'text', value });

function kept(...children: Node[]): { readonly names: readonly string[]; readonly all: string } {
  const tree: Node = { type: 'root', children: [{ type: 'paragraph', children }] };
  keepNamesWhole(tree);
  const spans = tree.children![0]!.children!.filter(({ name }) => name === 'span');
  return { names: spans.map(textOf), all: textOf(tree) };
}

describe('names with a hyphen, and numbers with units', () => {
  it.each([
    ['op-node asks op-conductor’s', ['op-node', 'op-conductor']],
    ['ERC-20 and EIP-1559, (op-geth)', ['ERC-20', 'EIP-1559', 'op-geth']],
    ['3.1 s with A, 1,500 ms; 12.5 % of 2 servers', ['3.1 s', '1,500 ms', '12.5 %']],
    ['a co-op-shop, op-node-1, /op-node/x and opt-in', []],
  ])('are kept whole where they are that: %s', (value, names) => {
    expect(kept(text(value))).toEqual({ names, all: value });
  });

  it('are found in links and emphasis, and left alone in code', () => {
    const link: Node = { type: 'link', url: '/x', children: [text('run op-reth')] };
    const code: Node = { type: 'mdxJsxTextElement', name: 'code', children: [text('op-node')] };
    const inline: Node = { type: 'inlineCode', value: 'op-node' };
    expect(kept(link, code, inline)).toEqual({ names: [], all: 'run op-rethop-nodeop-node' });
    expect(link.children?.map(({ type }) => type)).toEqual(['text', 'mdxJsxTextElement']);
    expect(code.children).toEqual([text('op-node')]);
  });
});
