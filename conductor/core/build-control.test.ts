/** What a whole conductor makes of a head that stands, by what its peers say of L1, and of one that rises alone (rule 31). */
import { describe, expect, test } from 'vitest';
import { buildBlock } from './payload/build-block.ts';
import { formatEnvelope } from './payload/envelope.ts';
import { ConductorWorld } from './testing/conductor-world.ts';
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

describe('a leader whose op-node builds', () => {
  /** It builds a block a second for so long after the first one, which is committed; `offers` what it builds, or does not. */
  function builtFor(seconds: number, offers: boolean): ConductorWorld {
    const world = ConductorWorld.bootstrapped();
    world.ask('conductor_resume');
    for (let second = 0; second <= seconds; second += 1) {
      const parent = world.nodeHead;
      const block = buildBlock({ parent, timestamp: beganAtSeconds + 3 + second, transactions: [] });
      if (offers || second === 0) world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(block) }]);
      world.nodeHead = block;
      world.run(1000);
    }
    return world;
  }

  test('and offers none of it raises an alarm within four blocks, and again each minute', () => {
    const soon = builtFor(4, false);
    expect(soon.node.isSequencing).toBe(true);
    expect(soon.counts.get('alarms_total uncommitted')).toBe(1);
    const later = builtFor(184, false);
    expect(later.counts.get('alarms_total uncommitted')).toBe(4);
    expect(later.logs.filter((line) => line.startsWith('error the head of the node rises'))).toHaveLength(4);
  });

  test('and offers all of it raises none', () => {
    expect(builtFor(30, true).counts.get('alarms_total uncommitted')).toBeUndefined();
  });
});
