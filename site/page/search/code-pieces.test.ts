import { describe, expect, it } from 'vitest';
import { codePieces } from './code-pieces.ts';

/** Code in backquotes, what was searched for in brackets. */
const shown = (spans: Parameters<typeof codePieces>[0]): string =>
  codePieces(spans)
    .map(({ text, isMatch, isCode }) => {
      const inner = isCode ? `\`${text}\`` : text;
      return isMatch ? `[${inner}]` : inner;
    })
    .join('');

describe('a passage', () => {
  it('has a name as code from its beginning to its end, whatever part of it was searched for', () => {
    const spans = [
      { text: 'Variable: OP_NODE_', isMatch: false },
      { text: 'RPC_PORT', isMatch: true },
      { text: ' and --', isMatch: false },
      { text: 'rpc.port', isMatch: true },
      { text: '=9545, a ', isMatch: false },
      { text: 'port', isMatch: true },
    ];
    expect(shown(spans)).toBe('Variable: `OP_NODE_`[`RPC_PORT`] and `--`[`rpc.port`]`=9545`, a [port]');
  });

  it('has names with humps as code, and words with one as words', () => {
    expect(shown([{ text: 'estimateTotalFee asks viem on iOS and MetaMask', isMatch: false }])).toBe(
      '`estimateTotalFee` asks viem on iOS and MetaMask',
    );
  });

  it('may be all words, all code, or nothing', () => {
    expect(shown([{ text: 'all words', isMatch: true }])).toBe('[all words]');
    expect(shown([{ text: '0xaBcDeF01', isMatch: false }])).toBe('`0xaBcDeF01`');
    expect(shown([])).toBe('');
  });
});
