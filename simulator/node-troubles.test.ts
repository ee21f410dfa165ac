/** A trouble that no part of the node looks at is a fault that does nothing, and every law would hold. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noNodeTroubles } from './node-troubles.ts';

/** All code of a node; what begins and ends troubles is not. */
const sources = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|faults\.ts$/.test(name))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));

/** Names that no code asks for, neither as a field of a node's troubles nor as the one of which the next time counts. */
function unseen(names: readonly string[]): string[] {
  const asked = /\bfaults\.(\w+)(?! [-+]?= )|\btakeOne\([^()]*, '(\w+)'\)/g;
  const seen = new Set(sources.flatMap((text) => [...text.matchAll(asked)].map(([, field, next]) => field ?? next)));
  return names.filter((name) => !seen.has(name));
}

test('every trouble of a node is looked at by the node', () => {
  const ofNoEffect = unseen(Object.keys(noNodeTroubles()));
  expect(
    ofNoEffect.map((name) => `no file of a node asks for faults.${name}: have it change what the node does`),
  ).toEqual([]);
  expect(unseen(['nobodyLooks'])).toEqual(['nobodyLooks']);
});
