import { describe, expect, it } from 'vitest';
import { expandGenerated } from './expand-generated.ts';

const generators = {
  'a/list': ({ of = 'things' }) => `- one of ${of}\n- two`,
  outer: () => 'Begin.\n\n<Generated from="a/list" />\n<Generated from="broken" />\n\nEnd.',
  itself: () => '<Generated from="itself" />',
  broken: () => {
    throw new Error('the table is empty');
  },
};
const expand = (text: string) => expandGenerated('a.mdx', text, generators);

describe('generated parts', () => {
  it('stand in the place of their line, and lines remember where they came from', () => {
    const { text, sourceLine, problems } = expand('Before.\n\n<Generated from="a/list" of="words" />\n\nAfter.');
    expect(text).toBe('Before.\n\n- one of words\n- two\n\nAfter.');
    expect([1, 2, 3, 4, 5, 6].map(sourceLine)).toEqual([1, 2, 3, 3, 4, 5]);
    expect(problems).toEqual([]);
  });

  it('are indented as their element is', () => {
    expect(expand('<Tab label="x">\n  <Generated from="a/list" />\n</Tab>').text).toBe(
      '<Tab label="x">\n  - one of things\n  - two\n</Tab>',
    );
  });

  it('are left alone in code', () => {
    const text = '````mdx\n```\n<Generated from="a/list" />\n```\n````\n\n~~~\n<Generated from="a/list" />\n~~~';
    expect(expand(text).text).toBe(text);
    expect(expand('```sh\ntrue\n```\n<Generated from="a/list" />').text).toContain('one of things');
  });

  it('may hold generated parts again, whose mistakes are those of the line of the page', () => {
    const { text, sourceLine, problems } = expand('Before.\n<Generated from="outer" />');
    expect(text).toBe('Before.\nBegin.\n\n- one of things\n- two\n\n\nEnd.');
    expect([2, 4, 8].map(sourceLine)).toEqual([2, 2, 2]);
    expect(problems).toEqual([expect.objectContaining({ line: 2, message: expect.stringMatching(/table is empty/) })]);
  });

  it('cannot hold themselves', () => {
    const { problems } = expand('\n<Generated from="itself" />');
    expect(problems).toEqual([expect.objectContaining({ line: 2, message: expect.stringMatching(/hold itself/) })]);
  });

  it('say what is wrong with the line of their element', () => {
    expect(expand('\n<Generated from="none" />').problems).toEqual([
      {
        file: 'a.mdx',
        line: 2,
        message: '<Generated> names "none" in `from`; there is a/list, outer, itself, broken.',
      },
    ]);
    expect(expand('<Generated of="words" />').problems[0]?.message).toMatch(/names ""/);
    expect(expand('<Generated from="broken" />').problems).toEqual([
      { file: 'a.mdx', line: 1, message: '<Generated from="broken"> failed: the table is empty' },
    ]);
    expect(expand('<Generated from="toString" />').problems).toHaveLength(1);
  });
});
