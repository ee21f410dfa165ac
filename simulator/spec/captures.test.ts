import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkModel } from './checker.ts';
import { findCaptures } from './captures.ts';
import { models, textOf } from './models.ts';

const misread = `---- MODULE misread ----
EXTENDS Integers
VARIABLES x
Minus(a, b) == a - b
Less(b) == Minus(b, 1)
Init == x = Less(5)
Next == x' = x
Right == x = 4
====
`;

describe('arguments that are named like another parameter', () => {
  it('are misread by the checker: when they are not any more, this can go', () => {
    const configuration = 'INIT Init\nNEXT Next\nINVARIANT Right\n';
    const { complaint } = checkModel({ text: misread, configuration, statesMax: 10, depthMax: 10 });
    expect(complaint?.kind).toBe('InvariantViolation');
  });

  it('are found, and what cannot be misread is not', () => {
    expect(findCaptures(misread)).toEqual(['Minus(b, 1): an argument names b']);
    expect(findCaptures('F(a, b) == a + b\nG(a, b) == F(a, b)\nH(c) == F(c, [b |-> c].b)')).toEqual([]);
    expect(findCaptures('F(a, b) == a\nG(b) == F(<<1, b>>, {2, 3})')).toEqual([
      'F(<<1, b>>, {2, 3}): an argument names b',
    ]);
  });

  it('are in none of the modules', () => {
    const files = ['raft.tla', 'raftTrace.tla'].map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
    expect([files.join('\n'), ...models.map(textOf)].flatMap(findCaptures)).toEqual([]);
  });
});
