import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from './Code.tsx';

describe('code in a sentence is broken', () => {
  it.each([
    ['--consensus.addr', ['--consensus.addr']],
    ['--p2p.sequencer.key', ['--p2p.', 'sequencer.', 'key']],
    ['op-node --p2p.disable -v', ['op-node ', '--p2p.disable ', '-v']],
    ['--raft.bind=0.0.0.0:50050', ['--raft.bind=', '0.0.0.0:50050']],
    ['--rollup.sequencer-conductor', ['--rollup.', 'sequencer-', 'conductor']],
    ['conductor_transferLeaderToServer', ['conductor_', 'transfer', 'Leader', 'To', 'Server']],
    ['0x25ace71c97B33Cc4729CF772ae268934F7ab5fA1', ['0x25ace71c97B33Cc4729', 'CF772ae268934F7ab5fA1']],
  ])('between parts: %s', (text, pieces) => {
    expect(piecesOf(text)).toEqual(pieces);
  });

  it('into short pieces that are the text again', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 120 }).filter((text) => !text.startsWith('0x')),
        (text) => {
          const pieces = piecesOf(text);
          expect(pieces.join('')).toBe(text);
          for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(16);
        },
      ),
    );
  });

  it('never behind the dashes of a flag', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('-', '--'), fc.array(word, { minLength: 1 })), { minLength: 1 }),
        (flags) => {
          const text = flags.map(([dashes, words]) => dashes + words.join('-')).join(' ');
          for (const piece of piecesOf(text)) expect(piece).not.toMatch(/^-+$/);
        },
      ),
    );
  });
});
