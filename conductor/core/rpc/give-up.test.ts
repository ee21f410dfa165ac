import { describe, expect, test } from 'vitest';
import { buildBlock } from '../payload/build-block.ts';
import { formatEnvelope, type Envelope } from '../payload/envelope.ts';
import { prefixedHex } from '../payload/hex.ts';
import { bitsOfKinds, type ObservationKind } from '../evidence/observation.ts';
import { ConductorWorld } from '../testing/conductor-world.ts';
import { leaderBeside, type Peers } from '../testing/peers.ts';

const chain: Envelope[] = [];
for (let number = 0; number < 10; number += 1)
  chain.push(buildBlock({ parent: chain.at(-1) ?? null, timestamp: 1000 + number, transactions: [] }));
const other = buildBlock({ parent: chain[5] as Envelope, timestamp: 9000, transactions: [] });
const hashOf = ({ executionPayload }: Envelope): string => prefixedHex(executionPayload.blockHash);
const commit = (world: ConductorWorld, envelope: Envelope) =>
  world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(envelope) }]);
const giveUp = (world: ConductorWorld, block: Envelope) =>
  world.ask('conductor_giveUpBlock', [block.executionPayload.blockNumber, hashOf(block)]);
const nodes = (world: ConductorWorld) => world.ask('conductor_clusterNodes').result as ClusterNodes;

interface ClusterNodes {
  readonly committed: { readonly number: number; readonly hash: string };
  readonly nodes: readonly Record<string, unknown>[];
  readonly disputed: readonly {
    readonly number: number;
    readonly hash: string;
    readonly proved: boolean;
    readonly forbidden: boolean;
  }[];
  readonly givenUp: { readonly number: number; readonly done: boolean } | null;
}

/** The rest is committed, and the node of the leader goes back to the sixth block and takes nothing more. */
function fallBack(world: ConductorWorld): void {
  for (const envelope of chain.slice(3)) commit(world, envelope);
  world.knowBlocks(chain);
  world.nodeHead = chain[9] as Envelope;
  world.run(1000);
  world.nodeHead = chain[5] as Envelope;
  world.node.postsDropped = Infinity;
  world.run(2000);
}

/** A leader that was started with --consensus.rollback=refuse; its node is back on block 5 of the 9 that are committed. */
function refusing(): ConductorWorld {
  const world = ConductorWorld.bootstrapped({ rollback: 'refuse' });
  for (const envelope of chain.slice(0, 3)) commit(world, envelope);
  world.nodeHead = chain[2] as Envelope;
  world.ask('conductor_resume');
  world.run(500);
  fallBack(world);
  return world;
}

describe('conductor_giveUpBlock', () => {
  test('lets the leader go on below the block, in one entry, which is audited', () => {
    const world = refusing();
    expect(commit(world, other)).toMatchObject({ error: { data: { reason: 'height-held' } } });
    expect(nodes(world).disputed).toMatchObject([
      {
        number: 6,
        hash: hashOf(chain[6]!),
        proved: false,
        forbidden: true,
        why: expect.stringContaining('--consensus.rollback=refuse'),
      },
    ]);
    expect(giveUp(world, chain[6]!)).toEqual({ result: null });
    expect(nodes(world).givenUp).toMatchObject({ number: 6, done: false });
    expect(commit(world, other)).toEqual({ result: null });
    expect(nodes(world)).toMatchObject({ committed: { number: 6, hash: hashOf(other) }, givenUp: { done: true } });
    expect(world.audited.at(-1)).toMatchObject({ method: 'conductor_giveUpBlock', outcome: 'done' });
  });

  test('names the block also where its hash is written in capitals', () => {
    const world = refusing();
    const inCapitals = `0x${hashOf(chain[6]!).slice(2).toUpperCase()}`;
    expect(world.ask('conductor_giveUpBlock', [6n, inCapitals])).toEqual({ result: null });
    expect(commit(world, other)).toEqual({ result: null });
  });

  test('a sequencer that stands is started there at once', () => {
    const world = refusing();
    world.push({ kind: 'tick' });
    world.node.isSequencing = false;
    world.run(3000);
    expect(world.node.isSequencing).toBe(false);
    giveUp(world, chain[6]!);
    world.run(50);
    expect(world.node.isSequencing).toBe(true);
  });

  test('the word is about one block, and ends by itself', () => {
    const world = refusing();
    expect(giveUp(world, chain[7]!)).toEqual({ result: null });
    expect(commit(world, other)).toMatchObject({ error: { data: { reason: 'height-held' } } });
    giveUp(world, chain[6]!);
    world.run(30_000);
    expect(commit(world, other)).toMatchObject({ error: { data: { reason: 'height-held' } } });
  });

  test.each([
    ['is not committed', (world: ConductorWorld) => giveUp(world, other), /is not committed here/],
    ['is in a safe chain', (world: ConductorWorld) => giveUp(world, chain[5]!), /the safe chain of a reaches it, at 5/],
    [
      'belongs to a conductor that is paused',
      (world: ConductorWorld) => (world.ask('conductor_pause'), giveUp(world, chain[6]!)),
      /paused or overridden.*resume it first/,
    ],
  ])('a block that %s stays, in words', (_, ask, why) => {
    const world = refusing();
    expect(ask(world).error?.message).toMatch(why);
    expect(commit(world, other).error).toBeDefined();
  });

  test('a further word is not done before the chain has followed it, too', () => {
    const world = refusing();
    giveUp(world, chain[6]!);
    commit(world, other);
    expect(giveUp(world, other)).toEqual({ result: null });
    expect(nodes(world).givenUp).toMatchObject({ number: 6, done: false });
  });

  test('of a server that does not lead is refused', () => {
    expect(giveUp(new ConductorWorld(), chain[6]!).error?.message).toContain('not the leader');
  });
});

test('what the nodes prove and the setting forbids is given up on an operator’s word, though a client has it', () => {
  const said = (...kinds: ObservationKind[]) => ({
    observations: [{ number: 6, hash: chain[6]!.executionPayload.blockHash, kinds: bitsOfKinds(kinds) }],
  });
  const peers: Peers = new Map([
    ['b', {}],
    ['c', {}],
  ]);
  const world = leaderBeside(peers, { rollback: 'refuse' });
  for (const envelope of chain.slice(0, 3)) commit(world, envelope);
  world.nodeHead = chain[2] as Envelope;
  world.run(500);
  fallBack(world);
  peers.set('c', said('holds'));
  world.run(1000);
  expect(nodes(world).disputed).toMatchObject([{ number: 6, proved: false, forbidden: false }]);
  expect(giveUp(world, chain[6]!).error?.message).toContain('the client of c has it');
  peers.set('b', said('left'));
  world.run(1000);
  expect(nodes(world).disputed).toMatchObject([{ number: 6, proved: false, forbidden: true }]);
  expect(commit(world, other)).toMatchObject({ error: { data: { reason: 'height-held' } } });
  expect(giveUp(world, chain[6]!)).toEqual({ result: null });
  // The word lifts what is forbidden as long as it is proved.
  peers.set('b', {});
  world.run(3000);
  expect(commit(world, other)).toMatchObject({ error: { data: { reason: 'height-held' } } });
  peers.set('b', said('left'));
  world.run(1000);
  expect(commit(world, other)).toEqual({ result: null });
});

test('what a majority of the nodes proves moves the chain also after an operator’s word that somebody keeps from counting', () => {
  const peers: Peers = new Map([
    ['b', {}],
    ['c', {}],
  ]);
  const world = leaderBeside(peers);
  for (const envelope of chain.slice(0, 3)) commit(world, envelope);
  world.nodeHead = chain[2] as Envelope;
  world.run(500);
  fallBack(world);
  const says = (...kinds: ObservationKind[]) => ({
    observations: [{ number: 6, hash: chain[6]!.executionPayload.blockHash, kinds: bitsOfKinds(kinds) }],
  });
  expect(giveUp(world, chain[6]!)).toEqual({ result: null });
  peers.set('c', says('holds'));
  world.run(1000);
  expect(commit(world, other)).toMatchObject({ error: { data: { reason: 'height-held' } } });
  peers.set('b', says('left'));
  world.run(1000);
  expect(commit(world, other)).toEqual({ result: null });
});

test('the line of every refusal says where all nodes stand, and so does the alarm', () => {
  const world = refusing();
  commit(world, other);
  world.run(7000);
  commit(world, other);
  const standing = expect.stringMatching(
    /^a: node 5 \([0-9a-f]{8}\), client 5 \([0-9a-f]{8}\), \w+, \d\.\d s$/,
  ) as string;
  for (const text of ['refused a payload', 'the rollup has left the committed chain, and the log cannot follow it'])
    expect(world.lastFields.get(text)).toMatchObject({ nodes: standing });
  const follower = new ConductorWorld();
  commit(follower, other);
  expect(follower.lastFields.get('refused a payload')).not.toHaveProperty('nodes');
});

test('that a block was given up is told also after the log was cut, when somebody has joined', () => {
  const world = refusing();
  giveUp(world, chain[6]!);
  expect(commit(world, other)).toEqual({ result: null });
  expect(commit(world, buildBlock({ parent: other, timestamp: 9001, transactions: [] }))).toEqual({ result: null });
  // The log is kept until somebody joins.
  world.ask('conductor_addServerAsNonvoter', ['later', 'h:9', 0n]);
  world.run(1000);
  expect(nodes(world).givenUp).toMatchObject({ number: 6, done: true });
});

test('conductor_clusterNodes tells where node and client stand, and how old that is', () => {
  const world = refusing();
  expect(nodes(world).nodes).toEqual([
    expect.objectContaining({
      id: 'a',
      suffrage: 0,
      implementation: 'conductor',
      node: { number: 5, hash: hashOf(chain[5]!) },
      client: { number: 5, hash: hashOf(chain[5]!) },
      safe: 5,
      verdict: 'holds',
      says: [
        { number: 9, hash: hashOf(chain[9]!), kinds: ['holds'] },
        { number: 6, hash: hashOf(chain[6]!), kinds: ['left'] },
      ],
    }),
  ]);
  expect(nodes(world).nodes[0]!['ageMs']).toBeLessThanOrEqual(2000);
});
