/** What a whole conductor makes of what its peers say of L1, where its own head stands (rule 31). */
import { expect, test } from 'vitest';
import { buildBlock } from './payload/build-block.ts';
import { formatEnvelope } from './payload/envelope.ts';
import { askedToLead, leaderBeside } from './testing/peers.ts';

/** Unix seconds when the world's clock says 0. */
const beganAtSeconds = 1_700_000_000;

/** A leader that builds nothing, whose L1 has stood at block 100 for two minutes; and whom it has asked to lead by then. */
function takersWhere(l1: Readonly<Record<string, number>>): readonly string[] {
  const world = leaderBeside(new Map(Object.entries(l1).map(([id, l1Number]) => [id, { l1Number, unsafeNumber: 0 }])));
  world.node.l1 = { number: 100, timestamp: beganAtSeconds - 120 };
  const block = buildBlock({ parent: null, timestamp: beganAtSeconds + 3, transactions: [] });
  world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(block) }]);
  world.nodeHead = block;
  world.run(6000);
  return askedToLead(world);
}

test('one peer that has a newer L1 block gets the lead, however far another has fallen behind', () => {
  expect(takersWhere({ b: 90, c: 110 })).toEqual(['c']);
});

test('where nobody has a newer one L1 itself stands, and the lead stays', () => {
  expect(takersWhere({ b: 90, c: 100 })).toEqual([]);
});
