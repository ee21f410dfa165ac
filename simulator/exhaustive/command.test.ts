import { expect, test } from 'vitest';
import { describe as tell, exhaustive } from './command.ts';
import { scopes } from './scope.ts';
import { search } from './search.ts';

function run(...args: string[]): { readonly code: number | null; readonly text: string } {
  const lines: string[] = [];
  let nowMs = 0;
  const code = exhaustive(args, { print: (line) => lines.push(line), nowMs: () => (nowMs += 500) });
  return { code, text: lines.join('\n') };
}

test('says how far it got, and exits 3 when that was not everything', () => {
  const { code, text } = run('--scope', 'elections', '--states', '1000');
  expect(code).toBe(3);
  expect(text).toMatch(/elections: two campaigns.*\n.*1000 states, \d+ steps, depth \d+, 0\.5 s\n.*not complete/s);
});

test('everything can be worked out twice', () => {
  expect(run('--scope', 'elections', '--states', '1000', '--recheck').text).toMatch(
    /[1-9]\d* inputs were worked out in two/,
  );
});

test.each([
  ['--scope', 'unknown'],
  ['--scope'],
  ['--scope', 'toString'],
  ['--states', '0'],
  ['--states', 'many'],
  ['more'],
])('arguments that make no sense are not carried out: %s %s', (...args) =>
  expect(run(...args)).toEqual({ code: null, text: '' }),
);

test('a complete search says so', () => {
  const finding = search({ ...scopes.elections, handOvers: 1 });
  expect(tell(finding)).toMatch(/complete: every law holds in every state$/);
});

test('a broken law is told step by step', () => {
  const finding = search({ ...scopes.elections, handOvers: 1 });
  const violation = { law: 'log matching', message: 'A and B differ' };
  expect(tell({ ...finding, violation, path: ['A is told to take over', 'B gets vote from A'] })).toBe(
    '    1  A is told to take over\n    2  B gets vote from A\nlog matching is broken after 2 steps: A and B differ',
  );
});
