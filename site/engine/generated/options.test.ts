/** References of options: complete, each option once, and every link of the list leads to a heading. */
import GithubSlugger from 'github-slugger';
import { describe, expect, test } from 'vitest';
import { optionList, optionReference } from './options.ts';

const headings = (text: string): string[] => [...text.matchAll(/^#### `(.+)`$/gm)].map(([, heading]) => heading ?? '');

describe.each(['op-batcher', 'op-proposer', 'deploy-config', 'op-node', 'op-geth'])('options of %s', (of) => {
  const reference = optionReference({ of });

  test('each has one heading', () => {
    const all = headings(reference);
    expect(all.length).toBeGreaterThan(40);
    expect(new Set(all).size).toBe(all.length);
  });

  test('the list links to all of them', () => {
    const slugger = new GithubSlugger();
    const links = [...optionList({ of }).matchAll(/\]\(#([^)]+)\)/g)].map(([, slug]) => slug);
    expect(links).toEqual(headings(reference).map((heading) => slugger.slug(heading)));
  });
});

describe('options', () => {
  test('variables follow from the flag, unless they are given', () => {
    const text = optionReference({ of: 'op-batcher' });
    expect(text).toContain('`OP_BATCHER_MAX_CHANNEL_DURATION`');
    expect(text).toContain('`OP_BATCHER_TXMGR_FEE_LIMIT_MULTIPLIER`');
    expect(text).not.toContain('`OP_BATCHER_FEE_LIMIT_MULTIPLIER`');
  });

  test('keys of a file have no variable', () => {
    expect(optionReference({ of: 'deploy-config' })).not.toContain('**Variable:**');
  });

  test('a name that is none is answered with a sentence', () => {
    expect(() => optionList({})).toThrow('needs `of`');
  });
});
