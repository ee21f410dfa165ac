/** What a whole conductor makes of a head that stands, by what its peers say of L1, and of one that rises alone (rule 31). */
import { describe, expect, test } from 'vitest';
import { buildBlock } from './payload/build-block.ts';
import { formatEnvelope } from './payload/envelope.ts';
import { ConductorWorld } from './testing/conductor-world.ts';
import { l1Deposit } from './payload/testing/l1-deposit.ts';
import { askedToLead, leaderBeside } from './testing/peers.ts';

/** Unix seconds when the world's clock says 0. */
const beganAtSeconds = 1_700_000_000;

/** A leader that builds nothing, whose L1 has stood at block 100 for as long as it may go on without it; and whom it has asked to lead by then. */
function takersWhere(l1: Readonly<Record<string, number>>): readonly string[] {
  const world = leaderBeside(new Map(Object.entries(l1).map(([id, l1Number]) => [id, { l1Number, unsafeNumber: 0 }])));
  world.node.l1 = { number: 100, timestamp: beganAtSeconds - 1700 };
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

/** How often the op-node of a leader, whose block this is, is reset; its L1 client knows another L1 than the block comes from. */
function resetsWhere(isOwnBlock: boolean): number {
  const world = leaderBeside(new Map([['b', { unsafeNumber: 0 }]]));
  const seconds = beganAtSeconds + 3;
  world.node.l1 = { number: 100, timestamp: seconds, hash: `0x${'aa'.repeat(32)}` };
  const first = buildBlock({ parent: null, timestamp: seconds - 1, transactions: [] });
  const deposit = l1Deposit(99n, `0x${'bb'.repeat(32)}`);
  const head = buildBlock({ parent: first, timestamp: seconds, transactions: [deposit] });
  world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(first) }]);
  world.nodeHead = first;
  world.node.safeHead = world.node.head;
  // Once it has begun to build, what comes is its own.
  if (isOwnBlock) world.run(2000);
  world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(head) }]);
  world.nodeHead = head;
  world.run(4000);
  expect(world.node.isSequencing).toBe(true);
  return world.asked.filter((method) => method === 'admin_resetDerivationPipeline').length;
}

test('op-node is made to look where the head that stands is another leader’s, and not where its own sequencer built it', () => {
  expect(resetsWhere(false)).toBeGreaterThan(0);
  expect(resetsWhere(true)).toBe(0);
});

test.each([
  ['goes through where this server leads on', false],
  ['is not made while leadership is being handed over, and is when that came to nothing', true],
])('a start of the sequencer that is under way %s (rule 19)', (_, isHandedOver) => {
  const world = leaderBeside(
    new Map([
      ['b', {}],
      ['c', {}],
    ]),
  );
  // Without the entries it cannot take over yet: until it can, this server still leads for certain.
  const answer = world.respond;
  world.respond = (message) => (message.peerId === 'b' && message.channel === 'replicate' ? null : answer(message));
  const block = buildBlock({ parent: null, timestamp: beganAtSeconds + 3, transactions: [] });
  world.held.add('eth_getBlockByNumber');
  world.nodeHead = block;
  world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(block) }]);
  world.run(2000);
  const values = ['b', '127.0.0.1:2', 0n];
  const method = 'conductor_transferLeaderToServer';
  if (isHandedOver) world.push({ kind: 'rpc', answerId: 1000, method, values, from: 'test', as: 'alice' });
  world.release();
  world.run(100);
  expect(world.node.isSequencing).toBe(!isHandedOver);
  world.run(5000);
  expect(world.node.isSequencing).toBe(true);
});
