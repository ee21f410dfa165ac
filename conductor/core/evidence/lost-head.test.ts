import { describe, expect, test } from 'vitest';
import { block } from '../control/testing/world.ts';
import { RestartedClient } from './testing/restarted-client.ts';
import type { RestartedAt } from './testing/restarted-at.ts';

const count = ({ asked }: RestartedClient, name: string): number =>
  asked.filter((method) => method.startsWith(name)).length;
const resets = (world: RestartedClient): number => count(world, 'admin_resetDerivationPipeline');

const afterPowerCut: RestartedAt = { tip: 33n, known: 31n, stateAt: 0n };

describe('a client that was killed and restarted, while nobody builds (rule 30)', () => {
  test('is brought to the last block that it has, and not told of one that it could only sync to', () => {
    const world = new RestartedClient(afterPowerCut);
    world.run(5000);
    expect(world.clientHead.number).toBe(31n);
    expect(world.isWiped).toBe(false);
    expect(world.observer.word.needsSync).toBe(true);
  });

  test('that it can execute nothing is told to the peers as soon as it is known', () => {
    const world = new RestartedClient(afterPowerCut);
    let changes = 0;
    for (let isTold = false; !isTold; isTold = world.observer.word.needsSync) {
      ({ changes } = world);
      world.run(5);
      expect(world.now).toBeLessThan(5000);
    }
    expect(world.changes).toBe(changes + 1);
  });

  test('is left alone where it stays above its genesis: op-node is not reset again and again', () => {
    const world = new RestartedClient(afterPowerCut);
    world.run(5000);
    const before = resets(world);
    world.run(20_000);
    expect([world.clientHead.number, resets(world)]).toEqual([31n, before]);
  });

  test('is named within four seconds of being where it stays', () => {
    const world = new RestartedClient(afterPowerCut);
    while (world.clientHead.number < 31n) world.run(50);
    const reachedAtMs = world.now;
    world.run(10_000);
    expect(world.stuckAtMs).toHaveLength(1);
    expect(world.stuckAtMs[0]! - reachedAtMs).toBeLessThan(4000);
  });

  test('takes the rest once it was restarted, at once', () => {
    const world = new RestartedClient(afterPowerCut);
    world.run(8000);
    world.restart();
    world.run(1000);
    expect(world.clientHead).toEqual(block(33n));
    expect(world.nodeHead).toEqual(block(33n));
    world.run(500);
    expect(world.observer.word.needsSync).toBe(false);
  });

  test('that has lost its state for good is said to be so once two restarts on one head have not helped', () => {
    const world = new RestartedClient(afterPowerCut);
    world.run(3000);
    world.isWiped = true;
    for (let time = 0; time < 3; time++) {
      world.run(12_000);
      world.isGone = true;
      world.run(500);
      world.isGone = false;
      world.restart();
    }
    world.run(12_000);
    expect(world.wasRestarted).toEqual([false, false, true, true]);
  });

  describe('that has its state is not in need of one: it executes what it lacks, while op-node stays where it is', () => {
    const behind: RestartedAt = { tip: 133n, known: 120n, stateAt: 120n };

    test('and is level at once, in one step, without a block for op-node', () => {
      const world = new RestartedClient(behind);
      world.run(900);
      expect([world.clientHead, world.nodeHead]).toEqual([block(133n), block(133n)]);
      expect([count(world, 'engine_forkchoiceUpdated'), resets(world)]).toEqual([1, 0]);
      expect(count(world, 'admin_postUnsafePayload')).toBe(0);
      world.run(20_000);
      expect([count(world, 'engine_forkchoiceUpdated'), resets(world), world.stuckAtMs]).toEqual([1, 0, []]);
      expect(world.observer.word.observations).toEqual([expect.objectContaining({ number: 133n, kinds: ['holds'] })]);
    });

    test('in steps, since op-geth loses the state of its head where it has executed 128 blocks more', () => {
      const world = new RestartedClient({ tip: 433n, known: 133n, stateAt: 133n });
      world.run(900);
      expect([world.clientHead, world.nodeHead, resets(world)]).toEqual([block(433n), block(433n), 0]);
      expect(count(world, 'engine_forkchoiceUpdated')).toBe(3);
    });

    test('it cannot sequence meanwhile', () => {
      const world = new RestartedClient(behind);
      world.silentFrom = 125n;
      world.run(1000);
      expect([world.observer.isRefilling, world.observer.word.needsSync]).toEqual([true, true]);
      expect([world.stuckAtMs, resets(world)]).toEqual([[], 0]);
    });

    test('what it stands on it holds, against those who refuse that', () => {
      const world = new RestartedClient(behind);
      world.silentFrom = 125n;
      world.run(1000);
      expect(world.observer.word.observations).toEqual([expect.objectContaining({ number: 120n, kinds: ['holds'] })]);
    });

    test('also where op-node has not inserted the tip, which was committed when its client was killed', () => {
      const world = new RestartedClient(behind);
      world.nodeHead = block(132n);
      world.isGone = true;
      world.run(1000);
      world.isGone = false;
      while (world.clientHead.number < 132n && world.now < 10_000) world.run(5);
      expect([count(world, 'engine_forkchoiceUpdated'), resets(world)]).toEqual([1, 0]);
      world.run(1500);
      expect([world.clientHead, world.nodeHead, resets(world)]).toEqual([block(133n), block(133n), 0]);
    });

    test('on a chain that goes on it may sync, and is not made to forget at once what it has above', () => {
      const world = new RestartedClient({ tip: 333n, known: 333n, stateAt: 300n, areCanonical: true });
      for (let turn = 0; turn < 7; turn += 1) {
        world.tip = block(world.tip.number + 1n);
        world.run(200);
      }
      expect(world.asked).not.toContain('debug_setHead');
    });

    test('one that does not have op-node’s head is not in need of a restart for what follows that', () => {
      const world = new RestartedClient({ ...behind, tip: 134n });
      world.nodeHead = block(133n);
      world.looksLate = true;
      world.run(5000);
      expect([resets(world), world.stuckAtMs]).toEqual([1, []]);
    });

    test('where a block is not executed, op-node is made to look, and given what follows', () => {
      const world = new RestartedClient(behind);
      world.failsFrom = 130n;
      world.run(2000);
      expect([resets(world), world.nodeHead.number >= 129n, world.observer.isRefilling]).toEqual([1, true, false]);
    });

    test('where it calls its new head VALID and stays, that is not tried again and again: op-node is made to look', () => {
      const world = new RestartedClient(behind);
      world.staysOnHead = true;
      world.run(5000);
      expect(count(world, 'engine_forkchoiceUpdated')).toBe(1);
      expect(resets(world)).toBeGreaterThan(0);
    });

    test('one that goes back to the same head later is refilled again', () => {
      const world = new RestartedClient(behind);
      world.run(2500);
      expect(world.clientHead).toEqual(block(133n));
      Object.assign(world, { clientHead: block(120n), known: 120n, stateTo: 120n, canonicalTo: 120n });
      world.run(2000);
      expect([world.clientHead, count(world, 'engine_forkchoiceUpdated'), resets(world)]).toEqual([block(133n), 2, 0]);
    });

    test('one that is killed meanwhile is refilled anew, from where it is then', () => {
      const world = new RestartedClient({ ...behind, tip: 333n });
      world.silentFrom = 250n;
      world.run(900);
      expect(world.clientHead).toEqual(block(213n));
      world.isGone = true;
      world.run(500);
      expect(world.observer.isRefilling).toBe(false);
      world.hangUp();
      world.silentFrom = 1_000_000n;
      world.isGone = false;
      world.run(3000);
      expect([world.clientHead, world.nodeHead, resets(world)]).toEqual([block(333n), block(333n), 0]);
    });

    test.each(['its op-node has moved', 'its conductor is paused', 'the own sequencer builds', 'its head has moved'])(
      'no head is set where %s meanwhile',
      (what) => {
        const world = new RestartedClient(behind);
        world.beforeHeadIsSet = () => {
          if (what === 'its op-node has moved') world.nodeHead = block(132n);
          else if (what === 'its head has moved') world.clientHead = block(131n);
          else if (what === 'the own sequencer builds') world.builds = true;
          else world.isPaused = true;
        };
        while (world.beforeHeadIsSet !== null && world.now < 5000) world.run(5);
        expect(world.beforeHeadIsSet).toBe(null);
        expect(count(world, 'engine_forkchoiceUpdated')).toBe(0);
      },
    );

    test('nothing is executed where op-node is about to look where the client is', () => {
      const world = new RestartedClient({ tip: 33n, known: 20n, stateAt: 20n });
      world.isGone = world.looksLate = true;
      world.run(2000);
      world.isGone = false;
      world.run(900);
      expect([world.stateTo, world.nodeHead]).toEqual([20n, block(33n)]);
      world.looks();
      world.run(3000);
      expect([world.clientHead, world.nodeHead]).toEqual([block(33n), block(33n)]);
      expect(count(world, 'engine_forkchoiceUpdated')).toBe(0);
    });

    test.each(['its conductor is paused', 'the own sequencer builds'])(
      'not another block where %s meanwhile',
      (what) => {
        const world = new RestartedClient(behind);
        world.given = (number) => {
          if (number !== 125n) return;
          if (what === 'the own sequencer builds') world.builds = true;
          else world.isPaused = true;
        };
        world.run(1000);
        expect([world.stateTo, world.clientHead, world.observer.isRefilling]).toEqual([125n, block(120n), false]);
        world.given = () => undefined;
        world.builds = world.isPaused = false;
        world.run(3000);
        expect(world.clientHead).toEqual(block(133n));
      },
    );

    test('nor while its conductor is paused', () => {
      const world = new RestartedClient(behind);
      world.isPaused = true;
      world.run(3000);
      expect([world.stateTo, resets(world)]).toEqual([120n, 0]);
      world.isPaused = false;
      world.run(1000);
      expect(world.clientHead).toEqual(block(133n));
    });

    test('nor where the log does not hold all of it, or the chain has gone on, or the own sequencer builds', () => {
      const short = new RestartedClient({ ...behind, logLacks: 125n });
      const gone = new RestartedClient(behind);
      gone.tip = block(134n);
      const building = new RestartedClient(behind);
      building.builds = true;
      for (const world of [short, gone, building]) {
        world.run(1500);
        expect([resets(world), count(world, 'engine_forkchoiceUpdated')]).toEqual([1, 0]);
      }
    });
  });

  test('that takes op-node’s word for what it has is given what it has not, rather than op-node reset again and again', () => {
    const world = new RestartedClient({ tip: 33n, known: 31n, stateAt: 20n, areCanonical: true, servesDebug: false });
    world.run(10_000);
    expect(world.clientHead.number).toBeGreaterThan(31n);
    expect(resets(world)).toBe(1);
  });

  describe('with what it has on its canonical chain, where a forkchoice update moves nothing', () => {
    const atGenesis: RestartedAt = { tip: 33n, known: 33n, stateAt: 0n, areCanonical: true };

    test.each([
      ['has no state but that of its genesis', atGenesis],
      ['has an older state', { ...atGenesis, stateAt: 20n }],
    ])('one that %s drops what it has, and is level within 8 s of being started again', (_what, at) => {
      const world = new RestartedClient(at);
      while (world.stuckAtMs.length === 0 && world.clientHead.number < 33n && world.now < 15_000) world.run(50);
      if (world.stuckAtMs.length > 0) world.restart();
      world.run(8000);
      expect(world.clientHead).toEqual(block(33n));
      expect(world.nodeHead).toEqual(block(33n));
      expect(world.isWiped).toBe(false);
      expect(count(world, 'debug_setHead')).toBe(1);
    });

    test('it is refilled at once: op-node is not reset', () => {
      const world = new RestartedClient({ tip: 133n, known: 133n, stateAt: 100n, areCanonical: true });
      world.run(1500);
      expect([world.nodeHead, world.clientHead]).toEqual([block(133n), block(133n)]);
      expect(world.asked).not.toContain('admin_resetDerivationPipeline');
      expect(count(world, 'debug_setHead')).toBe(1);
    });

    test('drops nothing while its conductor is paused', () => {
      const world = new RestartedClient(atGenesis);
      world.isPaused = true;
      world.run(10_000);
      expect(world.asked).not.toContain('debug_setHead');
      world.isPaused = false;
      world.run(5000);
      expect(count(world, 'debug_setHead')).toBe(1);
    });

    test('drops nothing where its conductor is paused while the client is asked what it has', () => {
      const world = new RestartedClient(atGenesis);
      world.pausesWithBlock = '0x22';
      world.run(10_000);
      expect([world.isPaused, world.asked.includes('debug_setHead')]).toEqual([true, false]);
      world.pausesWithBlock = '';
      world.isPaused = false;
      world.run(5000);
      expect(count(world, 'debug_setHead')).toBe(1);
    });

    test('drops nothing while op-node still works through what it was given, which it would tell the client of next', () => {
      const world = new RestartedClient({ ...atGenesis, stateAt: 20n });
      for (let time = 0; time < 20; time += 1) {
        world.nodeHead = block(21n + BigInt(time % 10));
        world.run(400);
      }
      expect(world.clientHead).toEqual(block(20n));
      expect(world.asked).not.toContain('debug_setHead');
      world.run(8000);
      expect(world.clientHead).toEqual(block(33n));
    });

    test('without the debug namespace the alarm says what to do by hand', () => {
      const world = new RestartedClient({ ...atGenesis, servesDebug: false });
      world.run(15_000);
      expect(world.clientHead).toEqual(block(0n));
      expect(world.stuckAtMs).toHaveLength(1);
      expect(world.mustForget).toBe(true);
      expect(count(world, 'debug_setHead')).toBe(1);
    });

    test('is well again once it has executed more than its op-node stands on, which L1 has taken back meanwhile', () => {
      const world = new RestartedClient({ ...atGenesis, hasEngine: false });
      while (!world.asked.includes('debug_setHead')) world.run(50);
      world.run(500);
      expect(world.observer.word.needsSync).toBe(true);
      world.clientHead = block(32n);
      world.nodeHead = block(20n);
      world.known = world.canonicalTo = 32n;
      world.run(1000);
      expect(world.nodeHead).toEqual(block(20n));
      expect(world.observer.word.needsSync).toBe(false);
    });

    test('drops nothing that it has executed in the meantime', () => {
      const world = new RestartedClient({ ...atGenesis, stateAt: 32n });
      world.isDoneWhenAsked = true;
      world.run(15_000);
      expect(world.clientHead).toEqual(block(33n));
      expect(world.asked).not.toContain('debug_setHead');
    });

    test('drops nothing where it has another branch further up, which nobody else may have', () => {
      const world = new RestartedClient({ ...atGenesis, known: 32n, forkAt: 20n });
      world.run(15_000);
      expect(world.asked).not.toContain('debug_setHead');
    });

    test.each([
      ['below the tip', 32n],
      ['above the tip', 36n],
    ])('drops a branch that the log has given up, which ends %s', (_, known) => {
      const world = new RestartedClient({ ...atGenesis, known, forkAt: 20n, isForkGivenUp: true });
      while (world.stuckAtMs.length === 0 && world.now < 15_000) world.run(50);
      world.restart();
      world.run(8000);
      expect(world.clientHead).toEqual(block(33n));
      expect(count(world, 'debug_setHead')).toBe(1);
    });

    test('has dropped what it has no longer, whatever it answered', () => {
      const lost = new RestartedClient({ ...atGenesis, stateAt: 20n, setHead: 'lost answer' });
      lost.run(8000);
      expect([lost.clientHead, lost.mustForget]).toEqual([block(33n), false]);
      const unchanged = new RestartedClient({ ...atGenesis, setHead: 'only words' });
      unchanged.run(15_000);
      expect(unchanged.mustForget).toBe(true);
      expect(count(unchanged, 'debug_setHead')).toBe(1);
      // It is given blocks again: nobody waits for what it will not do.
      expect([lost.observer.isForgetting, unchanged.observer.isForgetting]).toEqual([false, false]);
    });

    test('drops nothing where the log does not hold all of it, or others know that the chain is longer', () => {
      const shortLog = new RestartedClient({ ...atGenesis, logLacks: 5n });
      shortLog.run(15_000);
      const longer = new RestartedClient({ ...atGenesis, known: 34n });
      longer.run(15_000);
      for (const { asked } of [shortLog, longer]) expect(asked).not.toContain('debug_setHead');
    });
  });

  describe('that says that it syncs until its head has moved', () => {
    const behind: RestartedAt = { tip: 33n, known: 30n, stateAt: 30n, saysItSyncs: 'level' };

    test('is refilled at once', () => {
      const world = new RestartedClient(behind);
      world.run(1500);
      expect([world.clientHead, world.nodeHead, resets(world)]).toEqual([block(33n), block(33n), 0]);
      world.run(30_000);
      expect([resets(world), world.stuckAtMs]).toEqual([0, []]);
    });

    test('is made level at once without the engine API', () => {
      const world = new RestartedClient({ ...behind, hasEngine: false });
      world.run(1500);
      expect(resets(world)).toBe(1);
      world.run(1500);
      expect([world.clientHead, world.nodeHead]).toEqual([block(33n), block(33n)]);
      world.run(30_000);
      expect([resets(world), world.stuckAtMs]).toEqual([1, []]);
    });

    test('whatever its stages say, if it executes what follows its head', () => {
      const world = new RestartedClient({ ...behind, saysItSyncs: { stageAt: 40n } });
      world.run(3000);
      expect(world.clientHead).toEqual(block(33n));
    });

    test.each([true, false])(
      'to a block that nobody has is not waited for while the chain stands (%s)',
      (isStanding) => {
        const world = new RestartedClient({ tip: 133n, known: 130n, stateAt: 130n, hasEngine: false });
        world.syncsInVain = true;
        for (let second = 0; second < 9; second += 1) {
          world.run(1000);
          if (!isStanding) world.tip = block(world.tip.number + 1n);
        }
        expect([resets(world), world.observer.word.needsSync]).toEqual([0, true]);
        for (let second = 0; second < 3; second += 1) {
          world.run(1000);
          if (!isStanding) world.tip = block(world.tip.number + 1n);
        }
        expect(resets(world)).toBe(isStanding ? 1 : 0);
      },
    );

    test('is left alone where it takes no block', () => {
      const world = new RestartedClient(behind);
      world.isSyncing = true;
      world.run(15_000);
      expect([resets(world), world.stuckAtMs]).toEqual([0, []]);
      world.isSyncing = false;
      world.run(3000);
      expect(world.clientHead).toEqual(block(33n));
    });

    test('is left alone where it takes no block, also where the log lacks those that it lost', () => {
      const world = new RestartedClient({ ...behind, logLacks: 31n });
      world.isSyncing = true;
      world.run(15_000);
      expect(resets(world)).toBe(0);
      world.isSyncing = false;
      world.run(15_000);
      expect(resets(world)).toBe(1);
    });

    test('is left alone where its stages are apart, and its engine API is not known', () => {
      const world = new RestartedClient({ ...behind, hasEngine: false, saysItSyncs: { stageAt: 40n } });
      world.run(15_000);
      expect([resets(world), world.stuckAtMs]).toEqual([0, []]);
    });
  });

  test('without the engine API it is given everything, as before', () => {
    const world = new RestartedClient({ ...afterPowerCut, hasEngine: false });
    world.run(5000);
    expect(world.isWiped).toBe(true);
    expect(world.asked.some((method) => method.startsWith('engine_'))).toBe(false);
  });
});

describe('op-node is told to look where the chain ends while the client is gone,', () => {
  const level = (tip: bigint): RestartedAt => ({ tip, known: tip, stateAt: tip });

  test('once each time', () => {
    const world = new RestartedClient(level(33n));
    world.run(3000);
    expect(resets(world)).toBe(0);
    for (const times of [1, 2]) {
      world.isGone = true;
      world.run(9000);
      expect(resets(world)).toBe(times);
      world.isGone = false;
      world.run(2000);
    }
    expect(resets(world)).toBe(2);
  });

  test('also where something before its engine API takes connections and closes them, but not where that is silent', () => {
    for (const [failsAs, times] of [
      ['unreachable', 1],
      ['timeout', 0],
    ] as const) {
      const world = new RestartedClient(level(33n));
      world.engineFailsAs = failsAs;
      world.run(3000);
      world.isGone = true;
      world.run(9000);
      expect(resets(world)).toBe(times);
    }
  });

  test('no oftener than every three seconds, however often it comes and goes', () => {
    const world = new RestartedClient(level(33n));
    world.run(3000);
    for (let second = 0; second < 40; second += 1) {
      world.isGone = !world.isGone;
      world.run(1000);
    }
    expect(resets(world)).toBe(10);
  });

  test.each(['gone', 'back'])(
    'is told again where its driver loop was too busy to take the order, with its client %s',
    (where) => {
      const world = new RestartedClient({ tip: 33n, known: 20n, stateAt: 20n, hasEngine: false });
      world.isGone = where === 'gone';
      world.isBusy = true;
      world.run(4000);
      expect([world.nodeHead, world.clientHead]).toEqual([block(33n), block(20n)]);
      world.isBusy = false;
      world.run(3000);
      const level = where === 'gone' ? block(20n) : block(33n);
      expect([world.nodeHead, world.clientHead]).toEqual([level, level]);
    },
  );

  test('but not where op-node may still reach it, and not on a chain on which it could sync', () => {
    const half = new RestartedClient(level(33n));
    half.isEngineThere = true;
    const long = new RestartedClient(level(128n));
    for (const world of [half, long]) {
      world.run(3000);
      world.isGone = true;
      world.run(20_000);
      expect(resets(world)).toBe(0);
    }
  });
});

describe('while the chain goes on without it', () => {
  function follow(world: RestartedClient, seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      world.tip = block(world.tip.number + 1n);
      world.run(1000);
    }
  }

  test('it may sync: others have what it lacks', () => {
    const world = new RestartedClient({ tip: 330n, known: 328n, stateAt: 0n, areCanonical: true });
    world.hasPeer = true;
    follow(world, 8);
    expect(world.isWiped).toBe(false);
    expect(world.clientHead.number).toBeGreaterThan(330n);
  });

  test('op-node does not make it sync to what comes by gossip on so short a chain, until it is started again', () => {
    const world = new RestartedClient({ tip: 33n, known: 33n, stateAt: 0n, areCanonical: true });
    world.isGone = true;
    world.run(1000);
    world.isGone = false;
    world.hearsGossip = true;
    follow(world, 20);
    expect(world.isWiped).toBe(false);
    expect(world.stuckAtMs).not.toEqual([]);
    world.restart();
    follow(world, 8);
    expect(world.clientHead).toEqual(world.tip);
    const before = resets(world);
    follow(world, 10);
    expect(resets(world)).toBe(before);
  });

  test('not on a chain so short that it would only lose what it has', () => {
    const world = new RestartedClient(afterPowerCut);
    follow(world, 8);
    expect(world.isWiped).toBe(false);
    world.restart();
    follow(world, 2);
    expect(world.clientHead).toEqual(world.tip);
  });
});
