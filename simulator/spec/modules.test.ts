import { describe, expect, it } from 'vitest';
import { checkModel } from './checker.ts';
import { joinModules } from './modules.ts';

const counter = `---- MODULE counter ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x < 3 /\\ x' = x + 1
====
`;
const pair = `---- MODULE pair ----
EXTENDS counter, Sequences
VARIABLES y,
          z
====
`;
const watched = `---- MODULE watched ----
EXTENDS counter, Sequences
VARIABLES y, z
Both == Init /\\ y = <<>> /\\ z = TRUE
Step == Next /\\ y' = Append(y, x) /\\ z' = ~z
Small == x < 3
====
`;

function check(modules: readonly string[], configuration: string) {
  return checkModel({ text: joinModules('all', modules), configuration, statesMax: 100, depthMax: 100 });
}

describe('modules', () => {
  it('are one text: what they extend once, and all their variables in one declaration', () => {
    const text = joinModules('all', [counter, watched]);
    expect(text).toMatch(/^---- MODULE all ----\nEXTENDS Naturals, Sequences\nVARIABLES x, y, z\n/);
    expect(text.match(/VARIABLE/g)).toHaveLength(1);
  });

  it('that are none are refused, and so is a declaration over several lines', () => {
    expect(() => joinModules('all', ['VARIABLE x'])).toThrow('a TLA+ module begins with its name');
    expect(() => joinModules('all', [counter, pair])).toThrow('pair declares its variables over several lines');
  });

  it('are checked: every state is reached, and an invariant that fails has its states told', () => {
    expect(check([counter, watched], 'INIT Both\nNEXT Step\n')).toMatchObject({ states: 4, complaint: null });
    const { complaint, trace } = check([counter, watched], 'INIT Both\nNEXT Step\nINVARIANT Small\n');
    expect(complaint?.kind).toBe('InvariantViolation');
    expect(trace.at(-1)).toEqual(['x = 3', 'y = <<0, 1, 2>>', 'z = FALSE']);
  });
});
