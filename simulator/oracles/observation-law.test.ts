import { expect, test } from 'vitest';
import { bitsOfKinds, type ObservationKind } from '#conductor/core/evidence/observation';
import { bytesFromHex } from '#conductor/core/payload/hex';
import { Blocks, type Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import { Verdicts } from '../verdicts.ts';
import type { World } from '../world.ts';
import { observationsAreSo } from './observation-law.ts';
import type { Oracle } from './oracle.ts';

const SERVERS = 3;

/** A leader and its follower s1, of whose node the test says where it stands, and what it says. */
function worldOf() {
  const blocks = new Blocks(1);
  const parent = blocks.build(blocks.genesis, 0);
  const tip = blocks.build(parent, 0);
  const other = blocks.build(parent, 1);
  const has = new Set<Block>();
  const client = { isHonest: true, isSyncing: false, needsRestart: false, hasHad: (block: Block) => has.has(block) };
  const node = { head: parent, client };
  const said: { hash: Uint8Array; kinds: number }[] = [];
  const clock = { nowMs: 0 };
  const machineOf = <More extends object>(id: string, index: number, more: More) => ({
    id,
    index,
    ...more,
    get worldMs() {
      return clock.nowMs;
    },
  });
  const peers = [{ id: 's1', peerStatus: { observations: said } }];
  const ofLeader = { head: tip, client: { ...client, hasHad: () => true } };
  const leader = machineOf('s0', 0, { node: ofLeader, conductor: { status: () => ({ peers }) } });
  const follower = machineOf('s1', 1, { node, conductor: null });
  const verdicts = new Verdicts(blocks, SERVERS);
  const world = {
    machines: [leader, follower],
    blocks,
    verdicts,
    configuration: { blockSeconds: 1 },
    get nowMs() {
      return clock.nowMs;
    },
  };
  const complaints: string[] = [];
  const oracle = observationsAreSo(
    (message) => void complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  oracle.watch(world as unknown as World);
  const pass = (ms: number): void => {
    for (const endMs = clock.nowMs + ms; clock.nowMs < endMs;) {
      clock.nowMs += 100;
      oracle.observed(leader as unknown as Machine, {} as never);
    }
  };
  const say = (kind: ObservationKind): number => {
    said.push({ hash: bytesFromHex(tip.hash.slice(2))!, kinds: bitsOfKinds([kind]) });
    pass(100);
    return complaints.length;
  };
  return { blocks, node, client, has, verdicts, parent, tip, other, pass, say, complaints };
}

test('who says that its node did not take a block has stood on the parent for a while', () => {
  const { pass, say } = worldOf();
  pass(1500);
  expect(say('notTaken')).toBe(0);
});

test('who has come to the parent just now has no such word', () => {
  const { node, blocks, parent, pass, say, complaints } = worldOf();
  node.head = blocks.genesis;
  pass(5000);
  node.head = parent;
  pass(300);
  expect(say('notTaken')).toBe(1);
  expect(complaints[0]).toMatch(/^s1 says “notTaken” of block 2 .* not so$/);
});

test('who has left a block was on it', () => {
  const left = worldOf();
  left.node.head = left.tip;
  left.pass(100);
  left.node.head = left.other;
  left.pass(100);
  expect(left.say('left')).toBe(0);
  expect(worldOf().say('left')).toBe(1);
});

test('who holds a block has it, or had', () => {
  const { has, tip, say } = worldOf();
  has.add(tip);
  expect(say('holds')).toBe(0);
  expect(worldOf().say('holds')).toBe(1);
});

test('a verdict is that of the client, unless that was ever out of its mind', () => {
  const refusing = (): ReturnType<typeof worldOf> => {
    const world = worldOf();
    world.verdicts.spoil(world.tip, 1 << 1);
    return world;
  };
  expect([worldOf().say('valid'), worldOf().say('invalid')]).toEqual([0, 1]);
  expect([refusing().say('valid'), refusing().say('invalid')]).toEqual([1, 0]);
  const lying = worldOf();
  lying.client.isHonest = false;
  lying.pass(100);
  expect(lying.say('invalid')).toBe(0);
});
