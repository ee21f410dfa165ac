import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TokenList, tokensMax } from './token-list.ts';

const alice = 'alice-token-0123456789';
const bob = 'bob-token-0123456789==';
const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');

function problemOf(text: string): string {
  try {
    return `none, ${new TokenList(text).size} tokens`;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

describe('a tokens file', () => {
  test('gives names to tokens, plain or as digests, between comments and empty lines', () => {
    const list = new TokenList(`# staff\r\n\r\nalice ${alice}\r\n  bob\tsha256:${sha256(bob).toUpperCase()}  \n`);
    expect(list.size).toBe(2);
    expect(list.nameOf(alice)).toBe('alice');
    expect(list.nameOf(bob)).toBe('bob');
  });

  test('knows no other token: not a digest itself, a name, a part, or nothing', () => {
    const list = new TokenList(`alice ${alice}\nbob sha256:${sha256(bob)}`);
    for (const other of ['', 'alice', alice.slice(1), `${alice}x`, ` ${alice}`, sha256(bob), `sha256:${sha256(bob)}`]) {
      expect(list.nameOf(other), other).toBeNull();
    }
    expect(new TokenList('# nobody').nameOf('')).toBeNull();
  });

  test('may hold two tokens of one name, so that one replaces the other without a gap', () => {
    const list = new TokenList(`alice ${alice}\nalice ${bob}`);
    expect([list.nameOf(alice), list.nameOf(bob)]).toEqual(['alice', 'alice']);
  });

  test.each([
    ['alice', 'line 1 is not "name token"'],
    [`alice ${alice} x`, 'line 1 is not "name token"'],
    [`# x\nal/ice ${alice}`, 'the name in line 2 cannot be used'],
    [`jwt ${alice}`, 'the name in line 1 cannot be used'],
    [`${'a'.repeat(65)} ${alice}`, 'the name in line 1 cannot be used'],
    ['alice short', 'the token in line 1 has 5 characters, want 16 to 512'],
    [`alice ${'x'.repeat(513)}`, 'the token in line 1 has 513 characters'],
    ['alice 0123456789"abcdef', 'the token in line 1 holds characters that a header cannot carry'],
    ['alice sha256:abc', 'the digest in line 1 is not 64 hex digits'],
    [`alice ${alice}\nbob sha256:${sha256(alice)}`, 'line 2 has the same token as line 1'],
    [
      Array.from({ length: tokensMax + 1 }, (_, each) => `a token-0123456789-${each}`).join('\n'),
      `more than ${tokensMax}`,
    ],
  ])('%# is refused by line, in words', (text, problem) => expect(problemOf(text)).toContain(problem));

  test('never ends up in a message, whatever it holds', () => {
    const word = fc.stringMatching(/^[!-~]{6,40}$/);
    fc.assert(
      fc.property(fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (lines) => {
        const text = lines.map((words) => words.join(' ')).join('\n');
        const problem = problemOf(text);
        for (const secret of lines.flat()) {
          if (!'line is not "name token" characters digest same'.includes(secret))
            expect(problem).not.toContain(secret);
        }
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(typeof problemOf(text)).toBe('string');
      }),
    );
  }, 60_000);

  test('of a thousand tokens is looked up to the end, wherever the token stands', () => {
    const tokens = Array.from({ length: tokensMax }, (_, each) => `token-0123456789-${each}`);
    const list = new TokenList(tokens.map((token, each) => `name-${each} ${token}`).join('\n'));
    for (const each of [0, 500, tokensMax - 1]) expect(list.nameOf(tokens[each] as string)).toBe(`name-${each}`);
  });
});
