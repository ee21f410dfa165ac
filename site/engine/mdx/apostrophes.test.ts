import { describe, expect, it } from 'vitest';
import { curlyApostrophes, setApostrophes } from './apostrophes.ts';
import type { Node } from './nodes.ts';

describe('apostrophes', () => {
  it.each([
    ["the node's head", 'the node’s head'],
    ["the servers' clocks", 'the servers’ clocks'],
    ["it isn't", 'it isn’t'],
    ["of '26", 'of ’26'],
  ])('%s', (typed, printed) => {
    expect(curlyApostrophes(typed)).toBe(printed);
  });

  it('quotation marks stay as they are', () => {
    expect(curlyApostrophes("say 'yes' or 'no'")).toBe("say 'yes' or 'no'");
  });

  it('code keeps what it has, titles do not', () => {
    const tree: Node = {
      type: 'root',
      children: [
        { type: 'inlineCode', value: "it's" },
        { type: 'mdxJsxTextElement', name: 'code', children: [{ type: 'text', value: "it's" }] },
        {
          type: 'mdxJsxFlowElement',
          name: 'Step',
          attributes: [{ type: 'mdxJsxAttribute', name: 'title', value: "it's" }],
          children: [{ type: 'text', value: "it's" }],
        },
      ],
    };
    setApostrophes(tree);
    expect(JSON.stringify(tree).match(/it.s/g)).toEqual(["it's", "it's", 'it’s', 'it’s']);
  });
});
