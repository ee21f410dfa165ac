import { describe, expect, test } from 'vitest';
import { block, ControlWorld } from './testing/world.ts';

const healthy = { isHealthy: true, nodeAnswers: true };
const stale = { isHealthy: false, nodeAnswers: true };
const LEFT = 'warn leadership is overridden: the sequencer goes on as the operator started it';

/** A follower at the committed head whose leadership is overridden; `answers` counts what operators were told. */
function overridden(world = new ControlWorld()) {
  const told = { answers: 0 };
  world.commitThrough(5n);
  if (world.nodeHead.number === 0n) world.nodeHead = block(5n);
  world.loop.override(() => void told.answers++);
  return { world, told };
}

/** An operator starts or stops the sequencer, and the next check sees it. */
function byHand(world: ControlWorld, isSequencing: boolean): void {
  world.isSequencing = isSequencing;
  world.loop.observeActive(isSequencing, world.loop.commandEpoch);
}

const commandEpoch = ['admin_startSequencer', 'admin_stopSequencer'];
const ordered = (world: ControlWorld): string[] => world.takeAsked().filter((method) => commandEpoch.includes(method));

describe('while leadership is overridden (rule 27)', () => {
  test('a sequencer that an operator started without leadership is left alone, through every verdict, and that is said once', () => {
    const { world } = overridden();
    world.run();
    byHand(world, true);
    for (const verdict of [stale, healthy, { isHealthy: false, nodeAnswers: false }, healthy]) {
      world.loop.verdictChanged(verdict);
      world.run(3000);
    }
    expect(ordered(world)).toEqual([]);
    expect(world.isSequencing).toBe(true);
    expect(world.logs.filter((line) => line === LEFT)).toHaveLength(1);
  });

  test('one that leads neither starts nor stops its sequencer nor hands leadership over, and asks for an operator', () => {
    const { world } = overridden();
    world.peerList = [
      {
        id: 'b',
        isVoter: true,
        isNative: true,
        isInContact: true,
        isAgainstTip: false,
        known: null,
        ceasedLeadingAtMs: null,
      },
    ];
    world.lead(2);
    world.run(3000);
    expect(world.counts.filter((count) => count === 'alarms_total override-idle')).toHaveLength(1);
    world.loop.verdictChanged(stale);
    world.run(3000);
    byHand(world, true);
    world.run(3000);
    expect(ordered(world)).toEqual([]);
    expect(world.transfers).toEqual([]);
  });

  test('and asks again each minute until the operator starts it', () => {
    const { world } = overridden();
    world.lead(2);
    const seconds = (count: number): void => {
      for (let second = 0; second < count; second += 1) {
        world.loop.verdictChanged(healthy);
        world.run(1000);
      }
    };
    seconds(190);
    expect(world.totals.get('alarms_total override-idle')).toBe(4);
    byHand(world, true);
    seconds(120);
    expect(world.totals.get('alarms_total override-idle')).toBe(4);
    expect(world.totals.get('alarms_total override')).toBeUndefined();
  });

  test('a stop that the node was told of before is heard to its end, and not repeated', () => {
    const world = new ControlWorld({ isActive: true });
    world.isSequencing = true;
    world.node.stopFailures = 1;
    world.held.add('admin_stopSequencer');
    world.loop.reconcile();
    const { told } = overridden(world);
    expect(told.answers).toBe(0);
    world.release();
    world.run(5000);
    expect(ordered(world)).toEqual(['admin_stopSequencer']);
    expect(told.answers).toBe(1);
  });

  test('a sequencer that was stopped behind our back does not keep the node from what the log ends in', () => {
    const world = new ControlWorld({ isActive: true });
    world.lead(2);
    world.commitThrough(4n);
    world.nodeHead = block(4n);
    world.run();
    // op-node gave up on block 5, and its operator stopped it, before the log committed that in the same turn as this.
    world.isSequencing = false;
    const { told } = overridden(world);
    world.run(1500);
    expect(world.nodeHead).toEqual(block(5n));
    expect(told.answers).toBe(1);
  });

  test('a resume changes nothing', () => {
    const { world } = overridden(new ControlWorld({ isPaused: true }));
    world.run();
    world.isSequencing = true;
    world.loop.resume(true, world.loop.commandEpoch);
    world.run(5000);
    expect(ordered(world)).toEqual([]);
  });
});

describe('when the override is taken back', () => {
  test('a sequencer without leadership is stopped at once', () => {
    const { world } = overridden();
    world.run();
    byHand(world, true);
    world.run(2000);
    world.loop.endOverride();
    world.run();
    expect(ordered(world)).toEqual(['admin_stopSequencer']);
    expect(world.isSequencing).toBe(false);
  });

  test('a leader starts its sequencer, and leaves one that runs', () => {
    const { world } = overridden();
    world.lead(2);
    world.run();
    world.loop.endOverride();
    world.run(1000);
    expect(ordered(world)).toEqual(['admin_startSequencer']);
    world.loop.override(() => undefined);
    world.loop.endOverride();
    world.run(1000);
    expect(ordered(world)).toEqual([]);
    expect(world.isSequencing).toBe(true);
  });

  test('while it is paused, nothing is done', () => {
    const { world } = overridden(new ControlWorld({ isPaused: true }));
    world.run();
    byHand(world, true);
    world.loop.endOverride();
    world.run(3000);
    expect(ordered(world)).toEqual([]);
  });
});

describe('what the log ends in', () => {
  test.each([[false], [true]])(
    'is given to the node before the override is answered, with what is not committed (paused: %s)',
    (isPaused) => {
      const world = new ControlWorld({ isPaused });
      world.pending.set(6n, block(6n));
      world.pending.set(7n, block(7n));
      world.nodeHead = block(4n);
      world.node.postsDropped = 1;
      const { told } = overridden(world);
      expect(told.answers).toBe(0);
      world.run(1000);
      expect(world.nodeHead).toEqual(block(7n));
      expect(told.answers).toBe(1);
      expect(world.logs).toContain('info the node holds what this log ends in');
    },
  );

  test.each([
    ['does not take it', (world: ControlWorld) => void (world.node.postsDropped = 1000)],
    ['is on another branch', (world: ControlWorld) => void (world.nodeHead = block(6n, 1, 4n))],
    ['does not answer', (world: ControlWorld) => void (world.node.isUp = false)],
    [
      'stays below its client, which has it',
      ({ node }: ControlWorld) => {
        node.clientHead = block(6n);
        node.blocks.set(block(5n).hash, block(5n));
      },
    ],
  ])('and the node %s: the override is answered all the same, within two seconds, with an alarm', (_, spoil) => {
    const world = new ControlWorld();
    world.pending.set(6n, block(6n));
    world.nodeHead = block(5n);
    spoil(world);
    const { told } = overridden(world);
    world.run(2000);
    expect(told.answers).toBe(1);
    expect(world.counts).toContain('alarms_total override-behind');
  });

  test('is given to a node of which it is not known whether it builds', () => {
    const world = new ControlWorld({ isActive: null });
    world.pending.set(6n, block(6n));
    world.nodeHead = block(5n);
    const { told } = overridden(world);
    world.run(1000);
    expect(world.nodeHead).toEqual(block(6n));
    expect(told.answers).toBe(1);
  });

  test('is not posted to a sequencer that builds already', () => {
    const world = new ControlWorld({ isActive: true });
    world.isSequencing = true;
    world.lead(2);
    world.run();
    world.takeAsked();
    world.pending.set(6n, block(6n));
    const { told } = overridden(world);
    world.run();
    expect(told.answers).toBe(1);
    expect(world.takeAsked()).toEqual(['admin_sequencerActive']);
  });

  test.each([
    ['the override is taken back', (world: ControlWorld) => world.loop.endOverride()],
    ['the process ends', (world: ControlWorld) => world.loop.shutDown()],
  ])('is not waited for when %s', (_, end) => {
    const world = new ControlWorld();
    world.held.add('eth_getBlockByNumber');
    const { told } = overridden(world);
    expect(told.answers).toBe(0);
    end(world);
    expect(told.answers).toBe(1);
  });

  test('a second override is answered, too', () => {
    const { world, told } = overridden();
    world.loop.override(() => void told.answers++);
    world.run();
    expect(told.answers).toBe(2);
  });
});
