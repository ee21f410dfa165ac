/** What the own sequencer sealed was committed unvalidated, and clients are proved to refuse it (rules 6 and 29). */
import { describe, expect, test } from 'vitest';
import type { ObservationKind } from '../evidence/observation.ts';
import type { Proof } from '../evidence/proof.ts';
import type { Peer } from './target.ts';
import { block, ControlWorld } from './testing/world.ts';

const invalid: Proof = { kind: 'proved', by: 'invalid', voters: ['a', 'b'], mayReplaceTipOnly: false };

const healthyPeer: Peer = {
  id: 'b',
  isVoter: true,
  isNative: true,
  isInContact: true,
  isAgainstTip: true,
  ceasedLeadingAtMs: null,
  known: {
    ...{ isHealthy: true, isPaused: false, headNumber: 4n, headHash: block(4n).hash },
    ...{ safeNumber: null, l1Number: null, observations: [] },
  },
};

/** Leads and sequences; block 5 is its own, its client does not take it, and that is proved. */
function sealed(options: ConstructorParameters<typeof ControlWorld>[0] = {}): ControlWorld {
  const world = new ControlWorld({ mayRecover: true, ...options });
  world.commitThrough(4n);
  world.nodeHead = block(4n);
  world.peerList = [healthyPeer];
  world.lead(2);
  world.run(100);
  seal(world);
  return world;
}

function seal(world: ControlWorld): void {
  world.committed.delete(5n);
  world.commitThrough(5n);
  world.loop.seals.committed(false);
  world.ownRefusal = { reason: 'refused by the client', kind: 'invalid' };
  world.proof = invalid;
  world.provedFrom = 5n;
}

/** Its head is old, as every head is while the chain stands. */
const staleAt = (headNumber: bigint): Peer => {
  return { ...healthyPeer, known: { ...healthyPeer.known!, isHealthy: false, headNumber } };
};

const told = (world: ControlWorld, method: string): number =>
  world.asked.filter((request) => request.method === method).length;
const recoverModes = (world: ControlWorld): string[] =>
  world.asked.filter(({ method }) => method === 'admin_setRecoverMode').map(({ params }) => params);

describe('an invalid block of the own sequencer that was committed', () => {
  test('leadership stays where an operator gave the block up: that leader alone has heard it', () => {
    const world = sealed();
    world.ownRefusal = { reason: 'given up by an operator', kind: 'operator' };
    world.proof = { kind: 'proved', by: 'operator', voters: [], mayReplaceTipOnly: false };
    world.run(1000);
    expect(world.transfers).toEqual([]);
    expect(told(world, 'admin_stopSequencer')).toBe(1);
  });

  test.each([
    ['empty blocks are the same', true, 2],
    ['there is no recover mode, and its builder gives it again and again', false, 1],
  ])('but not for ever: where %s leadership goes to somebody else, who is told again', (_, mayRecover, more) => {
    const world = sealed({ mayRecover });
    world.ownRefusal = { reason: 'given up by an operator', kind: 'operator' };
    world.proof = { kind: 'proved', by: 'operator', voters: [], mayReplaceTipOnly: false };
    world.run(1000);
    for (let again = 0; again < more; again++) {
      expect(world.transfers).toEqual([]);
      world.loop.seals.offeredAgain(block(5n));
      world.run(1000);
    }
    world.loop.seals.offeredAgain(block(5n));
    world.run(1000);
    expect(world.transfers).toHaveLength(1);
    expect(world.fields.some(({ err }) => String(err).includes('conductor repair'))).toBe(true);
  });

  test('leadership goes to a healthy server at once: the same job gives the same block', () => {
    const world = sealed();
    world.run(100);
    expect(world.transfers).toEqual([{ target: 'b', exclude: [] }]);
    expect(told(world, 'admin_stopSequencer')).toBe(1);
  });

  test('a stop that waits for the refused block to become the head of op-node is not waited for', () => {
    const world = sealed();
    world.run(100);
    expect(world.asked.find(({ method }) => method === 'admin_stopSequencer')?.timeoutMs).toBe(200);
  });

  test('also while its own node is being brought to that block', () => {
    const world = new ControlWorld();
    world.commitThrough(4n);
    world.nodeHead = block(4n);
    world.peerList = [healthyPeer];
    world.lead(2);
    world.run(100);
    world.commitThrough(5n);
    world.loop.seals.committed(false);
    world.loop.nodeIsOff();
    world.run(200);
    expect(world.transfers).toEqual([]);
    seal(world);
    world.run(100);
    expect(world.transfers).toHaveLength(1);
  });

  test.each<[string, (world: ControlWorld) => void]>([
    ['that is not proved', (world) => (world.proof = null)],
    ['that was left for L1', (world) => (world.proof = { ...invalid, by: 'left' })],
    ['that L1 took', (world) => (world.proof = { ...invalid, by: 'l1' })],
    ['of another leadership', (world) => world.lead(3)],
    ['in whose place another is on its way', (world) => world.pending.set(5n, block(5n, 1, 5n))],
    ['under which an operator has paused', (world) => world.loop.pause()],
  ])('not for one %s', (_, change) => {
    const world = sealed();
    change(world);
    world.run(500);
    expect(world.transfers).toEqual([]);
    expect(told(world, 'admin_stopSequencer')).toBe(0);
  });

  test('not where the chain may not be moved back', () => {
    const world = sealed({ rollback: 'refuse' });
    world.run(500);
    expect(world.transfers).toEqual([]);
  });

  /** Nobody is known to be healthy, and this one's client refuses the block, too. */
  const refuser = (change: Partial<Peer> = {}, kinds: readonly ObservationKind[] = ['invalid']): Peer => {
    const peer = { ...staleAt(4n), ...change };
    return { ...peer, known: { ...peer.known!, observations: [{ number: 5n, hash: block(5n).hash, kinds }] } };
  };

  test('while the chain stands nobody is known to be healthy: it goes to one whose client refuses the block, too', () => {
    const world = sealed();
    world.peerList = [refuser()];
    world.run(300);
    expect(world.transfers).toEqual([{ target: 'b', exclude: [] }]);
  });

  test.each<[string, Peer]>([
    ['has had its turn', refuser({ ceasedLeadingAtMs: 0 })],
    ['is paused', refuser({ known: { ...staleAt(4n).known!, isPaused: true } })],
    ['is no voter', refuser({ isVoter: false })],
    ['is out of contact', refuser({ isInContact: false })],
    ['only holds the block', refuser({}, ['holds'])],
    ['says nothing', { ...staleAt(4n), isNative: false, isForeign: true, known: null }],
  ])('but not to one that %s', (_, peer) => {
    const world = sealed();
    world.peerList = [peer];
    world.run(50);
    expect(world.transfers).toEqual([]);
  });

  test('the same block of a new job is not taken again: recover mode follows', () => {
    const world = sealed();
    world.peerList = [staleAt(3n)];
    world.run(300);
    world.loop.seals.offeredAgain(block(5n));
    world.run(300);
    expect(recoverModes(world).at(-1)).toBe('[true]');
  });

  test('what op-node offers once more while its job is being dropped counts once', () => {
    const world = sealed();
    world.peerList = [staleAt(3n)];
    world.held.add('admin_stopSequencer');
    world.run(50);
    world.loop.seals.offeredAgain(block(5n));
    world.run(5);
    world.release();
    world.run(500);
    expect(told(world, 'admin_stopSequencer')).toBe(1);
    expect(recoverModes(world)).not.toContain('[true]');
  });

  test('a stop that failed is repeated once op-node was made to forget the block, whatever happens in between', () => {
    const world = sealed();
    world.peerList = [staleAt(3n)];
    world.node.stopFailures = 1;
    world.held.add('admin_resetDerivationPipeline');
    world.run(50);
    expect(told(world, 'admin_stopSequencer')).toBe(1);
    world.release();
    world.run(50);
    expect(told(world, 'admin_stopSequencer')).toBe(2);
    expect([world.loop.active, told(world, 'admin_startSequencer')]).toEqual([true, 2]);
  });

  test.each<[string, (world: ControlWorld) => void]>([
    ['paused', (world) => world.loop.pause()],
    ['overridden', (world) => world.loop.override(() => undefined)],
  ])('op-node is not reset where this conductor is %s while a stop is waited for', (_, change) => {
    const world = sealed();
    world.peerList = [staleAt(3n)];
    world.node.stopFailures = 1;
    world.held.add('admin_stopSequencer');
    world.run(50);
    change(world);
    world.release();
    world.run(500);
    expect([told(world, 'admin_stopSequencer'), told(world, 'admin_resetDerivationPipeline')]).toEqual([1, 0]);
  });

  test('under a pause the same block is a success again: the operator has taken over', () => {
    const world = sealed();
    expect(world.loop.seals.offeredAgain(block(5n))).toBe(true);
    world.loop.pause();
    expect(world.loop.seals.offeredAgain(block(5n))).toBe(false);
  });

  test('with nobody known to be healthy its job is dropped, and recover mode comes when that was no help', () => {
    const world = sealed();
    world.peerList = [staleAt(3n)];
    world.run(300);
    expect(world.transfers).toEqual([]);
    expect([told(world, 'admin_stopSequencer'), told(world, 'admin_startSequencer')]).toEqual([1, 2]);
    expect(recoverModes(world)).not.toContain('[true]');
    seal(world);
    world.run(300);
    expect(recoverModes(world).at(-1)).toBe('[true]');
    expect(told(world, 'admin_stopSequencer')).toBe(2);
  });

  test('recover mode is switched off by who leads no longer, also when the node did not answer at first', () => {
    const world = sealed();
    world.peerList = [staleAt(3n)];
    world.run(300);
    seal(world);
    world.run(300);
    expect(world.node.isRecovering).toBe(true);
    // Its sequencer is stopped by then: a stop that is confirmed only later has it told again all the same.
    world.held.add('admin_setRecoverMode');
    world.follow(3);
    world.run(500);
    expect([world.isSequencing, world.node.isRecovering]).toEqual([false, true]);
    world.node.isUp = false;
    world.release();
    world.run(100);
    world.node.isUp = true;
    world.run(1000);
    expect(world.node.isRecovering).toBe(false);
  });

  test('recover mode that a process before this one left on is switched off, unless an operator has taken over', () => {
    for (const isPaused of [false, true]) {
      const world = new ControlWorld({ mayRecover: true, isPaused });
      world.node.isRecovering = true;
      world.follow(2);
      world.run(100);
      expect(world.node.isRecovering).toBe(isPaused);
    }
  });
});

/** Full blocks are refused, nobody else could lead, and recover mode is on. */
function recovering(): ControlWorld {
  const world = sealed();
  world.peerList = [staleAt(3n)];
  world.run(300);
  world.loop.seals.offeredAgain(block(5n));
  world.run(300);
  expect(world.node.isRecovering).toBe(true);
  return world;
}

/** What health then finds: a sequencer that stands. */
function restartNode(world: ControlWorld): void {
  world.node.isSequencing = world.node.isRecovering = false;
  world.loop.observeActive(false, world.loop.commandEpoch);
}

describe('recover mode, as the last resort', () => {
  test('is switched on once more where op-node was restarted, before its sequencer is started', () => {
    const world = recovering();
    world.takeAsked();
    restartNode(world);
    world.run(300);
    expect([world.node.isRecovering, world.isSequencing]).toEqual([true, true]);
    const asked = world.takeAsked().filter((method) => method.startsWith('admin_'));
    expect(asked).toEqual(['admin_setRecoverMode', 'admin_startSequencer']);
  });

  test('also where it was restarted while its job was being dropped', () => {
    const world = recovering();
    world.held.add('admin_stopSequencer');
    seal(world);
    world.run(600);
    world.node.isSequencing = world.node.isRecovering = false;
    world.release();
    world.run(1000);
    expect([world.node.isRecovering, world.isSequencing]).toEqual([true, true]);
  });

  test('is left as an operator sets it under a pause, though the sequencer was stopped meanwhile', () => {
    const world = new ControlWorld({ mayRecover: true });
    world.commitThrough(4n);
    world.nodeHead = block(4n);
    world.lead(2);
    world.run(100);
    world.loop.pause();
    restartNode(world);
    world.run(100);
    world.node.isSequencing = world.node.isRecovering = true;
    world.loop.observeActive(true, world.loop.commandEpoch);
    world.loop.resume(true, world.loop.commandEpoch);
    world.run(100);
    expect(world.node.isRecovering).toBe(true);
  });

  test.each<[string, (world: ControlWorld) => void]>([
    ['leads no longer', (world) => world.follow(3)],
    ['is paused', (world) => world.loop.pause()],
    ['is overridden', (world) => world.loop.override(() => undefined)],
    ['ends', (world) => world.loop.shutDown()],
  ])('is never left on by a server that %s', (_, change) => {
    const world = recovering();
    change(world);
    world.run(100);
    expect(world.node.isRecovering).toBe(false);
  });
});

describe('a client that cannot execute what follows its head', () => {
  test.each<[string, (world: ControlWorld) => void, number]>([
    ['leads', () => undefined, 1],
    ['is paused', (world) => world.loop.pause(), 0],
    ['is overridden', (world) => world.loop.override(() => undefined), 0],
  ])('costs a server that %s its sequencer and the lead so often', (_, change, times) => {
    const world = new ControlWorld();
    world.commitThrough(4n);
    world.nodeHead = block(4n);
    world.peerList = [{ ...healthyPeer, isAgainstTip: false }];
    world.lead(2);
    world.run(100);
    change(world);
    world.loop.seals.clientIsUnable();
    world.run(300);
    expect([world.transfers.length, told(world, 'admin_stopSequencer')]).toEqual([times, times]);
  });
});

describe('a block of the own sequencer that its client refuses before it is committed', () => {
  test('costs its job, and the next one the lead; in a new leadership that is counted anew', () => {
    const world = new ControlWorld({ mayRecover: true });
    world.commitThrough(4n);
    world.nodeHead = block(4n);
    world.peerList = [{ ...healthyPeer, isAgainstTip: false }];
    world.lead(2);
    world.run(100);
    const refuse = (salt: number): void => {
      world.loop.seals.refused(block(5n, salt, 5n), 'invalid merkle root');
      world.run(300);
    };
    refuse(1);
    world.follow(3);
    world.run(100);
    world.lead(4);
    world.run(100);
    refuse(2);
    expect([world.transfers.length, world.isSequencing]).toEqual([0, true]);
    refuse(3);
    expect(world.transfers).toEqual([{ target: 'b', exclude: [] }]);
  });
});
