import { describe, expect, test } from 'vitest';
import { buildBlock } from './payload/build-block.ts';
import { formatEnvelope } from './payload/envelope.ts';
import { ConductorWorld } from './testing/conductor-world.ts';

const first = buildBlock({ parent: null, timestamp: 1000, transactions: [] });

/** A leader at its committed head, paused as after a bootstrap. */
function leader(): ConductorWorld {
  const world = ConductorWorld.bootstrapped();
  world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(first) }]);
  world.nodeHead = first;
  return world;
}

describe('the end comes', () => {
  test('while a start is under way: it is heard to its end and then stopped', () => {
    const world = leader();
    world.held.add('admin_startSequencer');
    world.ask('conductor_resume');
    expect(world.asked).toContain('admin_startSequencer');
    world.push({ kind: 'drain', reason: 'SIGTERM' });
    world.run(100);
    expect(world.asked).not.toContain('admin_stopSequencer');
    world.release();
    world.run(100);
    expect(world.asked.at(-1)).toBe('admin_stopSequencer');
    expect(world.node.isSequencing).toBe(false);
    expect(world.exit?.code).toBe(0);
  });

  test('stop-hangs: while a start is never answered: a stop is sent all the same, and the process ends', () => {
    const world = leader();
    world.held.add('admin_startSequencer');
    world.ask('conductor_resume');
    world.push({ kind: 'drain', reason: 'SIGTERM' });
    world.run(5000);
    expect(world.asked).toContain('admin_stopSequencer');
    expect(world.exit?.code).toBe(0);
  });

  test('while a stop is under way: its answer counts', () => {
    const world = leader();
    world.node.isSequencing = true;
    world.run(2000);
    world.held.add('admin_stopSequencer');
    world.push({ kind: 'drain', reason: 'SIGTERM' });
    world.push({ kind: 'drain', reason: 'SIGTERM' });
    world.run(100);
    world.release();
    world.run(100);
    expect(world.asked.filter((method) => method === 'admin_stopSequencer')).toHaveLength(1);
    expect(world.exit?.code).toBe(0);
  });

  test('to a paused leader: its sequencer is stopped too', () => {
    const world = leader();
    world.node.isSequencing = true;
    world.run(2000);
    expect(world.ask('conductor_paused')).toEqual({ result: true });
    world.push({ kind: 'drain', reason: 'SIGTERM' });
    world.run(3000);
    expect(world.node.isSequencing).toBe(false);
  });

  test('while leadership is overridden: leadership and sequencer are left as they are, and that is said', () => {
    const world = leader();
    world.ask('conductor_resume');
    world.run(1000);
    world.ask('conductor_overrideLeader', [true]);
    const asked = world.asked.length;
    world.push({ kind: 'drain', reason: 'SIGTERM' });
    world.run(3000);
    expect(world.asked.slice(asked)).not.toContain('admin_stopSequencer');
    expect(world.node.isSequencing).toBe(true);
    expect(world.exit?.message).toContain('the sequencer was left to the operator: leadership is overridden');
  });

  // Steps 2 to 6 of the runbook, on the conductor of the server that builds.
  test('left-below-log: what is built by hand beside a paused leader goes on through its restart, if it is overridden before', () => {
    const before = leader();
    const next = buildBlock({ parent: first, timestamp: 1001, transactions: [] });
    before.nodeHead = next;
    before.node.isSequencing = true;
    before.run(2000);
    expect(before.ask('conductor_overrideLeader', [true])).toEqual({ result: null });
    before.push({ kind: 'drain', reason: 'SIGTERM' });
    before.run(3000);
    expect(before.exit?.code).toBe(0);
    const after = new ConductorWorld({ store: before.store, isPaused: true });
    after.knowBlocks([first]);
    after.nodeHead = next;
    after.node.isSequencing = before.node.isSequencing;
    after.run(10_000);
    expect([after.ask('conductor_leader'), after.ask('conductor_leaderOverridden')]).toEqual([
      { result: true },
      { result: false },
    ]);
    for (const call of ['admin_stopSequencer', 'admin_postUnsafePayload'])
      expect([...before.asked, ...after.asked]).not.toContain(call);
    expect(after.node.isSequencing).toBe(true);
    // Its op-node is restarted.
    after.node.isSequencing = false;
    after.ask('conductor_resume');
    after.run(1000);
    expect([after.node.isSequencing, after.nodeHead]).toEqual([true, next]);
  });

  test('twice: every conductor_stop is answered, and it ends once', () => {
    const world = leader();
    expect(world.ask('conductor_stop')).toEqual({ result: null });
    expect(world.ask('conductor_stop')).toEqual({ result: null });
    expect(world.ask('conductor_active')).toEqual({ result: false });
    expect(world.ask('conductor_stopped')).toEqual({ result: true });
  });
});

describe('a bootstrap', () => {
  test('asked for twice at once still pauses the new leader', () => {
    const world = new ConductorWorld();
    world.conductor.handle({ kind: 'bootstrap' }, world.now);
    world.push({ kind: 'bootstrap' });
    world.run(200);
    expect(world.ask('conductor_paused')).toEqual({ result: true });
    expect(world.logs).not.toContain('warn the cluster was not bootstrapped; drop --raft.bootstrap');
  });

  test('restart-paused: with the paused flag a conductor starts paused, also after an earlier resume', () => {
    const before = leader();
    before.ask('conductor_resume');
    expect(before.ask('conductor_active')).toEqual({ result: true });
    const world = new ConductorWorld({ store: before.store, isPaused: true });
    world.nodeHead = first;
    world.run(10_000);
    expect(world.ask('conductor_paused')).toEqual({ result: true });
    expect(world.node.isSequencing).toBe(false);
    world.ask('conductor_resume');
    world.run(1000);
    expect(world.node.isSequencing).toBe(true);
  });
});
