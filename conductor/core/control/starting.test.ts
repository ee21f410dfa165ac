/** Where a sequencer is started, and where never: the edges of rules 3, 4, 19 and 20. */
import { describe, expect, test } from 'vitest';
import { block, ControlWorld, type Block } from './testing/world.ts';

const asked = (world: ControlWorld, method: string) => world.asked.filter((request) => request.method === method);

function follower(tip = 5n, options: ConstructorParameters<typeof ControlWorld>[0] = {}): ControlWorld {
  const world = new ControlWorld(options);
  world.commitThrough(tip);
  world.nodeHead = block(tip);
  return world;
}

const peer = {
  id: 'b',
  isVoter: true,
  isNative: true,
  isInContact: true,
  isAgainstTip: false,
  known: null,
  ceasedLeadingAtMs: null,
};

/** A leader whose order to start its sequencer was carried out, and not answered. */
function unanswered(): ControlWorld {
  const world = follower();
  world.held.add('admin_startSequencer');
  world.lead(2);
  world.run();
  world.node.isUp = false;
  world.release();
  return world;
}

/** The status of a healthy peer whose node has this head. */
const on = (head: Block) => ({
  isHealthy: true,
  isPaused: false,
  headNumber: head.number,
  headHash: head.hash,
  safeNumber: null,
  l1Number: null,
  observations: [],
});

describe('a start', () => {
  test.each([
    ['is proved to be given up', true],
    ['is not proved to be', false],
  ])(
    'where L1 moved op-node below its client is made there, with nothing posted, if what is above %s',
    (_, isProved) => {
      const world = follower(7n);
      world.node.clientHead = block(7n);
      world.nodeHead = block(5n);
      for (let number = 1n; number <= 7n; number += 1n) world.node.blocks.set(block(number).hash, block(number));
      world.leftFrom = 6n;
      if (isProved) world.proof = { kind: 'proved', by: 'left', voters: ['a', 'b'], mayReplaceTipOnly: false };
      world.provedFrom = 6n;
      world.lead(2);
      world.run(100);
      const starts = asked(world, 'admin_startSequencer').map(({ params }) => params);
      if (isProved) expect(starts).toEqual([`["${block(5n).hash}"]`]);
      else expect(starts).not.toContain(`["${block(5n).hash}"]`);
      expect(asked(world, 'admin_postUnsafePayload')).toEqual([]);
    },
  );

  test('what L1 took is not given again where the chain may not be moved back: an alarm instead', () => {
    const world = follower(7n, { rollback: 'refuse' });
    world.node.clientHead = block(7n);
    world.nodeHead = block(5n);
    for (let number = 1n; number <= 7n; number += 1n) world.node.blocks.set(block(number).hash, block(number));
    world.leftFrom = world.provedFrom = 6n;
    world.proof = { kind: 'proved', by: 'left', voters: ['a', 'b'], mayReplaceTipOnly: false };
    world.lead(2);
    world.run(8000);
    expect(asked(world, 'admin_postUnsafePayload')).toEqual([]);
    expect(world.isSequencing).toBe(false);
    expect(world.counts).toContain('alarms_total rollback-refused');
    // The reason names the block, and who proves it.
    const told = world.fields[world.logs.findIndex((line) => line.endsWith('the log cannot follow it'))]?.['err'];
    expect(told).toMatch(/^that block 6 \(0x\w+\) is to be given up is proved \(left, by a, b\), but started with/);
  });

  test.each([
    ['another voter’s node speaks against it', true],
    ['nobody does', false],
  ])('of a tip that the node does not take an operator is told if %s', (_, isAgainstTip) => {
    const world = follower();
    world.nodeHead = block(4n);
    world.node.postsDropped = 100_000;
    world.peerList = [{ ...peer, isAgainstTip }];
    world.lead(2);
    world.run(6000);
    expect(world.isSequencing).toBe(false);
    expect(world.counts.includes('alarms_total rollback-refused')).toBe(isAgainstTip);
  });

  test('of an op-node that has no head yet, as one that syncs by its client, tells it of the one that its client has', () => {
    const world = follower();
    world.node.hasNoHead = true;
    world.lead(2);
    world.run(300);
    expect(asked(world, 'admin_postUnsafePayload')).toHaveLength(1);
    expect(world.isSequencing).toBe(true);
  });

  test('of a node that does not look at the hash waits until its own head is that block', () => {
    const world = follower();
    world.node.ignoresHash = true;
    world.nodeHead = block(4n);
    world.node.clientHead = block(5n);
    world.lead(2);
    world.run(200);
    expect(asked(world, 'admin_startSequencer')).toEqual([]);
    world.nodeHead = block(5n);
    world.run(100);
    expect(asked(world, 'admin_startSequencer').map(({ params }) => params)).toEqual([`["${block(5n).hash}"]`]);
    expect(world.isSequencing).toBe(true);
  });

  test('of a client that is being refilled waits for that, however long it takes, and posts nothing meanwhile', () => {
    const world = follower(7n);
    world.hasEngine = true;
    world.node.clientHead = block(3n);
    world.isRefillUnderWay = true;
    world.lead(2);
    world.run(20_000);
    expect(asked(world, 'admin_startSequencer')).toEqual([]);
    expect(asked(world, 'admin_postUnsafePayload')).toEqual([]);
    world.isRefillUnderWay = false;
    world.node.clientHead = block(7n);
    world.run(100);
    expect(asked(world, 'admin_startSequencer').map(({ params }) => params)).toEqual([`["${block(7n).hash}"]`]);
    expect(world.isSequencing).toBe(true);
  });

  test('that a node refuses in other words is tried again within 100 ms, if it was not on that block, or on none', () => {
    for (const head of [block(4n), { ...block(0n), hash: `0x${'00'.repeat(32)}` }]) {
      const world = follower();
      world.node.startErrors = ['Internal error'];
      world.held.add('admin_startSequencer');
      world.lead(2);
      world.run();
      // What it does meanwhile: a reset of its pipeline, or a head that it has lost.
      world.nodeHead = head;
      world.release();
      world.nodeHead = block(5n);
      world.run(100);
      expect(world.isSequencing).toBe(true);
    }
  });

  test('that a node refuses in other words on that very block is tried again later', () => {
    const world = follower();
    world.node.startErrors = ['Internal error'];
    world.lead(2);
    world.run(500);
    expect(asked(world, 'admin_startSequencer')).toHaveLength(1);
  });

  test('one-block-reorg: a node that stopped one block before the last published is started after that', () => {
    const world = follower();
    world.lead(2);
    world.run();
    world.commitThrough(6n);
    world.follow(3);
    world.run(100);
    expect(world.isSequencing).toBe(false);
    world.lead(4);
    world.run(500);
    expect(asked(world, 'admin_startSequencer').at(-1)?.params).toBe(`["${block(6n).hash}"]`);
    expect(world.isSequencing).toBe(true);
  });

  test('two-lost: blocks that were committed and never gossiped come from the log, then it is started', () => {
    const world = follower(9n);
    world.nodeHead = block(4n);
    world.lead(2);
    world.run(500);
    expect(asked(world, 'admin_postUnsafePayload').length).toBeGreaterThanOrEqual(5);
    expect(world.nodeHead).toEqual(block(9n));
    expect(world.isSequencing).toBe(true);
    expect(world.transfers).toEqual([]);
  });

  test('is not made when the log has lost leadership, though the notice has not come yet (rule 19)', () => {
    const world = follower();
    world.held.add('eth_getBlockByNumber');
    world.lead(2);
    world.run();
    world.leaderTerm = null;
    world.release();
    expect(asked(world, 'admin_startSequencer')).toEqual([]);
  });

  test('whose answer never came is not taken for done: the node is asked what it does', () => {
    const world = unanswered();
    expect(world.loop.active).toBeNull();
    world.node.isUp = true;
    world.isSequencing = true;
    world.run(3000);
    expect(asked(world, 'admin_sequencerActive')).toHaveLength(1);
    expect(world.loop.active).toBe(true);
  });

  test.each([
    ['counts as made with the first block: its head is still old, and it keeps leadership', true],
    ['is worth no grace before that', false],
  ])('whose answer never came %s', (_, comesBlock) => {
    const world = unanswered();
    world.node.isUp = true;
    world.isSequencing = true;
    world.run(3000);
    if (comesBlock) world.loop.headGoesOn();
    world.peerList = [{ ...peer, known: on(block(5n)) }];
    world.loop.verdictChanged({ isHealthy: false, nodeAnswers: true, isOnlyStale: true, headNumber: 5n });
    world.run(1000);
    expect(world.transfers).toHaveLength(comesBlock ? 0 : 1);
  });

  test('of a node that has come back from another branch since is made in the next leadership, whoever else could lead', () => {
    const world = follower();
    world.nodeHead = block(4n, 1, 4n);
    world.peerList = [peer];
    world.lead(2);
    world.run(1000);
    expect(world.transfers).toHaveLength(1);
    world.follow(3);
    world.nodeHead = block(5n);
    world.lead(4);
    world.run(1000);
    expect(world.isSequencing).toBe(true);
    expect(world.transfers).toHaveLength(1);
  });

  test('that its node refuses for good, as at another block than its head, is not tried for ever: the lead goes on', () => {
    const world = follower();
    world.node.startErrors = Array.from({ length: 10_000 }, () => 'block hash does not match');
    world.peerList = [peer];
    world.lead(2);
    world.run(10_000);
    expect(world.transfers.length).toBeGreaterThan(0);
  });

  test.each([
    ['goes to another server', [peer], 1],
    ['stays where there is none, and the start is tried', [], 0],
  ])('where the client executes nothing before it has synced or was restarted the lead %s', (_, peers, transfers) => {
    const world = follower();
    world.isSyncNeeded = true;
    world.peerList = peers;
    world.lead(2);
    world.run(1000);
    expect(world.transfers).toHaveLength(transfers);
    expect(asked(world, 'admin_startSequencer')).toHaveLength(1 - transfers);
  });

  test.each([
    ['clients are proved to refuse is made at once where the own one refuses it, too', 'invalid', true, 1],
    ['the own client has not spoken of waits for it as long as ever', 'invalid', false, 0],
    ['nodes have left for L1 is not hurried by a proof', 'left', true, 0],
  ] as const)('below a block that %s', (_, by, refuses, starts) => {
    const world = follower(7n);
    world.nodeHead = block(4n);
    world.node.postsDropped = 100_000;
    world.refusedByClient = refuses ? block(5n).hash : '';
    world.proof = { kind: 'proved', by, voters: ['b', 'c'], mayReplaceTipOnly: false };
    world.provedFrom = 5n;
    world.lead(2);
    world.run(500);
    expect(asked(world, 'admin_startSequencer')).toHaveLength(starts);
  });

  test.each([
    ['to a server of this software', {}, 1],
    ['to no op-conductor, whose state has that block still', { isNative: false, isForeign: true }, 0],
  ])('where the tip is given up the lead of who cannot be started goes %s', (_, change, transfers) => {
    const world = follower();
    world.nodeHead = block(4n);
    world.node.postsDropped = 100_000;
    world.node.startErrors = Array.from({ length: 1000 }, () => 'engine is busy');
    world.proof = { kind: 'proved', by: 'invalid', voters: ['a', 'b'], mayReplaceTipOnly: false };
    world.provedFrom = 5n;
    world.peerList = [{ ...peer, isAgainstTip: true, ...change }];
    world.lead(2);
    world.run(10_000);
    expect(world.transfers.slice(0, 1)).toHaveLength(transfers);
  });

  test.each([
    ['at once', 0],
    ['after leadership could not be confirmed at first', 1500],
  ])('of the first block is the operator’s to ask for: leadership stays where that is said, %s', (_, unsureMs) => {
    const world = new ControlWorld();
    world.peerList = [peer];
    world.readResult = unsureMs === 0;
    world.lead(2);
    world.run(unsureMs);
    world.readResult = true;
    world.run(30_000);
    expect(world.transfers).toEqual([]);
    expect(world.loop.startTrouble).toBe('none');
    const text = String(world.fields.findLast(({ err }) => err !== undefined)?.['err']);
    expect(text).toContain('Start the sequencer of this server by hand once');
  });

  test('one that could not confirm its leadership for five seconds hands it on at once', () => {
    const world = follower();
    world.peerList = [peer];
    world.readResult = false;
    world.held.add('read');
    world.lead(2);
    world.run(5000);
    expect(world.transfers).toEqual([]);
    world.release();
    world.run(1500);
    expect(world.transfers).toHaveLength(1);
  });

  test('of a node beyond the tip on another branch is not made (rule 4)', () => {
    const world = follower();
    for (let number = 5n; number <= 9n; number += 1n) {
      const other = block(number, 1, 5n);
      world.node.blocks.set(other.hash, other);
    }
    world.nodeHead = block(9n, 1, 5n);
    world.lead(2);
    world.run(3000);
    expect(world.isSequencing).toBe(false);
    expect(world.counts).toContain('alarms_total other-branch');
  });

  test('of a node beyond the tip whose parents cannot be read is not made (rule 4)', () => {
    const world = follower();
    world.nodeHead = block(9n);
    world.lead(2);
    world.run(3000);
    expect(world.isSequencing).toBe(false);
  });
});

describe('a node that is too far beyond the committed head to be asked for every parent (rule 4)', () => {
  const far = 4200n;

  function leading(trustedHash: string | null): ControlWorld {
    const world = new ControlWorld({ trustedHash });
    world.commitThrough(5n);
    world.nodeHead = block(far);
    for (let number = 0n; number <= far; number += 1n) world.node.blocks.set(block(number).hash, block(number));
    world.lead(2);
    world.run(100);
    return world;
  }

  test('is not started, and the line names the flag with the hash that helps', () => {
    const world = leading(null);
    expect(world.isSequencing).toBe(false);
    const at = world.logs.indexOf('error failed to start sequencer');
    expect(world.fields[at]?.['err']).toContain(`--consensus.allow-gap=${block(far).hash}`);
  });

  test.each([
    ['with its head', far, true],
    ['with a block that it has built on', far - 3n, true],
    ['not with the committed head, which it does not come to', 5n, false],
  ])('is started %s on the word of an operator', (_, trusted, isStarted) => {
    expect(leading(block(trusted).hash).isSequencing).toBe(isStarted);
  });
});

describe('a node on another branch (rule 20)', () => {
  test('is an alarm with both hashes, and leadership goes as soon as peers have been heard', () => {
    const world = follower();
    world.nodeHead = block(5n, 1, 5n);
    world.peerList = [peer];
    world.lead(2);
    world.run(100);
    world.loop.verdictChanged({ isHealthy: true, nodeAnswers: true });
    world.run(100);
    // Nothing is known of that peer: it is given a moment to tell of itself.
    expect(world.transfers).toHaveLength(0);
    world.run(100);
    expect(world.transfers).toHaveLength(1);
    const at = world.logs.findIndex((line) => line.startsWith('error the node is on another branch'));
    expect(world.fields[at]).toMatchObject({ committed: block(5n).hash, node: block(5n, 1, 5n).hash });
  });

  test('tells peers at once that it could not be started', () => {
    const world = follower();
    world.nodeHead = block(5n, 1, 5n);
    world.lead(2);
    world.run(100);
    expect(world.told.at(-1)).toBe('unfit');
  });

  test.each([
    ['where this one could not be started', block(5n, 1, 5n), false],
    ['on a block that was rolled back', block(9n, 1), true],
  ])('hands leadership to one on the chain before one that stands %s', (_, head, isNonCanonical) => {
    const world = follower();
    world.nodeHead = block(5n, 1, 5n);
    world.peerList = [
      { ...peer, known: on(head), isNonCanonical },
      { ...peer, id: 'c', known: on(block(5n)) },
    ];
    world.lead(2);
    world.run(100);
    world.loop.verdictChanged({ isHealthy: true, nodeAnswers: true });
    world.run(300);
    expect(world.transfers.map(({ target }) => target)).toEqual(['c']);
  });
});

describe('rule 3, over and over', () => {
  /** A leader of term 2 that has tried to bring its node to block 9, which dropped everything posted. */
  function triedInVain(): ReturnType<typeof follower> {
    const world = follower();
    world.lead(2);
    world.run();
    world.commitThrough(9n);
    world.node.postsDropped = 100_000;
    world.loop.nodeIsOff();
    world.run(6000);
    return world;
  }

  test('a node is looked at first: one that has left the chain is not led back onto it', () => {
    const world = follower();
    world.lead(2);
    world.run();
    world.commitThrough(9n);
    world.lookMs = 30;
    world.seen = { reason: 'it has left the block', kind: 'left' };
    world.loop.nodeIsOff();
    world.run(25);
    expect(asked(world, 'admin_postUnsafePayload')).toEqual([]);
    world.run(3000);
    expect(asked(world, 'admin_postUnsafePayload')).toEqual([]);
    expect(world.logs).toContain('error the node does not take the committed payloads');
  });

  test('and one that does not say within half a second is given the chain', () => {
    const world = follower();
    world.lead(2);
    world.run();
    world.commitThrough(9n);
    world.lookMs = Infinity;
    world.loop.nodeIsOff();
    world.run(450);
    expect(asked(world, 'admin_postUnsafePayload')).toEqual([]);
    world.run(150);
    expect(world.nodeHead.number).toBe(9n);
  });

  test('a start gives an op-node that tells of the same head what it left once a second, not each time that it looks', () => {
    const world = new ControlWorld();
    world.commitThrough(7n);
    world.nodeHead = block(5n);
    world.node.clientHead = block(7n);
    for (let number = 1n; number <= 7n; number += 1n) world.node.blocks.set(block(number).hash, block(number));
    world.node.postsDropped = Infinity;
    world.lead(2);
    world.run(2500);
    const posts = asked(world, 'admin_postUnsafePayload').length;
    expect(posts).toBeGreaterThan(2);
    expect(posts).toBeLessThanOrEqual(2 * 3);
  });

  describe('op-node that has gone back without its client, which stands on the tip,', () => {
    /** It is on block 5, its client on block 7. */
    function wentBack(isActive = false): ControlWorld {
      const world = isActive ? new ControlWorld({ isActive }) : new ControlWorld();
      world.commitThrough(5n);
      world.nodeHead = block(5n);
      world.isSequencing = isActive;
      if (!isActive) world.lead(2);
      world.run();
      world.commitThrough(7n);
      world.node.clientHead = block(7n);
      for (let number = 1n; number <= 7n; number += 1n) world.node.blocks.set(block(number).hash, block(number));
      return world;
    }

    test('is given what it left, so that it is seen whether it leaves that again', () => {
      const world = wentBack();
      const beganAtMs = world.now;
      world.loop.nodeIsOff();
      world.run(100);
      expect(world.nodeHead).toEqual(block(7n));
      expect(asked(world, 'admin_postUnsafePayload')).toHaveLength(2);
      expect(world.lookedAtMs()).toBeGreaterThan(beganAtMs);
      expect(world.logs).toContain('info brought the node back to the committed chain');
    });

    test('is given that once, and is alarmed about where it does not take it within two block times', () => {
      const world = wentBack();
      world.node.postsDropped = 100;
      world.loop.nodeIsOff();
      world.run(1900);
      expect(world.logs).not.toContain('error the node does not take the committed payloads');
      world.run(200);
      expect(world.logs).toContain('error the node does not take the committed payloads');
      expect(asked(world, 'admin_postUnsafePayload')).toHaveLength(2);
    });

    test('is given nothing that it is known to have left for L1’s sake', () => {
      const world = wentBack();
      world.ownRefusal = { reason: 'it has left the block', kind: 'left' };
      world.loop.nodeIsOff();
      world.run(3000);
      expect(asked(world, 'admin_postUnsafePayload')).toEqual([]);
      expect(world.logs.join()).not.toMatch(/committed (payloads|chain)/);
    });

    test('may only be late to tell where nothing of it was refused, and keeps its job then', () => {
      const world = wentBack(true);
      world.lead(3);
      world.run(3000);
      expect(world.isSequencing).toBe(true);
      expect(asked(world, 'admin_postUnsafePayload')).toEqual([]);
    });
  });

  test('a new leadership tries anew for the same head', () => {
    const world = triedInVain();
    expect(world.loop.wasBroughtTo(block(9n).hash)).toBe(true);
    expect(world.counts).toContain('alarms_total node-off');
    world.follow(3);
    world.run(100);
    expect(world.loop.wasBroughtTo(block(9n).hash)).toBe(false);
  });

  test('in one leadership there is one attempt per head, however often the node offers another block', () => {
    const world = triedInVain();
    const posts = asked(world, 'admin_postUnsafePayload').length;
    for (let each = 0; each < 5; each += 1) {
      world.loop.nodeIsOff();
      world.run(2000);
    }
    expect(asked(world, 'admin_postUnsafePayload')).toHaveLength(posts);
  });
});
