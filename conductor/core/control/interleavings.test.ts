import { describe, expect, test } from 'vitest';
import { block, ControlWorld } from './testing/world.ts';

const healthy = { isHealthy: true, nodeAnswers: true };
const stale = { isHealthy: false, nodeAnswers: true };

function peer(id: string) {
  return {
    id,
    isVoter: true,
    isNative: false,
    isInContact: true,
    isAgainstTip: false,
    known: null,
    ceasedLeadingAtMs: null,
  };
}

/** Elected in term 2 with the node at the committed head 5; what `held` names is in flight. */
function elected(held: readonly string[] = []): ControlWorld {
  const world = new ControlWorld();
  world.commitThrough(5n);
  world.nodeHead = block(5n);
  world.peerList = [peer('b'), peer('c')];
  for (const method of held) world.held.add(method);
  world.lead(2);
  world.run();
  return world;
}

/** Leads and sequences, beyond the grace after its start; then `held` methods are held back. */
function leading(held: readonly string[] = []): ControlWorld {
  const world = elected();
  world.now += 60_000;
  world.takeAsked();
  for (const method of held) world.held.add(method);
  return world;
}

const stops = (world: ControlWorld): number =>
  world.takeAsked().filter((method) => method === 'admin_stopSequencer').length;

describe('while a start is under way', () => {
  test('leadership is lost: the start is waited for, and then stopped', () => {
    const world = elected(['admin_startSequencer']);
    world.follow(3);
    world.run(100);
    expect(world.takeAsked()).not.toContain('admin_stopSequencer');
    world.release();
    expect(world.isSequencing).toBe(false);
    expect(world.loop.active).toBe(false);
  });

  test('leadership is lost and regained: the sequencer that runs since the earlier term is brought to the tip', () => {
    const world = elected(['admin_startSequencer']);
    world.follow(3);
    world.commitThrough(7n);
    world.lead(4);
    world.release();
    world.run(100);
    expect(world.isSequencing).toBe(true);
    expect(world.nodeHead.number).toBe(7n);
    expect(world.takeAsked()).not.toContain('admin_stopSequencer');
  });

  test('it is paused: the answer is taken note of, nothing more is asked', () => {
    const world = elected(['admin_startSequencer']);
    world.node.startErrors = ['block hash does not match'];
    world.loop.pause();
    world.takeAsked();
    world.release();
    world.run(5000);
    expect(world.takeAsked()).toEqual([]);
    expect(world.isSequencing).toBe(false);
  });

  test('the verdict turns bad: the start is waited for and gets its grace', () => {
    const world = elected(['admin_startSequencer']);
    world.loop.verdictChanged(stale);
    world.release();
    world.run(2000);
    expect(world.isSequencing).toBe(true);
    expect(world.transfers).toEqual([]);
  });

  test('it ends: the order in flight is known, and its answer is still believed', () => {
    const world = elected(['admin_startSequencer']);
    world.loop.shutDown();
    expect(world.loop.hasOrderInFlight).toBe(true);
    world.release();
    expect(world.loop.hasOrderInFlight).toBe(false);
    expect(world.loop.active).toBe(true);
  });

  test('it ends while the node still asks for another hash: no second try', () => {
    const world = elected(['admin_startSequencer']);
    world.node.startErrors = ['block hash does not match'];
    world.loop.shutDown();
    world.takeAsked();
    world.release();
    world.run(5000);
    expect(world.takeAsked()).toEqual([]);
    expect(world.loop.hasOrderInFlight).toBe(false);
  });
});

describe('while a stop is under way', () => {
  test('it is paused: leadership is not handed over until it goes on', () => {
    const world = leading(['admin_stopSequencer']);
    world.loop.verdictChanged(stale);
    world.loop.pause();
    world.release();
    world.run(5000);
    expect(world.loop.active).toBe(false);
    expect(world.transfers).toEqual([]);
    world.loop.resume(false, world.loop.commandEpoch);
    world.loop.verdictChanged({ isHealthy: false, nodeAnswers: false });
    world.run();
    expect(world.transfers).toHaveLength(1);
  });

  test('the verdict turns good: no hand-over, and sequencing goes on', () => {
    const world = leading(['admin_stopSequencer']);
    world.loop.verdictChanged(stale);
    world.run();
    world.loop.verdictChanged(healthy);
    world.release();
    expect(world.transfers).toEqual([]);
    expect(world.isSequencing).toBe(true);
  });

  test('leadership is lost and regained: sequencing goes on after the stop', () => {
    const world = leading(['admin_stopSequencer']);
    world.follow(3);
    world.run();
    world.lead(4);
    world.release();
    expect(world.isSequencing).toBe(true);
    expect(world.loop.active).toBe(true);
  });

  test('it fails after leadership was regained: the sequencer that never stopped is brought to the tip', () => {
    const world = leading();
    world.node.stopFailures = 1;
    world.follow(3);
    world.run();
    world.commitThrough(8n);
    world.lead(4);
    world.run(100);
    expect(world.isSequencing).toBe(true);
    expect(world.nodeHead.number).toBe(8n);
  });
});

describe('pause and resume are never lost between actions', () => {
  test('paused while a transfer is under way: no stop and no other transfer follow', () => {
    const world = leading();
    world.transferResult = false;
    world.loop.verdictChanged({ isHealthy: false, nodeAnswers: false });
    world.loop.pause();
    world.run(5000);
    expect(world.transfers).toHaveLength(1);
    expect(stops(world)).toBe(0);
  });

  test('a resume that asked before the latest order does not believe the answer', () => {
    const world = leading(['admin_stopSequencer']);
    const before = world.loop.commandEpoch;
    world.follow(3);
    world.loop.pause();
    world.release();
    expect(world.loop.active).toBe(false);
    world.loop.resume(true, before);
    expect(world.loop.active).toBe(false);
  });

  test('paused and resumed within one start: it is begun again', () => {
    const world = elected(['eth_getBlockByNumber']);
    world.loop.pause();
    world.loop.resume(false, world.loop.commandEpoch);
    world.release();
    expect(world.isSequencing).toBe(true);
  });

  test('leadership lost and regained while paused: acted on at resume', () => {
    const world = leading();
    world.loop.pause();
    world.follow(3);
    world.run();
    expect(stops(world)).toBe(0);
    world.loop.resume(true, world.loop.commandEpoch);
    world.run();
    expect(world.isSequencing).toBe(false);
  });
});

describe('waiting is bounded', () => {
  test('waits-for-ever: the grace after a start ends by itself, also when no further verdict comes', () => {
    const world = elected();
    world.loop.verdictChanged(stale);
    world.run(2900);
    expect(world.transfers).toEqual([]);
    expect(world.loop.nextDeadlineMs()).toBeLessThan(world.now + 1000);
    world.run(200);
    expect(world.transfers).toHaveLength(1);
  });

  test('rule 3: an attempt that a loss of leadership cut short is made again for the same head', () => {
    const world = leading();
    world.commitThrough(9n);
    world.node.postsDropped = 1000;
    world.loop.nodeIsOff();
    world.run(100);
    world.follow(3);
    world.node.postsDropped = 0;
    world.lead(4);
    world.run(3000);
    world.loop.nodeIsOff();
    world.run(100);
    expect(world.nodeHead.number).toBe(9n);
    // The peers' status is older than the attempt for a while: it does not show yet whose node has this head (rule 6).
    expect(world.loop.wasBroughtTo(block(9n).hash)).toBe(false);
    world.run(1500);
    expect(world.loop.wasBroughtTo(block(9n).hash)).toBe(true);
  });

  test('rule 3: a node that takes long to come back is not waited for when its head is old and another server is healthy', () => {
    const world = leading();
    world.commitThrough(9n);
    world.node.postsDropped = 1000;
    world.run(5000);
    world.loop.nodeIsOff();
    world.run(100);
    expect(world.loop.isBusy).toBe(true);
    world.loop.verdictChanged({ ...stale, headNumber: 3n });
    world.run(300);
    expect(world.transfers).toEqual([]);
    const told = { isHealthy: true, isPaused: false, headNumber: 9n, headHash: null, safeNumber: null, l1Number: null };
    world.peerList = [{ ...peer('b'), isNative: true, known: { ...told, observations: [] } }];
    world.run(300);
    expect(world.transfers).toHaveLength(1);
  });

  test('rule 3: an attempt cut short does not count as tried', () => {
    const world = leading();
    world.commitThrough(9n);
    world.node.postsDropped = 1000;
    world.loop.nodeIsOff();
    world.run(100);
    world.loop.pause();
    world.run(2000);
    expect(world.loop.wasBroughtTo(block(9n).hash)).toBe(false);
  });
});
