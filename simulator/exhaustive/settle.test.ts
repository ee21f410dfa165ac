import { expect, test } from 'vitest';
import { scopes, type Scope } from './scope.ts';
import { search } from './search.ts';

/** A search of some 40 000 states on a machine that is busy with other things; milliseconds. */
const TEST_MS_MAX = 60_000;

/** All that three servers can be together, whatever they are called and whatever is on its way between them. */
function serversOf(scope: Scope): { readonly states: number; readonly servers: ReadonlySet<string> } {
  const servers = new Set<string>();
  const { states, isComplete } = search(scope, {
    onState: (three) => {
      const texts = three.map(({ role, term, commitIndex, log, deeds }) =>
        [role, term, commitIndex, log, deeds.led, deeds.votes.size].join(' '),
      );
      servers.add(texts.toSorted().join('|'));
    },
  });
  expect(isComplete).toBe(true);
  return { states, servers };
}

test.each([
  { handOvers: 2, crashes: 0, breaks: 0 },
  { handOvers: 1, crashes: 1, breaks: 1 },
])('what happens at once hides no state of the servers: %o', { timeout: TEST_MS_MAX }, (bounds) => {
  const scope = { ...scopes.elections, proposals: 0, ...bounds };
  const whole = serversOf({ ...scope, isSettled: false });
  const settled = serversOf(scope);
  expect(whole.states).toBeGreaterThan(settled.states);
  expect(settled.servers).toEqual(whole.servers);
});
