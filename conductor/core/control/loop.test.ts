import { describe, expect, test } from 'vitest';
import type { Peer } from './target.ts';
import { block, ControlWorld } from './testing/world.ts';

const healthy = { isHealthy: true, nodeAnswers: true };
const stale = { isHealthy: false, nodeAnswers: true };
const gone = { isHealthy: false, nodeAnswers: false };

function peerUnknown(id: string, ceasedLeadingAtMs: number | null = null): Peer {
  return { id, isVoter: true, isNative: true, isInContact: true, isAgainstTip: false, known: null, ceasedLeadingAtMs };
}

function peerHealthy(id: string): Peer {
  const known = { isHealthy: true, isPaused: false, headNumber: 5n, headHash: null, safeNumber: null, l1Number: null };
  return { ...peerUnknown(id), known: { ...known, observations: [] } };
}

/** op-node stands at block 3, its client at the committed head, block 5. */
function wentBack(): ControlWorld {
  const world = new ControlWorld();
  world.commitThrough(5n);
  world.nodeHead = block(3n);
  world.node.clientHead = block(5n);
  world.node.blocks.set(block(3n).hash, block(3n));
  return world;
}

describe('starting', () => {
  test('a new leader at the committed head confirms leadership and starts there', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    const heads = ['eth_getBlockByNumber', 'optimism_syncStatus'];
    for (const method of heads) world.held.add(method);
    world.lead(2);
    world.run();
    // Of their heads client and op-node are asked at the same time: a failover takes no longer for it.
    expect(world.takeAsked()).toEqual(heads);
    world.release();
    expect(world.takeAsked()).toEqual(['admin_startSequencer']);
    expect(world.isSequencing).toBe(true);
    expect(world.loop.active).toBe(true);
  });

  test.each([1n, 2n, 5n, 200n])('two-behind: a node %s blocks behind is brought up from the log and started', (lag) => {
    const world = new ControlWorld();
    world.commitThrough(300n);
    world.nodeHead = block(300n - lag);
    world.lead(2);
    world.run(2000);
    expect(world.nodeHead.number).toBe(300n);
    expect(world.isSequencing).toBe(true);
  });

  test.each([
    [0n, undefined],
    [1n, 1],
    [7n, 7],
  ])('the payloads that a node %s blocks behind is given are counted', (lag, posted) => {
    const world = new ControlWorld();
    world.commitThrough(10n);
    world.nodeHead = block(10n - lag);
    world.lead(2);
    world.run(2000);
    expect(world.isSequencing).toBe(true);
    expect(world.totals.get('catch_up_payloads_total')).toBe(posted);
  });

  test('payloads the node dropped are posted again', () => {
    const world = new ControlWorld();
    world.commitThrough(10n);
    world.nodeHead = block(7n);
    world.node.postsDropped = 2;
    world.lead(2);
    world.run(2000);
    expect(world.isSequencing).toBe(true);
  });

  test('post-then-start: "block hash does not match" is tried again within 100 ms', () => {
    const world = new ControlWorld();
    world.commitThrough(3n);
    world.nodeHead = block(3n);
    world.node.startErrors = ['block hash does not match', 'block hash does not match'];
    world.lead(2);
    world.run(250);
    expect(world.isSequencing).toBe(true);
  });

  test('op-node went back without its client, and what it left is proved to be given up: it is started where it is', () => {
    const world = wentBack();
    world.proof = { kind: 'proved', by: 'left', voters: ['a', 'b'], mayReplaceTipOnly: false };
    world.provedFrom = 4n;
    world.lead(2);
    world.run(1500);
    expect(world.isSequencing).toBe(true);
    expect(world.nodeHead).toEqual(block(3n));
  });

  test('where nothing proves it, it is given that again first', () => {
    const world = wentBack();
    world.lead(2);
    world.run(1500);
    expect(world.nodeHead).toEqual(block(5n));
    expect(world.isSequencing).toBe(true);
  });

  test('what its node has left is not given to it again while other voters may still say so', () => {
    const world = wentBack();
    world.leftFrom = 4n;
    world.lead(2);
    world.run(1500);
    expect(world.isSequencing).toBe(false);
    expect(world.nodeHead).toEqual(block(3n));
    world.proof = { kind: 'proved', by: 'left', voters: ['a', 'b'], mayReplaceTipOnly: false };
    world.provedFrom = 4n;
    world.run(200);
    expect(world.isSequencing).toBe(true);
    expect(world.nodeHead).toEqual(block(3n));
  });

  test('"sequencer already running" is success', () => {
    const world = new ControlWorld();
    world.commitThrough(3n);
    world.nodeHead = block(3n);
    world.isSequencing = true;
    world.lead(2);
    world.run();
    expect(world.loop.active).toBe(true);
    expect(world.counts).toContain('sequencer_starts_count true');
  });

  test('no payload held: never by itself', () => {
    const world = new ControlWorld();
    world.lead(2);
    world.run(10_000);
    expect(world.takeAsked()).not.toContain('admin_startSequencer');
    const at = world.logs.indexOf('error failed to start sequencer');
    expect(world.fields[at]).toMatchObject({
      err: expect.stringMatching(/^no unsafe head: .*cast rpc admin_startSequencer HASH/) as unknown,
    });
  });

  test('a node ahead on the same branch is started at its own head (rule 4)', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    for (let number = 6n; number <= 9n; number += 1n) world.node.blocks.set(block(number).hash, block(number));
    world.nodeHead = block(9n);
    world.lead(2);
    world.run();
    expect(world.isSequencing).toBe(true);
    expect(world.logs).toContain('warn started beyond the committed head');
  });

  test('a node on another branch is not started; leadership goes to somebody else', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(4n, 1, 4n);
    world.peerList = [peerUnknown('b')];
    world.lead(2);
    world.run(3000);
    expect(world.isSequencing).toBe(false);
    expect(world.counts).toContain('alarms_total other-branch');
    expect(world.transfers).toHaveLength(1);
  });

  test('a node that was on another branch is back on the chain when op-node and its client both are', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    const astray = block(4n, 1, 4n);
    world.nodeHead = astray;
    world.peerList = [peerUnknown('b')];
    world.lead(2);
    world.run(3000);
    expect(world.loop.startTrouble).toBe('unfit');
    for (const heads of [
      [block(4n), astray],
      [astray, block(4n)],
    ]) {
      world.loop.nodeIsAt(heads);
      expect(world.loop.startTrouble).toBe('unfit');
    }
    world.loop.nodeIsAt([block(4n), block(4n)]);
    expect(world.loop.startTrouble).toBe('none');
  });

  const proof = { kind: 'proved', by: 'l1', voters: ['a', 'b'], mayReplaceTipOnly: false } as const;

  test('chain-regression: where it is proved that the committed one is given up, a node is started on its own branch', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n, 1, 4n);
    world.proof = proof;
    world.lead(2);
    world.run(3000);
    expect(world.isSequencing).toBe(true);
    expect(world.logs.some((line) => line.includes('is proved to be given up'))).toBe(true);
  });

  test('a node below the tip whose client refuses the next block is started there on proof', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(4n);
    world.node.postsDropped = 100_000;
    world.ownRefusal = { reason: 'refused by the client', kind: 'invalid' };
    world.lead(2);
    world.run(3000);
    expect(world.isSequencing).toBe(false);
    expect(world.counts).toContain('alarms_total rollback-refused');
    world.proof = proof;
    world.provedFrom = 5n;
    world.run(500);
    expect(world.isSequencing).toBe(true);
  });

  test('a node that passed the block by is given it again, and may take it yet', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(4n);
    world.ownRefusal = { reason: 'given, and not taken by the client', kind: 'notTaken' };
    world.lead(2);
    world.run(500);
    expect(world.isSequencing).toBe(true);
    expect(world.nodeHead.number).toBe(5n);
  });

  test('a refusal that no other node shares sends leadership to one that holds the block', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(4n);
    world.node.postsDropped = 100_000;
    world.ownRefusal = { reason: 'refused by the client', kind: 'invalid' };
    const known = { isHealthy: null, isPaused: false, headNumber: 5n, headHash: block(5n).hash };
    world.peerList = [{ ...peerUnknown('b'), known: { ...known, safeNumber: null, l1Number: null, observations: [] } }];
    world.lead(2);
    world.run(3000);
    expect(world.transfers.length).toBeGreaterThan(0);
  });

  test('while that is not proved leadership stays: no other node is known to be better off (rule 3)', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(4n);
    world.node.postsDropped = 100_000;
    world.ownRefusal = { reason: 'refused by the client', kind: 'invalid' };
    world.peerList = [peerUnknown('b')];
    world.lead(2);
    world.run(60_000);
    expect(world.transfers).toEqual([]);
  });

  test.each([
    ['--consensus.rollback=refuse', 'refuse', proof],
    ['without proof', 'proof', null],
  ] as const)('but not with %s: an alarm instead', (_, rollback, given) => {
    const world = new ControlWorld({ rollback });
    world.commitThrough(5n);
    world.nodeHead = block(5n, 1, 4n);
    world.proof = given;
    world.lead(2);
    world.run(3000);
    expect(world.isSequencing).toBe(false);
    expect(world.counts).toContain('alarms_total other-branch');
  });

  test('leadership that cannot be confirmed by a quorum starts nothing', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.readResult = false;
    world.lead(2);
    world.run(5000);
    expect(world.takeAsked()).not.toContain('admin_startSequencer');
  });

  test('leadership lost during catch-up: no start', () => {
    const world = new ControlWorld();
    world.commitThrough(10n);
    world.nodeHead = block(2n);
    world.node.postsDropped = 1000;
    world.lead(2);
    world.run(100);
    world.follow(3);
    world.node.postsDropped = 0;
    world.run(5000);
    expect(world.takeAsked()).not.toContain('admin_startSequencer');
  });

  test.each([
    ['one unsafe interval', 3000, 2500],
    ['five seconds where that is longer', 600_000, 4500],
  ])('unprovisioned: a node that cannot be started hands leadership on after %s', (_, unsafeIntervalMs, notYetMs) => {
    const world = new ControlWorld({ unsafeIntervalMs });
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.node.startErrors = Array.from({ length: 1000 }, () => 'sequencer is not enabled');
    world.peerList = [peerUnknown('b')];
    world.lead(2);
    world.run(notYetMs);
    expect(world.transfers).toHaveLength(0);
    world.run(2000);
    expect(world.transfers.length).toBeGreaterThan(0);
  });

  test.each([
    [
      'is proved to be given up',
      { kind: 'proved', by: 'invalid', voters: ['b', 'c'], mayReplaceTipOnly: false } as const,
      'proof',
      1,
    ],
    ['is not', null, 'proof', 0],
    [
      'may not be given up',
      { kind: 'proved', by: 'invalid', voters: ['b', 'c'], mayReplaceTipOnly: false } as const,
      'refuse',
      0,
    ],
  ] as const)(
    'a node that cannot be brought to the tip hands on to one that is against it where that %s',
    (_, proof, rollback, hands) => {
      const world = new ControlWorld({ rollback });
      world.commitThrough(5n);
      world.nodeHead = block(3n);
      world.node.postsDropped = 100_000;
      world.node.startErrors = Array.from({ length: 1000 }, () => 'not at the tip');
      world.proof = proof;
      world.provedFrom = 5n;
      world.peerList = [{ ...peerUnknown('b'), isAgainstTip: true }];
      world.lead(2);
      world.run(8000);
      expect(world.transfers.slice(0, 1)).toHaveLength(hands);
    },
  );

  test('a random pause of at most 2 s lies between tries, but a new verdict retries at once', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.node.startErrors = ['engine is busy', 'engine is busy'];
    world.lead(2);
    world.run(900);
    expect(world.takeAsked().filter((method) => method === 'admin_startSequencer')).toHaveLength(1);
    world.loop.verdictChanged(healthy);
    world.run();
    expect(world.takeAsked().filter((method) => method === 'admin_startSequencer')).toHaveLength(1);
    world.run(1100);
    expect(world.isSequencing).toBe(true);
  });
});

describe('stopping and handing over', () => {
  function leading(): ControlWorld {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.peerList = [peerUnknown('b'), peerUnknown('c')];
    world.lead(2);
    world.run();
    world.now += 60_000;
    world.takeAsked();
    return world;
  }

  test('two-active: a stop that failed is tried again until it is confirmed', () => {
    const world = leading();
    world.node.stopFailures = 3;
    world.follow(3);
    world.run(10_000);
    expect(world.isSequencing).toBe(false);
    expect(world.loop.active).toBe(false);
    expect(world.takeAsked().filter((method) => method === 'admin_stopSequencer')).toHaveLength(4);
    expect(world.totals.get('sequencer_stops_count false')).toBe(3);
    expect(world.totals.get('sequencer_stops_count true')).toBe(1);
  });

  test('a change of leadership, health or sequencing is counted with the state it leads to, no change is not', () => {
    const world = leading();
    world.counts.length = 0;
    world.loop.verdictChanged(healthy);
    world.run(2000);
    expect(world.counts).toEqual([]);
    world.follow(3);
    world.run();
    world.loop.verdictChanged(stale);
    world.loop.verdictChanged(gone);
    world.run();
    expect(world.counts.filter((count) => count.startsWith('state_changes_count'))).toEqual([
      'state_changes_count false true true',
      'state_changes_count false true false',
      'state_changes_count false false false',
    ]);
  });

  test('"sequencer not running" is success', () => {
    const world = leading();
    world.isSequencing = false;
    world.follow(3);
    world.run();
    expect(world.loop.active).toBe(false);
  });

  test('a leader that became unhealthy stops its sequencer, then transfers', () => {
    const world = leading();
    world.loop.verdictChanged(stale);
    world.run();
    expect(world.takeAsked()).toEqual(['admin_stopSequencer']);
    expect(world.transfers).toEqual([{ target: null, exclude: [] }]);
  });

  test.each([
    ['goes on while its blocks come, whatever else is wrong', stale, 0],
    ['is handed over when its head is old', { ...stale, isOnlyStale: true as const, isStale: true as const }, 1],
    ['is handed over when its head is old, whatever else is wrong', { ...stale, isStale: true as const }, 1],
    ['is handed over when its node is gone', gone, 1],
  ])('beside servers that do not know whether they could build a leader %s', (_, verdict, transfers) => {
    const world = leading();
    const doubtful = { isHealthy: null, isPaused: false, headNumber: 5n, headHash: null, l1Number: null };
    world.peerList = [{ ...peerUnknown('b'), known: { ...doubtful, safeNumber: null, observations: [] } }];
    world.loop.verdictChanged(verdict);
    world.run();
    expect(world.transfers).toHaveLength(transfers);
    expect(world.isSequencing).toBe(transfers === 0);
  });

  test('one that makes up for a long stand keeps leadership beside such servers', () => {
    const transfersAfter = (slotMs: number): number => {
      const world = leading();
      const doubtful = { isHealthy: null, isPaused: false, headNumber: 5n, headHash: null, l1Number: null };
      world.peerList = [{ ...peerUnknown('b'), known: { ...doubtful, safeNumber: null, observations: [] } }];
      world.run(20_000);
      for (let number = 6n; number <= 8n; number += 1n) {
        world.commitThrough(number);
        world.loop.seals.committed(true);
        world.run(slotMs);
      }
      world.loop.verdictChanged({ ...stale, isOnlyStale: true, isStale: true });
      world.run(0);
      return world.transfers.length;
    };
    expect([transfersAfter(150), transfersAfter(1000)]).toEqual([0, 1]);
  });

  test('a node that is gone cannot confirm the stop: leadership is handed over all the same', () => {
    const world = leading();
    world.node.isUp = false;
    world.loop.verdictChanged(gone);
    world.run();
    expect(world.transfers).toHaveLength(1);
  });

  test('a node that hangs is asked for no stop first: leadership is handed over at once', () => {
    const world = leading();
    world.held.add('admin_stopSequencer');
    world.loop.verdictChanged(gone);
    world.run();
    expect(world.transfers).toHaveLength(1);
  });

  test('a sequencer that the node did not tell of counts as running: it is stopped after the hand-over', () => {
    const world = new ControlWorld({ isActive: null });
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.isSequencing = true;
    world.peerList = [peerUnknown('b')];
    world.node.isUp = false;
    world.loop.verdictChanged(gone);
    world.lead(2);
    world.run(3000);
    expect(world.transfers).toHaveLength(1);
    world.node.isUp = true;
    world.follow(3);
    world.run(3000);
    expect(world.isSequencing).toBe(false);
  });

  test('a new leader that cannot lead looks again once its peers had time to tell of themselves, though nothing else happens', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.peerList = [peerUnknown('b')];
    world.node.isUp = false;
    world.loop.verdictChanged(gone);
    world.lead(2);
    world.run();
    expect(world.transfers).toEqual([]);
    const dueMs = world.loop.nextDeadlineMs();
    expect(dueMs - world.now).toBeLessThanOrEqual(300);
    world.now = dueMs;
    world.loop.tick();
    expect(world.transfers).toHaveLength(1);
  });

  test('one thing at a time: no hand-over to whoever holds the head (rule 6) before a start is answered', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.held.add('admin_startSequencer');
    world.lead(2);
    world.run();
    expect(world.loop.hasOrderInFlight).toBe(true);
    world.loop.handTo('b');
    world.run();
    expect(world.transfers).toEqual([]);
    world.release();
    expect(world.loop.active).toBe(true);
    world.loop.handTo('b');
    expect(world.transfers).toEqual([{ target: 'b', exclude: [] }]);
  });

  test('a hand-over that nobody took leaves it the leader: well again, it sequences again', () => {
    const world = leading();
    world.transferResult = false;
    world.loop.verdictChanged(stale);
    world.run();
    expect(world.transfers).toHaveLength(1);
    expect(world.isSequencing).toBe(false);
    world.loop.verdictChanged(healthy);
    world.run();
    expect(world.isSequencing).toBe(true);
  });

  test('a stop that failed is not asked for again before a pause is over', () => {
    const world = leading();
    world.node.stopFailures = 3;
    world.follow(3);
    world.run(900);
    expect(world.takeAsked().filter((method) => method === 'admin_stopSequencer')).toHaveLength(1);
  });

  test('ping-pong: a peer that just lost leadership is not handed it back', () => {
    const world = leading();
    world.peerList = [peerUnknown('b', world.now - 100), peerUnknown('c')];
    world.loop.verdictChanged(stale);
    world.run();
    expect(world.transfers).toEqual([{ target: null, exclude: ['b'] }]);
  });

  test('nobody to hand over to: keeps sequencing and alarms', () => {
    const world = leading();
    world.peerList = [peerUnknown('b', world.now - 100)];
    world.loop.verdictChanged(stale);
    world.run(1000);
    expect(world.isSequencing).toBe(true);
    expect(world.transfers).toHaveLength(0);
    expect(world.counts).toContain('alarms_total no-healthy-peer');
  });

  test('waits-for-ever: a leader elected while unhealthy starts, waits for recovery one unsafe interval and no longer', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.peerList = [peerUnknown('b')];
    world.loop.verdictChanged(stale);
    world.lead(2);
    world.run();
    expect(world.isSequencing).toBe(true);
    world.run(2900);
    world.loop.verdictChanged(stale);
    world.run();
    expect(world.transfers).toHaveLength(0);
    world.run(200);
    world.loop.verdictChanged(stale);
    world.run();
    expect(world.transfers).toHaveLength(1);
    expect(world.isSequencing).toBe(false);
  });

  test.each([
    ['an old head alone has the whole interval', true, peerHealthy('b'), 0],
    ['and so has what else is wrong where nobody is known to be any better', false, peerUnknown('b'), 0],
    ['what else is wrong is waited for five seconds beside a healthy peer', false, peerHealthy('b'), 1],
  ])('where the unsafe interval is ten minutes %s (record 0155)', (_, isOnlyStale, beside, transfers) => {
    const world = new ControlWorld({ unsafeIntervalMs: 600_000 });
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.peerList = [beside];
    world.lead(2);
    world.run(4900);
    const unhealthy = { ...stale, isOnlyStale };
    world.loop.verdictChanged(unhealthy);
    world.run(50);
    expect(world.transfers).toHaveLength(0);
    world.run(100);
    expect(world.transfers).toHaveLength(transfers);
  });

  test.each([
    ['a leader whose node is gone hands over to one that lost leadership ten seconds ago', false, 1],
    ['one that builds, and only lacks something, does not', true, 0],
  ])('where it is ten minutes, and nobody is known to be healthy, %s (record 0155)', (_, nodeAnswers, transfers) => {
    const world = new ControlWorld({ unsafeIntervalMs: 600_000, isActive: true });
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.isSequencing = true;
    world.lead(2);
    world.run(100);
    world.peerList = [peerUnknown('b', world.now)];
    world.run(9500);
    world.loop.verdictChanged({ isHealthy: false, nodeAnswers });
    world.run(300);
    expect(world.transfers).toHaveLength(0);
    world.run(2500);
    expect(world.transfers.length > 0 ? 1 : 0).toBe(transfers);
  });

  test('leadership regained while the stop was failing: sequencing again without a restart of the conductor', () => {
    const world = leading();
    world.node.stopFailures = 1;
    world.follow(3);
    world.run();
    world.lead(4);
    world.run(5000);
    expect(world.isSequencing).toBe(true);
    expect(world.loop.active).toBe(true);
  });
});

describe('pausing', () => {
  test('paused: actions are skipped, what happened meanwhile is acted on at resume', () => {
    const world = new ControlWorld({ isPaused: true });
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.lead(2);
    world.loop.verdictChanged(healthy);
    world.run(5000);
    expect(world.takeAsked()).toEqual([]);
    world.loop.resume(false, world.loop.commandEpoch);
    world.run();
    expect(world.isSequencing).toBe(true);
  });

  test('pausing during catch-up stops it', () => {
    const world = new ControlWorld();
    world.commitThrough(10n);
    world.nodeHead = block(2n);
    world.node.postsDropped = 1000;
    world.lead(2);
    world.run(100);
    world.loop.pause();
    world.node.postsDropped = 0;
    world.takeAsked();
    world.run(3000);
    expect(world.takeAsked()).toEqual([]);
    expect(world.isSequencing).toBe(false);
  });

  test('a sequencer stopped by hand meanwhile is started again at resume', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.lead(2);
    world.run();
    expect(world.isSequencing).toBe(true);
    world.loop.pause();
    world.isSequencing = false;
    world.loop.resume(false, world.loop.commandEpoch);
    world.run();
    expect(world.isSequencing).toBe(true);
  });

  test('a sequencer started by hand meanwhile is left alone at resume', () => {
    const world = new ControlWorld({ isPaused: true });
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.isSequencing = true;
    world.lead(2);
    world.loop.resume(true, world.loop.commandEpoch);
    world.run();
    expect(world.takeAsked()).toEqual(['eth_getBlockByNumber']);
  });
});

describe('what the node says of its sequencer', () => {
  test('a node restarted behind our back is started again', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.lead(2);
    world.run();
    world.isSequencing = false;
    world.loop.observeActive(false, world.loop.commandEpoch);
    world.run();
    expect(world.isSequencing).toBe(true);
  });

  test('an answer from before the latest order is not believed', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    const before = world.loop.commandEpoch;
    world.lead(2);
    world.run();
    world.loop.observeActive(false, before);
    expect(world.loop.active).toBe(true);
  });
});

describe('a leader that was elected while it was paused', () => {
  const unpaused = { isHealthy: true, isPaused: false, headNumber: 5n, headHash: block(5n).hash };
  const rest = { safeNumber: null, l1Number: null, observations: [] };
  const peerKnown = (id: string, known: object) => ({ ...peerUnknown(id), known: { ...unpaused, ...rest, ...known } });
  const paused = { isPaused: true };

  function ledBy(peerList: ControlWorld['peerList'], isActive = false): ControlWorld {
    const world = new ControlWorld({ isPaused: true, isActive });
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.peerList = peerList;
    world.lead(2);
    world.run(3000);
    return world;
  }

  test.each([
    ['to a healthy one that is not', [peerKnown('b', paused), peerKnown('c', {})], 'c'],
    ['to an unhealthy one that is not: under it the chain may go on', [peerKnown('b', { isHealthy: false })], 'b'],
    [
      'to a paused one whose sequencer an operator has started',
      [peerKnown('b', {}), peerKnown('c', { ...paused, isBuilding: true })],
      'c',
    ],
  ])('hands over %s', (_whom, peers, target) => {
    const world = ledBy(peers);
    expect(world.transfers.map((one) => one.target)).toEqual([target]);
    expect(world.takeAsked()).toEqual([]);
  });

  test('hands over to an op-conductor beside which it is the only one of ours, other than the one it was given the lead by', () => {
    const world = ledBy([
      { ...peerUnknown('b', 900), isNative: false, isForeign: true },
      { ...peerUnknown('c'), isNative: false, isForeign: true },
    ]);
    expect(world.transfers).toEqual([{ target: null, exclude: ['b'] }]);
  });

  test('stays where all are paused, where nothing is known of the others, and where its own sequencer was started', () => {
    expect(ledBy([peerKnown('b', paused)]).transfers).toEqual([]);
    expect(ledBy([peerUnknown('b')]).transfers).toEqual([]);
    expect(ledBy([peerKnown('b', {})], true).transfers).toEqual([]);
  });

  test('stays where it founded the cluster: others join while it is paused', () => {
    const world = new ControlWorld({ isPaused: true });
    world.lead(2);
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.peerList = [peerKnown('b', {})];
    world.run(3000);
    expect(world.transfers).toEqual([]);
  });

  test('stays while no log holds a payload, under whomever: the first block is an operator’s to ask for', () => {
    const world = new ControlWorld({ isPaused: true });
    world.peerList = [peerKnown('b', {})];
    world.lead(3);
    world.run(3000);
    expect(world.transfers).toEqual([]);
  });

  test.each([
    ['committed', (world: ControlWorld) => world.commitThrough(5n)],
    ['in its log', (world: ControlWorld) => world.pending.set(5n, block(5n))],
  ])('hands over where it came back as the only voter, with payloads %s, once another has a vote', (_where, hold) => {
    const world = new ControlWorld({ isPaused: true });
    hold(world);
    world.nodeHead = block(5n);
    world.peerList = [{ ...peerKnown('b', {}), isVoter: false }];
    world.lead(3);
    world.run(3000);
    expect(world.transfers).toEqual([]);
    world.commitThrough(5n);
    world.peerList = [peerKnown('b', {})];
    world.run(100);
    expect(world.transfers.map((one) => one.target)).toEqual(['b']);
  });

  test.each([
    ['stays where its sequencer was started by hand, and its node answers', true, 0],
    ['hands over also where that is believed, and its node is gone', false, 1],
  ])('%s', (_, nodeAnswers, transfers) => {
    const world = ledBy([]);
    world.loop.observeActive(true, world.loop.commandEpoch);
    world.run(100);
    world.peerList = [peerKnown('b', {})];
    world.loop.verdictChanged({ isHealthy: false, nodeAnswers });
    world.run(900);
    expect(world.transfers.length > 0 ? 1 : 0).toBe(transfers);
  });

  test('stays where it was resumed and paused again: that, too, is an operator’s wish', () => {
    const world = ledBy([peerKnown('b', paused)]);
    world.loop.resume(false, world.loop.commandEpoch);
    world.run(100);
    world.loop.pause();
    world.loop.observeActive(false, world.loop.commandEpoch);
    world.peerList = [peerKnown('b', {})];
    world.run(3000);
    expect(world.transfers).toEqual([]);
  });

  test('stays where it was paused only later: that is an operator’s wish', () => {
    const world = new ControlWorld();
    world.commitThrough(5n);
    world.nodeHead = block(5n);
    world.peerList = [peerKnown('b', {})];
    world.lead(2);
    world.loop.pause();
    world.run(3000);
    expect(world.transfers).toEqual([]);
  });
});
