/**
 * Nodes that went back below what the log holds, as where a sequencing window expires: nothing can be proved (rule 6), an
 * operator is told, and how the chain goes on by hand.
 */
import { describe, expect, test } from 'vitest';
import { block, ControlWorld } from './testing/world.ts';
import type { Peer } from './target.ts';
import type { ControlOptions } from './control-host.ts';

/** What L1 made of the chain from here on; the log holds 100 to 110. */
const forkAt = 40n;
const tip = 110n;
const derived = (number: bigint) => block(number, 1, forkAt);

const peerAt = (id: string, { number, hash }: { readonly number: bigint; readonly hash: string }): Peer => ({
  id,
  isVoter: true,
  isNative: true,
  isInContact: true,
  isAgainstTip: false,
  known: {
    isHealthy: false,
    isPaused: false,
    headNumber: number,
    headHash: hash,
    safeNumber: number,
    l1Number: null,
    observations: [],
  },
  ceasedLeadingAtMs: null,
});

function leading(head: bigint, peers: readonly Peer[], options: Partial<ControlOptions> = {}): ControlWorld {
  const world = new ControlWorld(options);
  for (let number = 100n; number <= tip; number += 1n) world.committed.set(number, block(number));
  for (let number = 0n; number <= head; number += 1n) world.node.blocks.set(derived(number).hash, derived(number));
  world.nodeChain = derived;
  world.nodeHead = derived(head);
  world.peerList = [...peers];
  world.lead(2);
  world.run(15_000);
  return world;
}

/** What the alarm of a kind says. */
function told(world: ControlWorld): string {
  const at = world.logs.findIndex((line) => line.endsWith('the log cannot follow it'));
  return String(world.fields[at]?.['err'] ?? '');
}

const starts = (world: ControlWorld) =>
  world.asked.filter(({ method }) => method === 'admin_startSequencer').map(({ params }) => params);

describe('a leader whose node went back below what the log holds', () => {
  const others = (head: bigint) => [peerAt('b', derived(head)), peerAt('c', derived(head))];

  test.each([
    ['and stands below it', 50n],
    ['and has come up to heights of the log since', 105n],
    ['and has come beyond its tip', 130n],
  ])('%s, like the others, starts nothing, and an operator is told the way out', (_, head) => {
    const world = leading(head, others(head));
    expect(starts(world)).toEqual([]);
    expect(world.counts).toContain('alarms_total rollback-refused');
    expect(told(world)).toContain('sequencing window');
    expect(told(world)).toContain('conductor runbook left-below-log');
  });

  test.each([
    ['whose nodes stand on a block of the log', [peerAt('b', block(105n)), peerAt('c', block(tip))]],
    ['whose nodes stand where it begins', [peerAt('b', block(99n)), peerAt('c', block(99n))]],
    [
      'of whom nothing is known',
      [
        { ...peerAt('b', derived(50n)), known: null },
        { ...peerAt('c', derived(50n)), known: null },
      ],
    ],
  ])('beside peers %s is not the end: nothing of that is said', (_, peers) => {
    const world = leading(50n, peers);
    expect(starts(world)).toEqual([]);
    expect(told(world)).toBe('');
  });

  test('is started beyond the tip of the log on the word of an operator, who names a block of the new chain', () => {
    const world = leading(130n, others(130n), { trustedHash: derived(120n).hash });
    expect(starts(world)).toEqual([`["${derived(130n).hash}"]`]);
    expect(world.isSequencing).toBe(true);
  });
});

describe('a leader whose node needs a block that the log no longer holds', () => {
  const at = (id: string, number: bigint, ceasedLeadingAtMs: number | null): Peer => {
    const peer = peerAt(id, block(number));
    return { ...peer, known: { ...peer.known!, isHealthy: null }, ceasedLeadingAtMs };
  };
  /** Its node stands at 50 of the same chain; the loop began at 0 ms, and has led for 4 s. */
  const below = (...peers: Peer[]): ControlWorld => {
    const world = new ControlWorld({ unsafeIntervalMs: 600_000 });
    for (let number = 100n; number <= tip; number += 1n) world.committed.set(number, block(number));
    world.nodeHead = block(50n);
    world.peerList = peers;
    world.lead(2);
    world.run(4000);
    return world;
  };

  test('hands it to the one whose node has that, though it lost leadership a moment ago, and has no other try first', () => {
    const world = below(at('b', 52n, null), at('c', tip, 0));
    expect(world.transfers).toEqual([{ target: null, exclude: ['b'] }]);
    expect(told(world)).toBe('');
  });

  test('has one of which nothing is known, as an op-conductor, wait for that one as well', () => {
    const silent = { ...at('b', 52n, null), isNative: false, known: null };
    expect(below(silent, at('c', tip, 0)).transfers).toEqual([{ target: null, exclude: ['b'] }]);
  });

  test('tries on where nobody has it, and leaves alone who lost leadership', () => {
    expect(below(at('b', 52n, 0), at('c', 60n, 0)).transfers).toEqual([]);
  });

  test('hands it to one beyond the tip as to any that has the block: others may have published that', () => {
    const healthy = at('b', tip + 5n, null);
    const beyond = { ...healthy, known: { ...healthy.known!, isHealthy: true } };
    expect(below(beyond, at('c', tip, 0)).transfers).toEqual([{ target: 'b', exclude: ['c'] }]);
  });

  test('has one that tells of no head wait for the one that has the block', () => {
    const early = at('b', 52n, null);
    const headless = { ...early, known: { ...early.known!, headHash: null } };
    expect(below(headless, at('c', tip, 0)).transfers).toEqual([{ target: null, exclude: ['b'] }]);
  });

  test('goes on where nobody has it and L1 brings its blocks every few seconds', () => {
    const world = below(at('b', 52n, null), at('c', 60n, null));
    for (let head = 60n; head <= 100n; head += 10n) {
      world.nodeHead = block(head);
      world.run(4000);
    }
    expect(world.transfers).toEqual([]);
    expect(starts(world)).toHaveLength(1);
  });

  test('hands nothing to a holder that is known to be unable', () => {
    const peer = at('c', tip, 0);
    expect(below(at('b', 52n, 0), { ...peer, known: { ...peer.known!, isHealthy: false } }).transfers).toEqual([]);
  });
});
