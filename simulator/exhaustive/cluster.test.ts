import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Cluster, linkAt, type ClusterState } from './cluster.ts';
import { scopes } from './scope.ts';
import { Steps } from './steps.ts';

const scope = { ...scopes.base, timeouts: 1, breaks: 1, stallsOfLeaders: 1 };

function stepsFrom(cluster: Cluster, state: ClusterState): ClusterState[] {
  const found: ClusterState[] = [];
  new Steps(cluster, ({ next }) => found.push(next)).from(state);
  return found;
}

/** The state in which server i has the part that server `parts[i]` has in the one given. */
function renamed(cluster: Cluster, state: ClusterState, parts: readonly number[]): ClusterState {
  const isMirrored = (parts[1]! - parts[0]! + 3) % 3 === 2;
  const next = [...state];
  for (const [server, part] of parts.entries()) {
    next[server] = isMirrored ? cluster.locals.mirror(state[part]!) : state[part]!;
    for (const peer of [1, 2]) next[linkAt(server, peer)] = state[linkAt(part, isMirrored ? 3 - peer : peer)]!;
  }
  return next;
}

test('names of servers decide nothing: renamed, a cluster has the same key and the same ways to go on', () => {
  const cluster = new Cluster(scope);
  const orders = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 25, size: 'max' }), orders, (choices, parts) => {
      let state = cluster.start();
      for (const choice of choices) {
        const steps = stepsFrom(cluster, state);
        if (steps.length > 0) state = steps[choice % steps.length]!;
      }
      const other = renamed(cluster, state, parts);
      expect(cluster.key(other)).toBe(cluster.key(state));
      const keys = (from: ClusterState): string[] =>
        stepsFrom(cluster, from)
          .map((next) => cluster.key(next))
          .toSorted();
      expect(keys(other)).toEqual(keys(state));
    }),
    { numRuns: 150 },
  );
});

test('what may still happen is counted down', () => {
  const cluster = new Cluster(scope);
  const start = cluster.start();
  expect(cluster.left(start, 'handOvers')).toBe(2);
  const once = cluster.spend(start, 'handOvers');
  expect(cluster.left(once, 'handOvers')).toBe(1);
  expect(cluster.left(once, 'crashes')).toBe(cluster.left(start, 'crashes'));
  expect(cluster.key(once)).not.toBe(cluster.key(start));
});

test('states with large numbers have keys of their own', () => {
  const cluster = new Cluster(scope);
  const start = cluster.start();
  const keys = [0x7fff, 0x8000, 0x8001, 0xffff, 0x10000, 0x3fffffff].map((number) =>
    cluster.key(start.with(9, number)),
  );
  expect(new Set(keys).size).toBe(keys.length);
});
