import { describe, expect, test } from 'vitest';
import { Committed } from './committed.ts';
import { brokenLaw } from './laws.ts';
import type { LocalState } from './local-states.ts';

function server(part: Partial<LocalState> & { readonly led?: readonly number[] } = {}): LocalState {
  const { led = [], ...rest } = part;
  return {
    number: 0,
    term: 1,
    role: 'follower',
    commitIndex: 0,
    log: ['1.5'],
    hasShortTimers: false,
    waiting: [[], [], [], []],
    ...rest,
    deeds: { votes: new Map(), led },
  };
}

describe('the laws of figure 3.2', () => {
  test('nothing is broken where logs agree as far as they must', () => {
    const servers = [server({ log: ['1.5', '2.1', '2c1'] }), server({ log: ['1.5', '3.1'] }), server()];
    for (const changed of [0, 1, 2]) expect(brokenLaw(servers, changed, [])).toBeNull();
  });

  test('election safety: two servers have led a term, even if neither does any more', () => {
    const servers = [server({ led: [2] }), server(), server({ led: [2, 3] })];
    expect(brokenLaw(servers, 2, [])?.law).toBe('election safety');
    expect(brokenLaw(servers, 1, [])).toBeNull();
  });

  test('log matching: below an entry of one index and term everything is the same', () => {
    const log = ['1.5', '2.1', '3.1'];
    expect(brokenLaw([server({ log }), server({ log: ['1.5', '1.1', '3.1', '3c1'] }), server()], 0, [])?.law).toBe(
      'log matching',
    );
    expect(brokenLaw([server({ log }), server({ log: ['1.5', '2.1', '3c1'] }), server()], 1, [])?.law).toBe(
      'log matching',
    );
    expect(brokenLaw([server({ log }), server({ log: ['1.5', '1.1', '4.1'] }), server()], 0, [])).toBeNull();
  });

  test('leader completeness: who leads a later term holds what was committed before', () => {
    const committed = [
      { entry: '1.5', knownInTerm: 2 },
      { entry: '2.1', knownInTerm: 2 },
    ];
    const leader = (term: number, log: readonly string[]): LocalState => server({ role: 'leader', term, log });
    const law = (one: LocalState): string | undefined => brokenLaw([one, server(), server()], 0, committed)?.law;
    expect(law(leader(3, ['1.5', '3.1']))).toBe('leader completeness');
    expect(law(leader(3, ['1.5']))).toBe('leader completeness');
    expect(law(leader(3, ['1.5', '2.1', '3.1']))).toBeUndefined();
    expect(law(leader(2, ['1.5']))).toBeUndefined();
  });
});

describe('what was committed', () => {
  const committed = new Committed();
  const log = ['1.5', '2.1'];

  test('is kept with the lowest term in which somebody knew', () => {
    const first = committed.advance(committed.nothing, server({ log, commitIndex: 2, term: 3 }));
    expect(committed.get(Number(first))).toEqual([
      { entry: '1.5', knownInTerm: 3 },
      { entry: '2.1', knownInTerm: 3 },
    ]);
    const second = committed.advance(Number(first), server({ log: ['1.5'], commitIndex: 1, term: 2 }));
    expect(committed.get(Number(second))).toEqual([
      { entry: '1.5', knownInTerm: 2 },
      { entry: '2.1', knownInTerm: 3 },
    ]);
    expect(committed.advance(Number(first), server({ log, commitIndex: 2, term: 3 }))).toBe(first);
  });

  test('state machine safety: is never something else', () => {
    const first = Number(committed.advance(committed.nothing, server({ log, commitIndex: 2, term: 2 })));
    expect(committed.advance(first, server({ log: ['1.5', '3.1'], commitIndex: 2, term: 3 }))).toMatch(/index 2/);
    expect(committed.advance(first, server({ log: ['1.5'], commitIndex: 2, term: 3 }))).toMatch(/nothing/);
  });
});
