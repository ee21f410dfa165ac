import { describe, expect, it } from 'vitest';
import { block } from '../control/testing/world.ts';
import { ObservedNode } from './testing/observed-node.ts';

/** The tip is committed and the node stands on its parent. */
function withoutTip(): ObservedNode {
  const node = new ObservedNode();
  node.tip = block(6n);
  return node;
}

/** Blocks from 6 up to `end` are committed, one a second. */
function blocksCome(node: ObservedNode, end: bigint, each: () => void = () => undefined): void {
  for (let height = 6n; height < end; height += 1n) {
    node.tip = block(height);
    node.run(1000);
    each();
  }
}

describe('what the own node shows about the committed tip (rule 6)', () => {
  it('a tip that the client has is held; one look a commit is enough while blocks come', () => {
    const node = new ObservedNode();
    for (let height = 6n; height < 16n; height += 1n) {
      node.run(1000);
      node.tip = node.head = block(height);
    }
    node.run(200);
    expect(node.kinds(node.tip)).toEqual(['holds']);
    expect(node.asked.length).toBeLessThanOrEqual(11 * 3);
    expect(node.asked).not.toContain('admin_postUnsafePayload');
  });

  it.each([
    ['is reset and tells of no head', (node: ObservedNode) => void (node.isResetting = true)],
    ['answers nothing', (node: ObservedNode) => void (node.isNodeSilent = true)],
  ])('what the client has it holds while op-node %s, if it has executed it', (_, change) => {
    const node = new ObservedNode();
    node.tip = node.head = block(6n);
    node.run(1000);
    change(node);
    for (let seconds = 0; seconds < 5; seconds += 1) {
      node.run(1000);
      expect(node.kinds(node.tip)).toEqual(['holds']);
    }
    // Killed, and back without the state of what it still has by hash.
    node.clientHead = block(3n);
    node.held.add(node.tip.hash);
    node.run(3000);
    expect(node.kinds(node.tip)).toEqual([]);
  });

  it('a tip that is given, and not there two block times later, is not taken', () => {
    const node = withoutTip();
    node.run(1900);
    expect(node.asked).toContain('admin_postUnsafePayload');
    expect(node.kinds(node.tip)).toEqual([]);
    node.run(700);
    expect(node.kinds(node.tip)).toEqual(['notTaken']);
  });

  it('nor of a node that was given it far below, and has come to its parent, before two more have gone by', () => {
    const node = withoutTip();
    node.head = block(4n);
    node.run(4000);
    expect(node.asked).toContain('admin_postUnsafePayload');
    node.head = block(5n);
    node.run(1500);
    expect(node.kinds(node.tip)).toEqual([]);
    node.run(2000);
    expect(node.kinds(node.tip)).toEqual(['notTaken']);
  });

  it.each([
    ['its client is syncing', (node: ObservedNode) => void (node.isSyncing = true)],
    ['its driver loop does not turn', (node: ObservedNode) => void (node.isDriverBusy = true)],
    ['it cannot be given: this conductor is stopped', (node: ObservedNode) => void (node.mayPost = false)],
    ['it could not be reached to be given it', (node: ObservedNode) => void (node.refusesPosts = true)],
    ['it takes the block', (node: ObservedNode) => void (node.takesPosts = true)],
    ['it stands lower than the parent', (node: ObservedNode) => void (node.head = block(4n))],
    [
      'it stands on a sibling of the tip',
      (node: ObservedNode) => {
        node.head = block(6n, 1, 6n);
        node.forkAt = 6n;
      },
    ],
    ['the client has the block, though not as its head', (node: ObservedNode) => void node.held.add(block(6n).hash)],
  ])('that is not said where %s', (_, change) => {
    const node = withoutTip();
    change(node);
    node.run(20_000);
    expect(node.kinds(node.tip)).not.toContain('notTaken');
    expect(node.kinds(node.tip)).not.toContain('left');
  });

  describe('of a client that may have been killed with its conductor', () => {
    function isBack(): ObservedNode {
      const node = new ObservedNode(1000, { isNew: true });
      node.tip = block(6n);
      node.hasStateOfHead = true;
      return node;
    }

    it('that is said while it has the state of the parent, and so could have taken it', () => {
      const node = isBack();
      node.run(1900);
      expect(node.kinds(node.tip)).toEqual([]);
      node.run(1000);
      expect(node.kinds(node.tip)).toEqual(['notTaken']);
    });

    it('and not while it has not', () => {
      const node = isBack();
      node.hasStateOfHead = false;
      node.run(20_000);
      expect(node.kinds(node.tip)).toEqual([]);
    });

    it('nor where it stands beside the parent, or above it', () => {
      const node = isBack();
      node.forkAt = 6n;
      node.clientHead = block(6n, 1);
      node.run(20_000);
      expect(node.kinds(node.tip)).not.toContain('notTaken');
    });

    it('nor of a block under what is to follow', () => {
      const node = isBack();
      node.tip = block(7n);
      node.run(20_000);
      expect(node.kinds(block(6n))).toEqual([]);
    });
  });

  it('a process that was away begins anew: what it was given before is forgotten', () => {
    const node = withoutTip();
    node.run(1900);
    node.failsAs = 'timeout';
    node.isUp = false;
    node.run(300);
    node.isUp = true;
    node.run(1500);
    expect(node.kinds(node.tip)).toEqual([]);
  });

  it('a large block is given when the node has had half a block time for what came by gossip', () => {
    const node = withoutTip();
    node.sizeBytes = 1024 * 1024;
    node.run(450);
    expect(node.asked).not.toContain('admin_postUnsafePayload');
    node.run(400);
    expect(node.asked).toContain('admin_postUnsafePayload');
  });

  it('a node that takes none of many blocks is given them every five seconds, and no more than 8 MiB at once', () => {
    const node = new ObservedNode();
    node.sizeBytes = 1024 * 1024;
    node.tip = block(40n);
    for (let second = 0; second < 10; second += 1) {
      node.run(1000);
      node.tip = block(node.tip.number + 1n);
    }
    const posts = node.asked.filter((method) => method === 'admin_postUnsafePayload').length;
    expect(posts).toBeGreaterThanOrEqual(8);
    expect(posts).toBeLessThanOrEqual(3 * 8);
  });

  it.each([
    ['op-node, whose driver loop does not turn', true, { stuck: 0, heldUp: 1 }],
    ['the client', false, { stuck: 1, heldUp: 0 }],
  ])('where nothing is taken for long, what is called sick is %s', (_what, isDriverBusy, said) => {
    const node = new ObservedNode();
    node.tip = block(40n);
    node.isDriverBusy = isDriverBusy;
    node.run(9500);
    expect(node).toMatchObject({ stuck: 0, heldUp: 0 });
    node.run(10_000);
    expect(node).toMatchObject(said);
  });

  it('a client is not called sick that was well again by the end of a look in which it executed what it was given', () => {
    const node = new ObservedNode(1000, { hasEngine: true });
    node.tip = block(40n);
    node.verdict = 'ACCEPTED';
    node.run(5000);
    node.verdict = 'VALID';
    node.isExecuting = true;
    node.run(7000);
    node.executed(block(6n));
    node.run(3000);
    expect(node).toMatchObject({ stuck: 0, heldUp: 0 });
  });

  it('a client is called sick in time though its op-node is busy now and then, and not where that was held up before', () => {
    const sick = (busyMs: number): ObservedNode => {
      const node = new ObservedNode();
      node.tip = block(40n);
      for (let second = 0; second < 12; second += 2) {
        node.isDriverBusy = true;
        node.run(busyMs);
        node.isDriverBusy = false;
        node.run(2000 - busyMs);
      }
      return node;
    };
    expect(sick(100)).toMatchObject({ stuck: 1, heldUp: 0 });
    expect(sick(1900).stuck).toBe(0);
  });

  it('where the next block is overdue, op-node is asked whether its driver loop turns, and peers hear of it at once', () => {
    const node = new ObservedNode(1000, { isNew: true });
    const asks = (): number => node.asked.filter((method) => method === 'optimism_outputAtBlock').length;
    node.isDriverBusy = true;
    node.run(1200);
    expect([asks(), node.observer.word.isHeldUp]).toEqual([0, false]);
    const { changes } = node;
    node.run(400);
    expect([node.observer.word.isHeldUp, node.changes]).toEqual([true, changes + 1]);
    node.isDriverBusy = false;
    node.run(400);
    expect([node.observer.word.isHeldUp, node.changes]).toEqual([false, changes + 2]);
    node.tip = node.head = block(6n);
    node.run(5);
    const before = asks();
    node.run(1200);
    expect(asks()).toBe(before);
  });

  it('held-up-loop: where blocks come and the node stays below them, peers hear of it, too', () => {
    const node = new ObservedNode();
    node.isDriverBusy = true;
    blocksCome(node, 10n);
    expect(node.observer.word.isHeldUp).toBe(true);
    node.isDriverBusy = false;
    node.head = node.tip;
    node.run(1000);
    expect(node.observer.word.isHeldUp).toBe(false);
  });

  it('held-up-loop: what the own sequencer has built is not given to its op-node once more', () => {
    const posts = (builds: boolean): number => {
      const node = new ObservedNode();
      node.leads = node.builds = builds;
      node.tip = node.clientHead = block(6n);
      node.run(1500);
      return node.asked.filter((method) => method === 'admin_postUnsafePayload').length;
    };
    expect(posts(true)).toBe(0);
    expect(posts(false)).toBeGreaterThan(0);
  });

  it('one that was held up is asked on while blocks come from elsewhere, until it is not', () => {
    const node = new ObservedNode();
    node.isDriverBusy = true;
    node.run(2000);
    blocksCome(node, 10n, () => expect(node.observer.word.isHeldUp).toBe(true));
    node.isDriverBusy = false;
    node.head = node.tip;
    node.run(300);
    expect(node.observer.word.isHeldUp).toBe(false);
  });

  describe('a client below its op-node', () => {
    const resets = ({ asked }: ObservedNode): number =>
      asked.filter((method) => method === 'admin_resetDerivationPipeline').length;
    /** op-node tells of the tip, which it has had executed. */
    function below(change: (node: ObservedNode) => void, hasEngine = false): ObservedNode {
      const node = new ObservedNode(1000, { hasEngine });
      node.tip = node.head = block(6n);
      node.clientHead = block(5n);
      change(node);
      return node;
    }
    const notByHash = ({ lost }: ObservedNode): void => void lost.add(block(6n).hash);
    const building = (node: ObservedNode): void => void (node.leads = node.builds = true);

    it.each<[string, boolean, (node: ObservedNode) => unknown]>([
      ['has the block', false, () => undefined],
      ['has the block, and does not say what it is worth', true, (node) => (node.engineFailsAs = 'unauthorized')],
      ['tells by its hash of what is on its chain alone', true, notByHash],
      ['is too busy to say whether it has the block', true, (node) => (node.engineFailsAs = 'timeout')],
      [
        'does not tell of a block that the own sequencer built',
        false,
        (node) => [notByHash, building].map((to) => to(node)),
      ],
    ])('that %s has not lost it: it is only slow to make it its head', (_, hasEngine, change) => {
      const node = below(change, hasEngine);
      node.run(9000);
      expect(resets(node)).toBe(0);
      node.run(3000);
      expect(resets(node)).toBe(1);
    });

    it.each([null, 'timeout'] as const)('is asked once whether it has the block: %s', (engineFailsAs) => {
      const node = below((one) => void (one.engineFailsAs = engineFailsAs), true);
      node.run(9000);
      expect(node.asked.filter((method) => method.startsWith('engine_'))).toHaveLength(1);
    });

    it.each<[string, boolean, (node: ObservedNode) => unknown]>([
      ['does not have the block', false, notByHash],
      ['executes none before it has synced', true, (node) => (node.verdict = 'SYNCING')],
      ['has lost what the block stands on', true, (node) => (node.verdict = 'ACCEPTED')],
      ['calls the block invalid', true, (node) => (node.verdict = 'INVALID')],
      ['is further down', true, (node) => (node.clientHead = block(4n))],
    ])('that %s has lost its head, and op-node is made to look', (_, hasEngine, change) => {
      const node = below(change, hasEngine);
      node.builds = hasEngine;
      node.run(1500);
      expect(resets(node)).toBe(1);
    });

    it('that has the block, and stood on it before, was killed unseen, and is not waited for', () => {
      const node = below((one) => void (one.clientHead = block(6n)));
      node.run(500);
      node.clientHead = block(5n);
      node.run(3000);
      expect(resets(node)).toBe(1);
    });

    it('that was killed may have blocks that it cannot stand on, and is not waited for', () => {
      const node = below(building);
      node.isClientGone = true;
      node.run(500);
      node.isClientGone = false;
      node.run(1500);
      expect(resets(node)).toBe(1);
    });

    it('that does not answer for a hash that it does not know is seen all the same', () => {
      const node = below((one) => {
        one.asksForUnknownHashes = true;
        one.clientHead = block(3n);
        for (const number of [4n, 5n, 6n]) one.lost.add(block(number).hash);
      });
      node.run(1500);
      expect([resets(node), node.asked.includes('admin_postUnsafePayload')]).toEqual([1, true]);
      expect(node.observer.word.client).toEqual({ number: 3n, hash: block(3n).hash });
    });

    it('is left alone while an operator has paused this conductor', () => {
      const node = below(notByHash);
      node.isPaused = true;
      node.run(5000);
      expect(resets(node)).toBe(0);
      node.isPaused = false;
      node.run(1000);
      expect(resets(node)).toBe(1);
      expect(node.stuck).toBe(0);
    });

    it('is left alone where an operator pauses this conductor while the client is asked whether it syncs', () => {
      const node = below(({ lost }) => void lost.add(block(6n).hash));
      node.pausesWith = 'eth_syncing';
      node.run(5000);
      expect([node.isPaused, resets(node)]).toEqual([true, 0]);
      node.pausesWith = '';
      node.isPaused = false;
      node.run(1000);
      expect(resets(node)).toBe(1);
    });

    it('and is not called sick for what nothing was done about', () => {
      const node = below(notByHash);
      node.isPaused = true;
      node.run(12_000);
      expect(node).toMatchObject({ stuck: 1, isLeftAlone: true });
    });

    it('is not waited for with more than one order, where the driver loop does not turn: op-node carries all of them out', () => {
      const node = below(notByHash);
      node.isDriverBusy = true;
      node.run(10_000);
      expect(resets(node)).toBe(1);
      node.isDriverBusy = false;
      node.run(1000);
      expect(resets(node)).toBe(2);
    });
  });

  it('a client is given its time anew once the driver loop turns again', () => {
    const node = new ObservedNode();
    node.tip = block(40n);
    node.isDriverBusy = true;
    node.run(15_000);
    node.isDriverBusy = false;
    node.run(8000);
    expect(node).toMatchObject({ stuck: 0, heldUp: 1 });
  });

  it('a node that moves through what it was given is not given it again, until it stands', () => {
    const node = new ObservedNode();
    const posts = (): number => node.asked.filter((method) => method === 'admin_postUnsafePayload').length;
    node.tip = block(40n);
    node.run(300);
    expect(posts()).toBe(35);
    node.head = block(10n);
    node.run(300);
    node.head = block(20n);
    node.tip = block(41n);
    node.run(300);
    expect(posts()).toBe(36);
    node.run(6000);
    expect(posts()).toBe(36 + 21);
  });

  it('a node that falls back is given again at once what it had inserted', () => {
    const node = new ObservedNode();
    node.tip = block(40n);
    node.run(300);
    node.head = block(10n);
    node.run(300);
    node.asked.length = 0;
    node.head = block(5n);
    node.run(600);
    expect(node.asked.filter((method) => method === 'admin_postUnsafePayload')).toHaveLength(35);
  });

  it('what it was given of a chain that the log has left since is not what it has', () => {
    const node = new ObservedNode();
    node.tip = block(40n);
    node.run(300);
    node.asked.length = 0;
    node.head = block(10n);
    node.logForkAt = 21n;
    node.tip = block(39n, 2, 21n);
    node.run(400);
    expect(node.asked.filter((method) => method === 'admin_postUnsafePayload')).toHaveLength(29);
  });

  it('a block that the client lists as refused twice, a second apart, is invalid', () => {
    const node = withoutTip();
    node.refused.add(node.tip.hash);
    node.run(900);
    expect(node.kinds(node.tip)).not.toContain('invalid');
    node.run(600);
    expect(node.kinds(node.tip)).toContain('invalid');
  });

  it('a sick client that stands elsewhere refuses what it likes: nothing is invalid', () => {
    const sibling = withoutTip();
    sibling.head = block(6n, 1, 6n);
    sibling.forkAt = 6n;
    const genesis = withoutTip();
    genesis.head = block(0n);
    for (const node of [sibling, genesis]) {
      node.refused.add(node.tip.hash);
      node.run(10_000);
      expect(node.kinds(node.tip)).toEqual([]);
    }
  });

  it('a client that does not serve its list says nothing, and is asked no more than once a second', () => {
    const node = withoutTip();
    node.servesDebug = false;
    node.run(1000);
    expect(node.kinds(node.tip)).toEqual([]);
  });

  describe('without that list, where the engine API is configured', () => {
    function refusing(verdict = 'INVALID'): ObservedNode {
      const node = new ObservedNode(1000, { hasEngine: true });
      node.servesDebug = false;
      node.tip = block(6n);
      node.verdict = verdict;
      return node;
    }

    it('a tip that it calls INVALID is invalid when it does so a second later, too', () => {
      const node = refusing();
      node.run(1000);
      expect(node.kinds(node.tip)).toEqual([]);
      node.run(600);
      expect(node.kinds(node.tip)).toEqual(['invalid']);
    });

    it('not of a client that was below the tip when this conductor looked first: it may have been killed with it', () => {
      const node = new ObservedNode(1000, { hasEngine: true, isNew: true });
      node.tip = block(6n);
      node.verdict = 'INVALID';
      node.run(5000);
      expect(node.kinds(node.tip)).toEqual([]);
      expect(node.observer.word.refuses).toMatchObject({ number: 6n, isAgain: false });
      node.verdict = 'VALID';
      node.head = node.tip = block(7n);
      node.run(500);
      node.tip = block(8n);
      node.verdict = 'INVALID';
      node.run(3000);
      expect(node.kinds(node.tip)).toContain('invalid');
    });

    it('nor of one that was on the tip, where it was not known yet how much of the log is committed', () => {
      const node = new ObservedNode(1000, { hasEngine: true, isNew: true });
      node.logEnd = 6n;
      node.run(500);
      node.tip = block(6n);
      node.verdict = 'INVALID';
      node.run(5000);
      expect(node.kinds(node.tip)).toEqual([]);
    });

    it('and stays so while the leader builds on it: its client may be sick, or right', () => {
      const node = refusing();
      blocksCome(node, 20n);
      expect(node.kinds(block(6n))).toEqual(['invalid']);
      expect(node).toMatchObject({ stuck: 1, refusesNext: true });
    });

    it('not of a block below one that it had', () => {
      const node = refusing();
      node.tip = node.head = block(9n);
      node.run(500);
      node.head = block(5n);
      node.tip = block(10n);
      node.run(3000);
      expect(node.kinds(block(6n))).not.toContain('invalid');
    });

    it('not where it thinks better of it, or was away in between', () => {
      const node = refusing();
      node.run(900);
      node.verdict = 'VALID';
      node.run(8000);
      expect(node.kinds(node.tip)).not.toContain('invalid');
      const away = refusing();
      away.run(900);
      away.isUp = false;
      away.run(400);
      away.isUp = true;
      away.run(900);
      expect(away.kinds(away.tip)).not.toContain('invalid');
    });

    it.each(['SYNCING', 'ACCEPTED'])('%s is no word about it', (verdict) => {
      const node = refusing(verdict);
      node.run(6000);
      expect(node.kinds(node.tip)).not.toContain('invalid');
    });

    it('who refuses the tip itself is not called sick', () => {
      const node = refusing();
      node.run(30_000);
      expect(node.stuck).toBe(0);
    });
  });

  it('a head that was on the tip and is below it, while the client has the block, has left it', () => {
    const node = new ObservedNode();
    node.run(500);
    node.head = block(3n);
    node.held.add(block(4n).hash);
    node.held.add(block(5n).hash);
    node.run(1500);
    expect(node.kinds(block(4n))).toEqual(['left']);
    expect(node.kinds(block(5n))).toEqual(['holds']);
  });

  it('also where a look falls between the move of its client and its own', () => {
    const node = new ObservedNode();
    node.run(1600);
    node.clientHead = block(3n);
    node.held.add(block(4n).hash);
    node.held.add(block(5n).hash);
    node.run(400);
    node.head = block(3n);
    node.clientHead = null;
    node.run(1500);
    expect(node.kinds(block(4n))).toEqual(['left']);
  });

  it('a node that its own queue has taken to a chain that was given up has left nothing for the sake of L1', () => {
    const node = new ObservedNode();
    node.run(1600);
    const dead = block(8n, 2, 4n);
    node.givenUp.add(dead.hash);
    node.clientHead = dead;
    node.head = block(3n);
    node.held.add(block(4n).hash);
    node.held.add(block(5n).hash);
    node.run(1500);
    expect(node.kinds(block(4n))).not.toContain('left');
  });

  describe('once the log has given up the block that the node stands on', () => {
    const resets = ({ asked }: ObservedNode): number =>
      asked.filter((method) => method === 'admin_resetDerivationPipeline').length;

    function abandoned(): ObservedNode {
      const node = new ObservedNode();
      node.takesPosts = true;
      node.run(500);
      node.logForkAt = 5n;
      node.tip = block(5n, 2, 5n);
      return node;
    }

    it('op-node is made to look, and is given what follows', () => {
      const node = abandoned();
      node.headOnceReset = block(4n);
      node.run(500);
      expect(resets(node)).toBe(1);
      expect(node.asked).toContain('admin_postUnsafePayload');
    });

    it('and again where its driver loop was too busy to take the order', () => {
      const led = new ObservedNode();
      led.run(500);
      led.leftByLeader = block(4n);
      for (const node of [abandoned(), led]) {
        node.headOnceReset = block(3n);
        node.isDriverBusy = true;
        node.run(2000);
        expect(node.head).not.toEqual(block(3n));
        node.isDriverBusy = false;
        node.takesPosts = false;
        node.run(1000);
        expect(node.head).toEqual(block(3n));
      }
    });

    it('but not while this conductor is paused or stopped: node and client are the operator’s', () => {
      const led = new ObservedNode();
      led.run(500);
      led.leftByLeader = block(4n);
      for (const node of [abandoned(), led]) {
        node.mayPost = false;
        node.run(3000);
        expect(resets(node)).toBe(0);
        node.mayPost = true;
        node.run(1000);
        expect(resets(node)).toBe(1);
      }
    });

    it('once, where its own L1 client knows no better', () => {
      const node = abandoned();
      node.run(3_600_000);
      expect(resets(node)).toBe(1);
    });

    it('so it is once for each block that the leader’s node has left, and says at once whether it leaves, too', () => {
      const node = new ObservedNode();
      node.run(500);
      node.leftByLeader = block(4n);
      node.headOnceReset = block(3n);
      for (const height of [4n, 5n]) node.held.add(block(height).hash);
      node.run(300);
      expect(resets(node)).toBe(1);
      expect(node.kinds(block(4n))).toEqual(['left']);
      node.run(3000);
      expect(resets(node)).toBe(1);
    });

    it('those who are not first to follow do so when the first do not', () => {
      const node = new ObservedNode();
      node.isFirstFollower = false;
      node.run(500);
      node.leftByLeader = block(4n);
      node.run(2400);
      expect(resets(node)).toBe(0);
      node.run(500);
      expect(resets(node)).toBe(1);
    });

    it('but at once where its own L1 client, or L1, has another block in place of the origin', () => {
      const [origin, other] = [`0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`];
      for (const [headL1, l1, asks, count] of [
        [{ number: 1, hash: other }, null, false, 1],
        [{ number: 1, hash: origin }, null, false, 0],
        [{ number: 2, hash: other }, null, false, 0],
        [{ number: 2, hash: other }, other, true, 1],
        [{ number: 2, hash: other }, origin, true, 0],
        [{ number: 2, hash: other }, null, true, 0],
      ] as const) {
        const node = new ObservedNode(1000, { hasL1: asks });
        node.isFirstFollower = false;
        node.origins.set(4n, origin);
        node.headL1 = headL1;
        node.l1 = l1;
        node.run(500);
        node.leftByLeader = block(4n);
        node.run(1000);
        expect(resets(node), JSON.stringify([headL1, l1])).toBe(count);
      }
    });

    it('and where its L1 client had another block at that height before it went on', () => {
      const [origin, other] = [`0x${'a1'.repeat(32)}`, `0x${'c3'.repeat(32)}`];
      for (const [heard, count] of [
        [[{ number: 1, hash: other }], 1],
        [[{ number: 1, hash: origin }], 0],
        [
          [
            { number: 1, hash: other },
            { number: 0, hash: other },
          ],
          0,
        ],
        [
          [
            { number: 1, hash: other },
            { number: 9, hash: other },
          ],
          0,
        ],
      ] as const) {
        const node = new ObservedNode();
        node.isFirstFollower = false;
        node.origins.set(4n, origin);
        for (const headL1 of [...heard, { number: heard.at(-1)!.number + 2, hash: other }]) {
          node.headL1 = headL1;
          node.run(1500);
        }
        node.leftByLeader = block(4n);
        node.run(1000);
        expect(resets(node), JSON.stringify(heard)).toBe(count);
      }
    });

    it('not for a block that is safe, nor while op-node, being reset, tells of an older safe head', () => {
      const node = new ObservedNode(1000, { isNew: true });
      node.safe = block(4n);
      node.run(500);
      node.safe = block(0n);
      node.leftByLeader = block(4n);
      node.run(3000);
      expect(resets(node)).toBe(0);
    });

    it('not for a leader that leaves one block after the other, nor for one that the log or the node does not have', () => {
      const node = new ObservedNode();
      node.run(500);
      node.leftByLeader = block(4n, 2, 4n);
      node.run(1000);
      expect(resets(node)).toBe(0);
      for (const number of [5n, 4n, 3n, 2n]) {
        node.leftByLeader = block(number);
        node.run(1000);
      }
      expect(resets(node)).toBe(1);
      const elsewhere = new ObservedNode();
      elsewhere.run(500);
      elsewhere.forkAt = 4n;
      elsewhere.head = block(5n, 1, 4n);
      elsewhere.leftByLeader = block(4n);
      elsewhere.run(3000);
      expect(resets(elsewhere)).toBe(0);
    });

    describe('and where it hears of an L1 head in place of the tip’s origin', () => {
      const [origin, other] = [`0x${'a1'.repeat(32)}`, `0x${'c3'.repeat(32)}`];

      function hearing(): ObservedNode {
        const node = new ObservedNode();
        for (const height of [4n, 5n]) node.origins.set(height, origin);
        for (const height of [4n, 5n]) node.held.add(block(height).hash);
        node.headOnceReset = block(3n);
        node.headL1 = { number: 1, hash: origin };
        node.leads = true;
        node.run(500);
        return node;
      }

      it('op-node is made to look, once for each such head, and says what it left', () => {
        const node = hearing();
        expect(resets(node)).toBe(0);
        node.headL1 = { number: 1, hash: other };
        node.run(1500);
        expect(resets(node)).toBe(1);
        expect(node.kinds(block(4n))).toEqual(['left']);
        node.head = block(5n);
        node.run(10_000);
        expect(resets(node)).toBe(1);
      });

      it.each<[string, (node: ObservedNode) => void]>([
        ['another server leads', (node) => (node.leads = false)],
        ['the head is a later one', (node) => (node.headL1 = { number: 2, hash: other })],
        ['the head is an earlier one', (node) => (node.headL1 = { number: 0, hash: other })],
        ['the tip is safe', (node) => (node.safe = block(5n))],
        ['the node is not on the tip', (node) => (node.head = block(4n))],
        ['nothing may be changed', (node) => (node.mayPost = false)],
        ['its blocks do not say where they come from', (node) => node.origins.clear()],
      ])('but not where %s', (_, change) => {
        const node = hearing();
        node.headL1 = { number: 1, hash: other };
        change(node);
        node.run(3000);
        expect(resets(node)).toBe(0);
      });
    });

    describe('and where the own sequencer builds nothing on the tip, though all answer', () => {
      const [origin, before] = [`0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`];

      /** Blocks 4 and 5 come from an L1 block that its own L1 client never had. */
      function standing(): ObservedNode {
        const node = new ObservedNode();
        for (const [at, hash] of [before, origin, origin].entries()) node.origins.set(BigInt(3 + at), hash);
        node.ownOrigins.set(3n, before);
        for (const height of [4n, 5n]) node.held.add(block(height).hash);
        node.headOnceReset = block(3n);
        node.run(500);
        return node;
      }

      it('op-node is made to look, once for each tip, and says what it left', () => {
        const node = standing();
        node.observer.headStands();
        node.run(300);
        expect(resets(node)).toBe(1);
        expect(node.kinds(block(4n))).toEqual(['left']);
        node.head = block(5n);
        for (let time = 0; time < 5; time++) {
          node.observer.headStands();
          node.run(1000);
        }
        expect(resets(node)).toBe(1);
      });

      it.each<[string, (node: ObservedNode) => void]>([
        ['its L1 client has the origin as its newest block', (node) => (node.headL1 = { number: 1, hash: origin })],
        ['its L1 client has not come so far', (node) => (node.headL1 = { number: 0, hash: before })],
        ['the tip is safe', (node) => (node.safe = block(5n))],
        ['the node is not on the tip', (node) => (node.head = block(4n))],
        ['nothing may be changed', (node) => (node.mayPost = false)],
        ['its blocks do not say where they come from', (node) => node.origins.clear()],
      ])('but not where %s', (_, change) => {
        const node = standing();
        change(node);
        node.observer.headStands();
        node.run(3000);
        expect(resets(node)).toBe(0);
      });
    });

    it('a server that knows of no block yet waits for one, however often it is told of blocks', () => {
      const node = new ObservedNode(1000, { isNew: true });
      node.tip = null as never;
      node.leftByLeader = block(4n);
      node.run(100);
      expect(node.observer.nextDeadlineMs()).toBe(Infinity);
    });

    it('not while this conductor is stopped, nor where the node is elsewhere by itself', () => {
      const stopped = abandoned();
      stopped.mayPost = false;
      stopped.run(5000);
      const astray = new ObservedNode();
      astray.run(500);
      astray.forkAt = 4n;
      astray.head = block(5n, 1, 4n);
      astray.run(5000);
      expect([resets(stopped), resets(astray)]).toEqual([0, 0]);
    });
  });

  describe('though L1 still has its origin', () => {
    const [old, next] = [`0x${'a1'.repeat(32)}`, `0x${'a2'.repeat(32)}`];

    /** It left block 4 for another one, or for none. */
    function astray(origins: readonly string[], own: readonly string[], isOnSibling = true): ObservedNode {
      const node = new ObservedNode();
      for (const [at, hash] of origins.entries()) node.origins.set(BigInt(3 + at), hash);
      for (const [at, hash] of own.entries()) node.ownOrigins.set(BigInt(3 + at), hash);
      node.run(500);
      node.head = isOnSibling ? block(4n, 1, 4n) : block(3n);
      node.forkAt = isOnSibling ? 4n : 1_000n;
      node.held.add(block(4n).hash);
      node.held.add(block(5n).hash);
      node.run(1500);
      return node;
    }

    it('has not left it for L1’s sake: its parent is of the same origin', () => {
      expect(astray([old, old, old], [], false).kinds(block(4n))).toEqual([]);
    });

    it('nor where it has another block of that origin in its place, or below it', () => {
      expect(astray([old, next, next], [old, next]).kinds(block(4n))).toEqual([]);
      expect(astray([old, next, next], [next, next]).kinds(block(4n))).toEqual([]);
    });

    it('nor while that is its newest block of L1, and what it has instead says nothing', () => {
      const node = new ObservedNode();
      for (const [at, hash] of [old, next, next].entries()) node.origins.set(BigInt(3 + at), hash);
      node.ownOrigins.set(3n, old);
      node.headL1 = { number: 2, hash: next };
      for (const height of [4n, 5n]) node.held.add(block(height).hash);
      node.run(500);
      node.head = block(3n);
      node.run(10_000);
      expect(node.kinds(block(4n))).toEqual([]);
      node.headL1 = { number: 2, hash: `0x${'b2'.repeat(32)}` };
      node.run(1000);
      expect(node.kinds(block(4n))).toEqual(['left']);
    });

    it('but where its own chain names another one it has', () => {
      expect(astray([old, next, next], [old, `0x${'b2'.repeat(32)}`]).kinds(block(4n))).toEqual(['left']);
      expect(astray([old, next, next], [old], false).kinds(block(4n))).toEqual(['left']);
    });

    it('and nothing is said of it while the node is too busy to tell', () => {
      const node = astray([old, next, next], [old, next]);
      node.isDriverBusy = true;
      node.run(5000);
      expect(node.kinds(block(4n))).toEqual([]);
      node.isDriverBusy = false;
      node.ownOrigins.set(4n, `0x${'b2'.repeat(32)}`);
      node.run(1000);
      expect(node.kinds(block(4n))).toEqual(['left']);
    });
  });

  describe('where L1 can be asked', () => {
    const [held, other, zero] = [`0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`, `0x${'00'.repeat(32)}`];

    /** Node and conductor are new: nobody has seen it on a block that it could have left. */
    function restarted(l1: string | null, hasL1 = true, change: Partial<ObservedNode> = {}): ObservedNode {
      const node = Object.assign(new ObservedNode(1000, { hasL1 }), change);
      for (const number of [4n, 5n]) node.origins.set(number, held);
      node.l1 = l1;
      node.head = block(3n);
      node.run(3000);
      return node;
    }

    it('a block whose origin L1 has replaced is gone, also for a node that was never seen on it', () => {
      expect(restarted(other).kinds(block(4n))).toEqual(['l1']);
    });

    it('but not while the node itself does not see that: the endpoint, which all may share, can be on a branch of its own', () => {
      const elsewhere = { number: 2, hash: `0x${'cc'.repeat(32)}` };
      expect(restarted(other, true, { headL1: elsewhere }).kinds(block(4n))).toEqual([]);
      const below = { number: 0, hash: `0x${'00'.repeat(31)}01` };
      expect(restarted(other, true, { headL1: below }).kinds(block(4n))).toEqual([]);
    });

    it('the branch of the endpoint has to reach the L1 head of the node block by block, and not from far below', () => {
      const at = (number: number) => ({ number, hash: `0x${number.toString(16).padStart(64, '0')}` });
      expect(restarted(other, true, { headL1: at(9) }).kinds(block(4n))).toEqual(['l1']);
      expect(restarted(other, true, { headL1: at(9), l1JoinBroken: 7n }).kinds(block(4n))).toEqual([]);
      expect(restarted(other, true, { headL1: at(65) }).kinds(block(4n))).toEqual(['l1']);
      expect(restarted(other, true, { headL1: at(66) }).kinds(block(4n))).toEqual([]);
    });

    it('one whose origin is there, or of which L1 says nothing, is not', () => {
      expect(restarted(held).kinds(block(4n))).toEqual([]);
      expect(restarted(null).kinds(block(4n))).toEqual([]);
      expect(restarted(other, false).kinds(block(4n))).toEqual([]);
    });

    it('what it said of the origin of one block is not believed of another, below which the node stands a moment later', () => {
      const node = new ObservedNode(1000, { hasL1: true });
      node.origins.set(4n, other);
      node.origins.set(5n, held);
      node.l1 = other;
      node.head = block(4n);
      node.run(1000);
      const asked = (): number => node.asked.filter((method) => method.endsWith(' l1')).length;
      const before = asked();
      while (asked() === before) node.run(5);
      expect(node.kinds(block(5n))).toEqual(['l1']);
      node.head = block(3n);
      for (let at = 0; at < 2000; at += 50) {
        node.run(50);
        expect(node.kinds(block(4n))).not.toContain('l1');
      }
    });

    it('an endpoint of another network, which has another block everywhere, says nothing', () => {
      expect(restarted(other, true, { l1Genesis: other }).kinds(block(4n))).toEqual([]);
    });

    it('nor is anything said of an origin that is final for the node, or while it does not know what is final', () => {
      expect(restarted(other, true, { finalizedL1: { number: 1, hash: held } }).kinds(block(4n))).toEqual([]);
      expect(restarted(other, true, { finalizedL1: undefined }).kinds(block(4n))).toEqual([]);
      expect(restarted(other, true, { finalizedL1: { number: 0, hash: zero } }).kinds(block(4n))).toEqual([]);
    });

    it('is not asked for a branch of L1 on which nothing is built yet: a node that is only behind would leave what it has not', () => {
      const [origin, other] = [`0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`];
      const node = new ObservedNode(1000, { hasL1: true });
      for (let number = 4n; number <= 8n; number += 1n) node.origins.set(number, origin);
      node.l1 = origin;
      node.run(500);
      node.tip = block(8n);
      node.l1 = other;
      node.isL1BuiltOn = false;
      node.run(2500);
      expect(node.kinds(block(6n))).toEqual([]);
      const { headL1 } = node;
      node.headL1 = { number: 1, hash: other };
      node.run(2500);
      expect(node.kinds(block(6n))).toEqual([]);
      Object.assign(node, { headL1, isL1BuiltOn: true });
      node.run(2500);
      expect(node.kinds(block(6n))).toEqual(['l1']);
    });

    it('L1 is asked once a second, and only while the node is off the chain', () => {
      const asked = (node: ObservedNode): number =>
        node.asked.filter((method) => method === 'eth_getBlockByNumber l1').length;
      expect(asked(restarted(held))).toBeGreaterThanOrEqual(2);
      expect(asked(restarted(held))).toBeLessThanOrEqual(4);
      // And once more each for what follows, for what is final, and for what is up to the node's head, where it has another block.
      expect(asked(restarted(other))).toBeLessThanOrEqual(16);
      const settled = new ObservedNode(1000, { hasL1: true });
      settled.run(3000);
      expect(asked(settled)).toBe(0);
      // Nor where its node has the new block a moment later than the log.
      for (const number of [6n, 7n, 8n]) {
        settled.origins.set(number, held);
        settled.tip = block(number);
        settled.run(500);
        settled.head = block(number);
        settled.run(500);
      }
      expect(asked(settled)).toBe(0);
    });
  });

  it('also where op-node alone went back: its client stays until another block is built', () => {
    const node = new ObservedNode();
    node.run(500);
    node.clientHead = block(5n);
    node.head = block(3n);
    node.held.add(block(4n).hash);
    node.held.add(block(5n).hash);
    node.run(1500);
    expect(node.kinds(block(4n))).toEqual(['left']);
    node.run(15_000);
    expect(node.stuck).toBe(0);
  });

  it('not where its client is ahead for a moment, with a block that op-node has not been on', () => {
    const node = new ObservedNode();
    node.run(500);
    node.tip = block(6n);
    node.clientHead = block(6n);
    node.held.add(block(6n).hash);
    node.run(1000);
    expect(node.observer.word.observations.flatMap(({ kinds }) => kinds)).not.toContain('left');
  });

  it('not where the client lost the block, nor where the head was never there', () => {
    const lost = new ObservedNode();
    lost.run(500);
    lost.head = block(3n);
    lost.run(3000);
    expect(lost.kinds(block(4n))).toEqual([]);
    const never = new ObservedNode(1000, { isNew: true });
    never.tip = block(6n);
    never.head = block(3n);
    for (const height of [4n, 5n, 6n]) never.held.add(block(height).hash);
    never.run(3000);
    expect(never.kinds(block(4n))).toEqual([]);
  });

  it('what was safe stays so through a reset of op-node, while the client has it on its chain', () => {
    const node = new ObservedNode();
    node.safe = block(4n);
    node.run(1500);
    node.safe = block(0n);
    node.run(3000);
    expect(node.observer.word.safeNumber).toBe(4n);
    node.forkAt = 3n;
    node.head = block(5n, 1, 3n);
    node.run(3000);
    expect(node.observer.word.safeNumber).toBe(0n);
  });

  it('one that went below what was safe says so: op-geth keeps its chain by number where op-node goes back', () => {
    const node = new ObservedNode();
    node.tip = node.head = block(8n);
    node.safe = block(7n);
    node.run(1500);
    node.clientHead = block(8n);
    node.head = block(5n);
    node.safe = block(3n);
    node.run(3000);
    expect([node.kinds(block(6n)), node.observer.word.safeNumber]).toEqual([['left'], 3n]);
  });

  it.each([
    ['the leader’s node', (node: ObservedNode) => (node.leftByLeader = block(4n))],
    ['another voter’s node', (node: ObservedNode) => (node.isLeftByPeer = true)],
  ])('one that has left is not given the chain again while %s has left it as well', (_, change) => {
    const node = new ObservedNode();
    node.run(500);
    for (const height of [4n, 5n]) node.held.add(block(height).hash);
    change(node);
    node.clientHead = block(3n);
    node.head = block(3n);
    node.run(60_000);
    expect(node.kinds(block(4n))).toEqual(['left']);
    expect(node.asked).not.toContain('admin_postUnsafePayload');
  });

  it.each([false, true])('where op-node went back alone it is given the chain again; engine API %s', (hasEngine) => {
    const node = new ObservedNode(1000, { hasEngine });
    node.run(500);
    node.clientHead = block(5n);
    node.head = block(3n);
    node.run(60_000);
    expect(node.asked).toContain('admin_postUnsafePayload');
  });

  it.each([1000, 2000, 4000, 12_000])('says without a pause that it holds the tip, with blocks of %i ms', (blockMs) => {
    const node = new ObservedNode(blockMs);
    node.run(400);
    let silentMs = 0;
    for (; node.now < 20_000; node.run(10)) if (!node.kinds(node.tip).includes('holds')) silentMs += 10;
    expect(silentMs).toBe(0);
  });

  it('of a tip that its client had it says so beside the chain, where that tells of it no more, until it is gone', () => {
    const node = new ObservedNode();
    node.run(500);
    // Another block at that height: op-reth tells of those on its chain alone.
    node.forkAt = 5n;
    node.head = block(5n, 2, 5n);
    node.run(3000);
    expect(node.kinds(block(5n))).toEqual(['holds']);
    // op-node alone is slow for once.
    node.isNodeSilent = true;
    node.run(500);
    node.isNodeSilent = false;
    node.run(3000);
    expect(node.kinds(block(5n))).toEqual(['holds']);
    node.isUp = false;
    node.run(500);
    node.isUp = true;
    node.run(3000);
    expect(node.kinds(block(5n))).toEqual([]);
  });

  it('of a tip that its client had, and has lost since, it says nothing', () => {
    const node = new ObservedNode();
    node.run(500);
    node.isUp = false;
    node.run(500);
    node.isUp = true;
    node.head = block(4n);
    node.held.clear();
    node.refused.add(block(5n).hash);
    node.run(10_000);
    expect(node.kinds(block(5n))).toEqual([]);
  });

  it('a node that stays where it is is given the same again, each time after twice as long', () => {
    const node = new ObservedNode(1000, { isNew: true });
    node.head = block(4n);
    const posts = (): number => node.asked.filter((method) => method === 'admin_postUnsafePayload').length;
    const counts = [1000, 5000, 10_000, 20_000].map((ms) => {
      node.run(ms);
      return posts();
    });
    expect(counts).toEqual([1, 2, 3, 4]);
  });

  it('and every minute for as long as it stays there', () => {
    const node = new ObservedNode();
    node.head = block(4n);
    const posts = (): number => node.asked.filter((method) => method === 'admin_postUnsafePayload').length;
    node.run(600_000);
    const before = posts();
    node.run(10 * 61_000);
    expect(posts() - before).toBe(10);
  });

  /** The client answers again, at this block. */
  const comesBack = (node: ObservedNode, number: bigint): void => {
    node.isUp = true;
    node.head = block(number);
    node.run(1000);
  };

  /** This block is committed, and the client refuses it. */
  const isRefused = (node: ObservedNode, number: bigint): void => {
    node.tip = block(number);
    node.refused.add(node.tip.hash);
  };

  it('of a tip that its client refuses it says nothing while that has executed nothing since it was gone', () => {
    const node = new ObservedNode();
    node.run(500);
    node.isUp = false;
    node.run(2000);
    comesBack(node, 4n);
    node.head = block(5n);
    isRefused(node, 6n);
    node.run(10_000);
    expect(node.kinds(block(6n))).toEqual([]);
    node.head = block(6n);
    isRefused(node, 7n);
    node.run(5000);
    expect(node.kinds(block(7n))).toContain('invalid');
  });

  it('nor while that has executed nothing new, where it had executed the tip unseen before it was gone', () => {
    const node = new ObservedNode();
    node.head = block(4n);
    node.run(500);
    // The newest block is executed between two looks, and the client is killed.
    node.isUp = false;
    node.run(2000);
    comesBack(node, 3n);
    node.head = block(5n);
    node.run(1000);
    isRefused(node, 6n);
    node.run(10_000);
    expect(node.kinds(block(6n))).toEqual([]);
  });

  it('but once it has executed what was committed while it was gone: that it cannot have had', () => {
    const node = new ObservedNode();
    node.run(500);
    node.isUp = false;
    node.run(2000);
    node.tip = block(6n);
    node.run(500);
    comesBack(node, 4n);
    node.head = block(6n);
    node.run(1000);
    isRefused(node, 7n);
    node.run(5000);
    expect(node.kinds(block(7n))).toContain('invalid');
  });

  it('a node on its way to the tip leaves what it had, though it was never on the tip', () => {
    const node = new ObservedNode(1000, { isNew: true });
    node.tip = block(9n);
    node.head = block(7n);
    node.run(500);
    node.clientHead = block(7n);
    node.head = block(3n);
    node.held.add(block(4n).hash);
    node.run(500);
    expect(node.kinds(block(4n))).toContain('left');
  });

  /** op-node has gone back to block 5 without its client, and the log has another block 6, which the client refuses. */
  const aboveItsNode = (change: (node: ObservedNode) => void = () => undefined): ObservedNode => {
    const node = new ObservedNode();
    node.logForkAt = 6n;
    node.tip = block(6n, 2, 6n);
    node.clientHead = block(8n);
    node.refused.add(node.tip.hash);
    change(node);
    node.run(5000);
    return node;
  };

  it('a client above its op-node refuses blocks, too', () => {
    const node = aboveItsNode();
    expect(node.kinds(node.tip)).toContain('invalid');
  });

  it('but not where it has another block in the place of the one that op-node stands on', () => {
    const node = aboveItsNode((one) => (one.forkAt = 5n));
    expect(node.kinds(node.tip)).not.toContain('invalid');
  });

  it.each<[string, (node: ObservedNode) => void]>([
    ['lost its head', (node) => (node.clientHead = block(2n))],
    [
      'does not execute what follows its head',
      (node) => {
        node.tip = block(200n);
        node.verdict = 'SYNCING';
      },
    ],
  ])('a client that %s and syncs need not be restarted', (_, change) => {
    const node = new ObservedNode(1000, { hasEngine: true });
    node.run(500);
    change(node);
    for (let second = 0; second < 60; second++) {
      node.run(1000);
      node.isSyncing = true;
      if (node.tip.number > 100n) node.tip = block(node.tip.number + 1n);
    }
    expect(node.stuck).toBe(0);
  });

  it.each<[string, (node: ObservedNode) => void]>([
    ['lost its head', (node) => (node.clientHead = block(2n))],
    [
      'does not execute what follows its head',
      (node) => {
        node.head = block(3n);
        node.verdict = 'SYNCING';
      },
    ],
  ])('a client that %s, says that it syncs, and gets nowhere with it has to be restarted', (_, change) => {
    const node = new ObservedNode(1000, { hasEngine: true });
    node.run(500);
    change(node);
    node.isSyncing = true;
    for (let second = 0; second < 15; second++) node.run(1000);
    node.isGettingAhead = false;
    for (let second = 0; second < 19; second++) {
      node.run(1000);
      node.tip = block(node.tip.number + 1n);
    }
    expect(node.stuck).toBe(0);
    for (let second = 0; second < 13; second++) {
      node.run(1000);
      node.tip = block(node.tip.number + 1n);
    }
    expect(node.stuck).toBe(1);
    node.isGettingAhead = true;
    node.run(120_000);
    expect(node.stuck).toBe(1);
  });

  it('one that has left while the others stay is given the chain again, in the end', () => {
    const node = new ObservedNode();
    node.run(500);
    node.head = block(3n);
    for (const height of [4n, 5n]) node.held.add(block(height).hash);
    const posts = (): number => node.asked.filter((method) => method === 'admin_postUnsafePayload').length;
    node.run(24_000);
    expect([node.kinds(block(4n)), posts()]).toEqual([['left'], 0]);
    node.takesPosts = true;
    node.run(2000);
    expect(posts()).toBe(2);
    expect(node.kinds(block(5n))).toEqual(['holds']);
  });

  it('how long it is off the block counts from when it left, wherever it has stood meanwhile, and not from an earlier time', () => {
    const node = new ObservedNode();
    node.run(500);
    for (const height of [4n, 5n]) node.held.add(block(height).hash);
    const posts = (): number => node.asked.filter((method) => method === 'admin_postUnsafePayload').length;
    node.head = block(3n);
    node.run(15_000);
    // On the tip again, of its own accord.
    node.head = block(5n);
    node.run(1500);
    // On another branch, and then on the parent.
    node.forkAt = 4n;
    node.head = block(4n, 1, 4n);
    node.run(15_000);
    node.forkAt = 1_000n;
    node.head = block(3n);
    node.run(9000);
    expect([node.kinds(block(4n)), posts()]).toEqual([['left'], 0]);
    node.run(2000);
    expect(posts()).toBeGreaterThan(0);
  });

  it('while it is being reset it tells nothing, and what it was seen on is not forgotten', () => {
    const node = new ObservedNode();
    node.run(500);
    for (const height of [4n, 5n]) node.held.add(block(height).hash);
    const lookedAtMs = node.observer.lookedAtMs;
    node.head = { number: 0n, hash: `0x${'00'.repeat(32)}`, parentHash: `0x${'00'.repeat(32)}` };
    node.observer.lookNow();
    node.run(100);
    expect([node.observer.lookedAtMs, node.observer.word.observations]).toEqual([lookedAtMs, []]);
    node.head = block(3n);
    node.run(300);
    expect(node.kinds(block(4n))).toEqual(['left']);
  });

  it('a head that comes back has not left', () => {
    const node = new ObservedNode();
    node.run(500);
    node.head = block(3n);
    node.held.add(block(4n).hash);
    node.run(1500);
    node.head = block(5n);
    node.run(1500);
    expect(node.kinds(block(4n))).toEqual([]);
    expect(node.kinds(block(5n))).toEqual(['holds']);
  });

  it('a safe chain with another hash at a committed height says so of the lowest', () => {
    const node = new ObservedNode();
    node.run(500);
    node.forkAt = 3n;
    node.head = block(5n, 1, 3n);
    node.safe = block(2n);
    node.run(1500);
    expect(node.kinds(block(3n))).not.toContain('l1');
    node.safe = block(3n, 1, 3n);
    node.run(500);
    expect(node.kinds(block(3n))).toContain('l1');
    expect(node.observer.word.safeNumber).toBe(3n);
  });

  it('a client that lost its head shows no other safe block, however high the node believes its safe head to be', () => {
    const node = new ObservedNode();
    node.safe = block(4n);
    node.run(500);
    node.head = block(1n);
    node.run(3000);
    expect(node.kinds(block(2n))).toEqual([]);
  });

  it('a safe chain above the tip says it by the block at the height of the tip', () => {
    const node = new ObservedNode();
    node.run(500);
    node.forkAt = 4n;
    node.head = block(9n, 1, 4n);
    node.safe = block(8n, 1, 4n);
    node.run(2000);
    expect(node.kinds(block(4n))).toContain('l1');
  });

  it('a client that has lost the head op-node believes in: op-node is made to look, and given what follows (rule 30)', () => {
    const node = new ObservedNode();
    node.run(500);
    node.clientHead = block(2n);
    node.takesPosts = true;
    node.run(400);
    expect(node.asked).not.toContain('admin_resetDerivationPipeline');
    node.run(3000);
    expect(node.asked.filter((method) => method === 'admin_resetDerivationPipeline')).toHaveLength(1);
    expect(node.head).toEqual(block(5n));
    expect(node.kinds(block(5n))).toEqual(['holds']);
  });

  it('a client that is syncing is left alone', () => {
    const node = new ObservedNode();
    node.run(500);
    node.clientHead = block(2n);
    node.isSyncing = true;
    node.run(10_000);
    expect(node.asked).not.toContain('admin_resetDerivationPipeline');
  });

  it('a client that takes nothing of what follows its head for ten seconds is said to be stuck, once a minute', () => {
    const node = new ObservedNode();
    node.head = block(3n);
    node.run(9000);
    expect(node.stuck).toBe(0);
    node.run(10_000);
    expect(node.stuck).toBe(1);
    node.run(70_000);
    expect(node.stuck).toBe(2);
    node.head = block(5n);
    node.run(70_000);
    expect(node.stuck).toBe(2);
  });

  it.each([false, true])(
    'of one that was killed it is said whether it refuses the tip, which proves nothing: %s',
    (refuses) => {
      const node = new ObservedNode();
      node.run(500);
      node.isUp = false;
      node.run(2000);
      node.isUp = true;
      node.tip = block(6n);
      if (refuses) node.refused.add(block(6n).hash);
      node.run(15_000);
      expect([node.stuck, node.refusesNext]).toEqual([1, refuses]);
      expect(node.kinds(block(6n))).toEqual([]);
      const said = refuses ? { number: 6n, hash: block(6n).hash, isAgain: false } : null;
      expect(node.observer.word.refuses).toEqual(said);
    },
  );

  it('for operators it is said that a client refuses the tip after a restart, too, until it has executed one', () => {
    const node = new ObservedNode();
    node.run(500);
    node.isUp = false;
    node.run(2000);
    node.isUp = true;
    node.tip = block(6n);
    node.refused.add(block(6n).hash);
    node.run(3000);
    expect(node.observer.word.refuses).toMatchObject({ isAgain: false });
    node.isUp = false;
    node.run(2000);
    expect(node.observer.word.refuses ?? null).toBeNull();
    node.isUp = true;
    node.run(3000);
    expect(node.observer.word.refuses).toMatchObject({ hash: block(6n).hash, isAgain: true });
    expect(node.kinds(block(6n))).toEqual([]);
    node.refused.clear();
    node.tip = block(7n);
    node.head = block(7n);
    node.run(3000);
    node.tip = block(8n);
    node.refused.add(block(8n).hash);
    node.run(3000);
    expect(node.observer.word.refuses).toMatchObject({ hash: block(8n).hash, isAgain: false });
  });

  it('what was seen is not said any longer when the node stops answering', () => {
    const node = new ObservedNode(1000, { isNew: true });
    node.run(500);
    expect(node.kinds(node.tip)).toEqual(['holds']);
    node.isUp = false;
    node.run(3000);
    expect(node.kinds(node.tip)).toEqual([]);
    expect(node.changes).toBe(2);
  });

  it('nor while a look waits for its answers', () => {
    const node = new ObservedNode();
    node.run(500);
    node.isHanging = true;
    node.tip = block(6n);
    node.run(1000);
    expect(node.kinds(block(5n))).toEqual(['holds']);
    node.run(1500);
    expect(node.observer.word.observations).toEqual([]);
  });
});
