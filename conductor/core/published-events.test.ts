/** What a whole conductor publishes, in order, on a store in memory with a node that answers at once. */
import { expect, test } from 'vitest';
import { buildBlock } from './payload/build-block.ts';
import { formatEnvelope, type Envelope } from './payload/envelope.ts';
import { ConductorWorld } from './testing/conductor-world.ts';

function payloads(count: number): Envelope[] {
  const chain: Envelope[] = [];
  for (let each = 0; each < count; each += 1) {
    const parent = chain.at(-1) ?? null;
    chain.push(buildBlock({ parent, timestamp: 1000 + each, transactions: [], salt: new Uint8Array(32) }));
  }
  return chain;
}

const kindsOf = (world: ConductorWorld): string[] =>
  world.published.map((event) => (event.kind === 'role' ? `role ${event.role}` : event.kind));

test('a bootstrap is published: the members, the role, the leader', () => {
  const world = ConductorWorld.bootstrapped();
  expect(kindsOf(world)).toEqual(expect.arrayContaining(['membership', 'role leader', 'leader']));
  expect(world.published).toContainEqual({
    kind: 'membership',
    version: 1,
    servers: [{ id: 'a', address: '127.0.0.1:1', suffrage: 'voter' }],
  });
  expect(world.published).toContainEqual(expect.objectContaining({ kind: 'role', role: 'leader', term: 2 }));
  expect(world.published).toContainEqual({ kind: 'leader', leader: 'a', term: 2 });
});

test('commits are published with how far the head moved; the same block again is not', () => {
  const world = ConductorWorld.bootstrapped();
  const chain = payloads(2);
  for (const one of chain) world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(one) }]);
  world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(chain[1]!) }]);
  const commits = world.published.filter((event) => event.kind === 'commit');
  expect(commits).toMatchObject([
    { number: 0, timestamp: 1000, blocks: 1 },
    { number: 1, timestamp: 1001, blocks: 1 },
  ]);
});

test('a start is published phase by phase: confirmed leadership, the order with what was posted, what it came to', () => {
  const world = ConductorWorld.bootstrapped();
  const chain = payloads(3);
  world.nodeHead = chain[0]!;
  for (const one of chain) world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(one) }]);
  world.node.isSequencing = false;
  world.published.length = 0;
  world.ask('conductor_resume');
  world.run(3000);
  const phases = world.published.filter(({ kind }) => ['confirmed', 'order', 'orderDone', 'admin'].includes(kind));
  expect(phases.slice(0, 4)).toMatchObject([
    { kind: 'admin', method: 'conductor_resume', as: 'alice', state: 'paused', before: 'true', after: 'false' },
    { kind: 'confirmed', confirmed: true },
    { kind: 'order', order: 'start', payloads: 2 },
    { kind: 'orderDone', order: 'start', done: true, message: '' },
  ]);
});

test('a change of the verdict on the node is published with its cause, a verdict that stays is not', () => {
  const world = ConductorWorld.bootstrapped();
  world.nodeHead = payloads(1)[0]!;
  world.run(5000);
  world.node.isUp = false;
  world.run(5000);
  const verdicts = world.published.filter((event) => event.kind === 'health');
  expect(verdicts.map(({ healthy }) => healthy)).toEqual([true, false]);
  expect(verdicts[1]!.cause).not.toBe('');
});

test('the orderly end is published before anything that belongs to it', () => {
  const world = ConductorWorld.bootstrapped();
  world.published.length = 0;
  world.push({ kind: 'drain', reason: 'SIGTERM' });
  expect(world.published[0]).toEqual({ kind: 'shutdown', reason: 'SIGTERM' });
});
