import { beforeEach, describe, expect, test } from 'vitest';
import type { Unhealthy } from '../health/verdict.ts';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import type { Standing } from './control-host.ts';
import { CommitWatchdog } from './watchdog.ts';

const startUnixMs = 1_700_000_000_000;
const refused: CallResult = { kind: 'failed', reason: 'refused', message: 'connection refused' };
const silence: CallResult = { kind: 'failed', reason: 'timeout', message: 'no answer' };

/** A leader at 0 ms whose sequencer builds; blocks of a second. */
class Watched {
  now = 0;
  term = 1;
  isSequencing = true;
  isBusy = false;
  isOverdue = false;
  tipNumber = 7;
  /** Age of the committed head by its own time, seconds; below 0 for one ahead of the clock. */
  tipAgeSeconds = 0;
  /** How far the wall clock was set, milliseconds. */
  clockMs = 0;
  /** Blocks of the node above the committed head. */
  nodeAhead = 0;
  l1Number = 100;
  l1AgeSeconds = 5;
  peersL1: bigint | null = null;
  safeNumber: number | null = 3;
  peersSafe: bigint | null = null;
  /** Others hold the head that have not led since. */
  isLeftToTry = false;
  /** Its op-node is held up, and so many other voters are unfit. */
  heldUpWith: 'nobody' | 'some' | 'all' = 'nobody';
  /** Its client has lost its head. */
  isSyncNeeded = false;
  /** Others have led since this, and ceased to. */
  ceasedMs = -Infinity;
  stoodOnAnothers = 0;
  node: CallResult | null = null;
  client: CallResult = { kind: 'result', value: '0x7' };
  readonly asked: (NodeRequest & { readonly atMs: number })[] = [];
  readonly silent: Unhealthy[] = [];
  standing: Standing | null = null;
  /** Numbers of heads that rose without commits. */
  readonly risen: bigint[] = [];
  goneOn = 0;
  readonly watchdog: CommitWatchdog;
  readonly #unanswered: { request: NodeRequest; end: (result: CallResult) => void }[] = [];
  #tipAtMs = 0;

  constructor() {
    this.watchdog = new CommitWatchdog(1000, {
      nowMs: () => this.now,
      unixMs: () => startUnixMs + this.clockMs + this.now,
      call: (request, then) => {
        this.asked.push({ ...request, atMs: this.now });
        this.#unanswered.push({ request, end: then });
      },
      state: () => this,
      tip: () => ({
        number: BigInt(this.tipNumber),
        hash: hashOf(this.tipNumber),
        timestamp: BigInt(Math.floor((startUnixMs + this.#tipAtMs) / 1000) - this.tipAgeSeconds),
      }),
      peersL1Number: () => this.peersL1,
      peersSafeNumber: () => this.peersSafe,
      isLeftToTry: () => this.isLeftToTry,
      wasTried: ({ sinceMs }) => this.ceasedMs >= sinceMs,
      heldUpWith: () => this.heldUpWith,
      needsSync: () => this.isSyncNeeded,
      silent: (verdict) => void this.silent.push(verdict),
      stands: (standing) => {
        this.standing = standing;
      },
      risesUncommitted: ({ number }) => void this.risen.push(number),
      standsOnAnothers: () => this.stoodOnAnothers++,
      goesOn: () => this.goneOn++,
    });
    this.watchdog.review();
  }

  commit(): void {
    this.hearOfBlock();
    this.watchdog.committed();
  }

  /** A block is committed, whoever built it. */
  hearOfBlock(): void {
    this.tipNumber += 1;
    this.#tipAtMs = this.now;
    this.watchdog.review();
  }

  /** Lets time pass to `ms`; what is asked is answered at once. */
  runTo(ms: number): void {
    for (;;) {
      const due = Math.max(this.now, this.watchdog.nextDeadlineMs());
      if (due > ms) break;
      this.now = due;
      this.watchdog.tick();
      this.answer();
    }
    this.now = ms;
    this.watchdog.review();
  }

  answer(): void {
    for (const { request, end } of this.#unanswered.splice(0))
      end(request.target === 'node' ? (this.node ?? this.#status()) : this.client);
  }

  #status(): CallResult {
    const unsafe = this.tipNumber + this.nodeAhead;
    const value = {
      head_l1: { number: this.l1Number, timestamp: Math.floor((startUnixMs + this.now) / 1000) - this.l1AgeSeconds },
      unsafe_l2: { number: unsafe, hash: hashOf(unsafe), timestamp: Math.floor((startUnixMs + this.now) / 1000) },
      ...(this.safeNumber === null ? {} : { safe_l2: { number: this.safeNumber, hash: hashOf(this.safeNumber) } }),
    };
    return { kind: 'result', value };
  }
}

function hashOf(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

let world = new Watched();
beforeEach(() => {
  world = new Watched();
});

describe('a leader that commits nothing (rule 31)', () => {
  test('asks its node and its client two block times and 250 ms after the last block, 300 ms each', () => {
    world.now = 400;
    world.commit();
    world.runTo(2649);
    expect(world.asked).toEqual([]);
    world.runTo(2650);
    expect(world.asked).toMatchObject([
      { atMs: 2650, target: 'node', method: 'optimism_syncStatus', timeoutMs: 300 },
      { atMs: 2650, target: 'execution', method: 'eth_blockNumber', timeoutMs: 300 },
    ]);
  });

  test('is asked nothing while it commits, does not lead or is not to build', () => {
    for (let second = 1; second < 10; second += 1) {
      world.runTo(second * 1000);
      world.commit();
    }
    expect(world.asked).toEqual([]);
    world.isSequencing = false;
    world.watchdog.review();
    world.runTo(60_000);
    expect(world.asked).toEqual([]);
    expect(world.watchdog.nextDeadlineMs()).toBe(Infinity);
  });

  test.each([
    ['its client refuses connections', { client: refused }, 'executionDown'],
    ['its client is silent', { client: silence }, 'executionDown'],
    ['its node refuses connections', { node: refused }, 'connectionDown'],
    ['its node is silent, whatever the client says', { node: silence }, 'connectionDown'],
  ])('is unhealthy at once where %s', (_, state, cause) => {
    Object.assign(world, state);
    world.runTo(2250);
    expect(world.silent).toMatchObject([{ isHealthy: false, cause, nodeAnswers: false }]);
    expect(world.standing).toBeNull();
  });

  test('only a client that refuses connections is known to be gone, and only beside a node that answers', () => {
    for (const state of [{ client: refused }, { client: silence }, { client: refused, node: silence }]) {
      Object.assign(world, { node: null }, state);
      world.commit();
      world.runTo(world.now + 2250);
    }
    expect(world.silent.map(({ clientIsGone = false }) => clientIsGone)).toEqual([true, false, false]);
  });

  test('hands over where its head merely stands, and says what it has; a block ends that', () => {
    world.runTo(2250);
    expect(world.silent).toEqual([]);
    const head = { number: 7n, sinceMs: 0 };
    expect(world.standing).toEqual({ kind: 'own', l1Number: 100n, safeNumber: 3n, head });
    world.commit();
    expect(world.standing).toBeNull();
    expect(world.goneOn).toBe(1);
  });
});

describe('what does not count (rule 31)', () => {
  /** A payload is pending from the first second on, and overdue after six; others hold the head. */
  function becomeOverdue(): void {
    world.isLeftToTry = true;
    world.runTo(1000);
    world.isBusy = true;
    world.watchdog.review();
    world.runTo(6000);
    Object.assign(world, { isBusy: false, isOverdue: true });
    world.watchdog.review();
    world.runTo(6001);
  }

  test('the time in which a payload is in validation or pending', () => {
    world.runTo(1000);
    world.isBusy = true;
    world.watchdog.review();
    world.runTo(9000);
    expect(world.asked).toEqual([]);
    world.isBusy = false;
    world.watchdog.review();
    world.runTo(11_249);
    expect(world.asked).toEqual([]);
    world.runTo(11_250);
    expect(world.asked).toHaveLength(2);
  });

  test('but once that is overdue it is asked at once, and the head stands', () => {
    becomeOverdue();
    expect(world.asked.map(({ atMs }) => atMs)).toEqual([6000, 6000]);
    expect(world.standing).toMatchObject({ kind: 'own' });
  });

  test('an offer that was refused: what becomes of it is rule 3', () => {
    world.runTo(2000);
    world.watchdog.offered();
    world.runTo(4249);
    expect(world.asked).toEqual([]);
    world.runTo(4250);
    expect(world.asked).toHaveLength(2);
  });

  test('but for one beside a payload that is overdue, whose height it has', () => {
    becomeOverdue();
    expect(world.standing).toMatchObject({ kind: 'own' });
    world.watchdog.offered();
    expect(world.standing).toMatchObject({ kind: 'own' });
  });

  test('but a head that is ahead because the clock was set back does', () => {
    world.runTo(500);
    world.clockMs = -500_000;
    world.runTo(2250);
    expect(world.standing?.kind).toBe('own');
  });

  test('a head ahead of the clock, by as much as it is', () => {
    world.tipAgeSeconds = -5;
    world.runTo(7249);
    expect(world.asked).toEqual([]);
    world.runTo(7250);
    expect(world.asked).toHaveLength(2);
  });

  test('a node that is not at the committed head, as after a reset', () => {
    world.nodeAhead = -1;
    world.runTo(10_000);
    expect(world.asked.length).toBeGreaterThan(2);
    expect(world.standing).toBeNull();
  });

  test('where another voter is unfit while the op-node is held up, it is waited whether that strikes all, as L1 does', () => {
    world.heldUpWith = 'some';
    world.runTo(3100);
    expect(world.standing).toBeNull();
    world.runTo(3300);
    expect(world.standing?.kind).toBe('own');
  });

  test('where all are, the cause is common: the head stands under whoever leads, until somebody is fit again', () => {
    world.heldUpWith = 'all';
    world.runTo(2300);
    expect(world.standing).toMatchObject({ kind: 'common', waitsFor: 'another server' });
    world.heldUpWith = 'nobody';
    world.runTo(3400);
    expect(world.standing?.kind).toBe('own');
  });

  test.each(['some', 'nobody'] as const)(
    'the first to be let go is not handed the lead at once: the others follow in a moment (%s left)',
    (left) => {
      world.heldUpWith = 'all';
      world.runTo(10_100);
      world.heldUpWith = left;
      world.runTo(10_500);
      expect(world.standing?.kind).toBe('common');
      world.runTo(10_900);
      expect(world.standing?.kind).toBe('own');
    },
  );

  test('and no longer than that is so', () => {
    world.heldUpWith = 'some';
    world.runTo(2500);
    expect(world.standing).toBeNull();
    world.heldUpWith = 'nobody';
    world.runTo(2660);
    expect(world.standing?.kind).toBe('own');
  });

  test('a node that stays below what its own sequencer committed hangs: the head stands, where somebody else has it', () => {
    for (const isLeftToTry of [true, false]) {
      const hanging = new Watched();
      hanging.isLeftToTry = isLeftToTry;
      hanging.commit();
      hanging.nodeAhead = -1;
      hanging.runTo(2250);
      expect(hanging.standing).toBeNull();
      hanging.runTo(3250);
      expect(hanging.standing?.kind ?? null).toBe(isLeftToTry ? 'own' : null);
    }
  });

  test('a node that takes nothing, and whose sequencer has built since before it led: the head stands, where somebody else has it', () => {
    for (const isLeftToTry of [true, false]) {
      const stuck = new Watched();
      stuck.isLeftToTry = isLeftToTry;
      stuck.nodeAhead = -4;
      stuck.runTo(2300);
      expect(stuck.standing).toBeNull();
      stuck.nodeAhead = -3;
      stuck.runTo(3300);
      expect(stuck.standing).toBeNull();
      stuck.runTo(4300);
      expect(stuck.standing?.kind ?? null).toBe(isLeftToTry ? 'own' : null);
    }
  });

  test('one whose client is known not to execute what follows its head is not asked twice', () => {
    world.isLeftToTry = true;
    world.isSyncNeeded = true;
    world.commit();
    world.nodeAhead = -1;
    world.runTo(2300);
    expect(world.standing?.kind).toBe('own');
  });

  test('one that is on its way to another block, or further below, does not hang', () => {
    world.isLeftToTry = true;
    world.commit();
    world.nodeAhead = -1;
    world.runTo(2250);
    world.commit();
    world.runTo(world.now + 2250);
    expect(world.standing).toBeNull();
    world.nodeAhead = -2;
    world.runTo(world.now + 5000);
    expect(world.standing).toBeNull();
  });

  test('answers that come when a block has been committed', () => {
    world.now = 2250;
    world.watchdog.tick();
    world.commit();
    world.client = refused;
    world.answer();
    expect(world.silent).toEqual([]);
  });
});

describe('a head that rises above the committed one (rule 27)', () => {
  /** Each second the node has another block. */
  function buildTo(second: number, each: () => void = () => undefined): void {
    for (let at = Math.floor(world.now / 1000) + 1; at <= second; at += 1) {
      world.runTo(at * 1000);
      world.nodeAhead += 1;
      each();
    }
    world.runTo(second * 1000 + 500);
  }

  test('while nothing is offered is told from the second question on', () => {
    buildTo(2);
    expect([world.asked.length, world.risen]).toEqual([2, []]);
    buildTo(5);
    expect(world.risen).toEqual([10n, 11n, 12n]);
    expect(world.standing).toBeNull();
  });

  test('is no news while it stands there, as before the first block after a gap', () => {
    world.nodeAhead = 5;
    world.runTo(20_000);
    expect(world.asked.length).toBeGreaterThan(20);
    expect(world.risen).toEqual([]);
  });

  test('and whose blocks are offered, refused or in validation is none either', () => {
    buildTo(10, () => world.watchdog.offered());
    buildTo(20, () => {
      for (const isBusy of [true, false]) {
        world.isBusy = isBusy;
        world.watchdog.review();
      }
    });
    expect(world.risen).toEqual([]);
  });

  test('counts anew after a payload was under way', () => {
    world.nodeAhead = 1;
    world.runTo(2400);
    for (const isBusy of [true, false]) {
      world.isBusy = isBusy;
      world.watchdog.review();
    }
    world.nodeAhead = 2;
    world.runTo(4700);
    expect([world.asked.length, world.risen]).toEqual([4, []]);
    world.nodeAhead = 3;
    world.runTo(5700);
    expect(world.risen).toEqual([10n]);
  });

  test('counts anew after an offer, and where it went back', () => {
    buildTo(4);
    expect(world.risen).toEqual([10n, 11n]);
    world.watchdog.offered();
    buildTo(6);
    world.runTo(world.now + 300);
    expect(world.risen).toEqual([10n, 11n]);
    world.nodeAhead = 0;
    world.runTo(world.now + 2000);
    world.nodeAhead = 1;
    world.runTo(world.now + 2000);
    expect(world.risen).toEqual([10n, 11n]);
  });

  test('and is committed a moment later is none', () => {
    for (let second = 1; second < 20; second += 1) {
      world.runTo(second * 1000 - 100);
      world.nodeAhead = 1;
      world.runTo(second * 1000);
      world.nodeAhead = 0;
      world.commit();
    }
    expect(world.risen).toEqual([]);
  });
});

describe('a cause that is common moves nobody again (rule 31)', () => {
  /** It takes over a head that has stood so long under another leader. */
  function takeOver(afterMs: number, isLeftToTry = false, set: (next: Watched) => void = () => undefined): Watched {
    const next = new Watched();
    set(next);
    next.isLeftToTry = isLeftToTry;
    next.isSequencing = false;
    next.watchdog.review();
    next.runTo(afterMs);
    next.term = 2;
    next.isSequencing = true;
    next.watchdog.review();
    next.runTo(afterMs + 2250);
    return next;
  }

  test('a leader under which the head stands as it did under the one before keeps leadership', () => {
    expect(takeOver(2500).standing?.kind).toBe('common');
  });

  test('but for one beside whom somebody has not had a turn: two are no proof', () => {
    expect(takeOver(2500, true).standing?.kind).toBe('own');
  });

  test('one that took over from a leader that was lost at once has a cause of its own', () => {
    expect(takeOver(1200).standing?.kind).toBe('own');
  });

  test('so has one whose sequencer has sealed a block that is overdue', () => {
    const next = takeOver(2500, false, (one) => (one.isBusy = true));
    next.runTo(7500);
    Object.assign(next, { isBusy: false, isOverdue: true });
    next.watchdog.review();
    next.runTo(7501);
    expect(next.standing?.kind).toBe('own');
  });

  test('one that has committed since has a cause of its own', () => {
    const next = takeOver(2500);
    next.commit();
    next.runTo(next.now + 2250);
    expect(next.standing?.kind).toBe('own');
  });

  test('it is held while L1 stands, and left to the age of the head when L1 has gone on', () => {
    const next = takeOver(2500);
    next.runTo(30_000);
    expect(next.standing?.kind).toBe('common');
    next.l1Number += 1;
    next.runTo(31_500);
    expect(next.standing).toBeNull();
  });

  test('a peer that knows a newer L1 block ends it, too', () => {
    const next = takeOver(2500);
    next.peersL1 = 101n;
    next.runTo(6000);
    expect(next.standing).toBeNull();
  });

  test('and its node is made to look also where L1 has gone on by then: it may lack the origin of what another built', () => {
    const next = takeOver(2500, false, (one) => (one.peersL1 = 101n));
    expect([next.standing, next.stoodOnAnothers]).toEqual([null, 1]);
  });

  test('a chain that is as far ahead of L1 as it may be is handed to nobody, unless a peer knows more of L1', () => {
    world.l1AgeSeconds = 1700;
    world.peersL1 = 100n;
    world.runTo(2250);
    expect(world.standing?.kind).toBe('common');
    const other = new Watched();
    other.l1AgeSeconds = 1700;
    other.peersL1 = 101n;
    other.runTo(2250);
    expect(other.standing?.kind).toBe('own');
  });

  test('the next time that the head stands for all is judged by itself', () => {
    world.l1AgeSeconds = 1700;
    world.peersL1 = 100n;
    world.runTo(2250);
    world.l1Number += 1;
    world.peersL1 = 101n;
    world.commit();
    world.runTo(world.now + 2250);
    expect(world.standing?.kind).toBe('common');
  });

  test('an L1 that stands keeps no sequencer from building before that: the cause is its own', () => {
    world.l1AgeSeconds = 600;
    world.peersL1 = 100n;
    world.runTo(2250);
    expect(world.standing?.kind).toBe('own');
  });

  test('beside op-conductors, which do not say how far their L1 is, an old L1 is nobody else’s', () => {
    world.l1AgeSeconds = 2000;
    world.runTo(2250);
    expect(world.standing?.kind).toBe('own');
  });
});

describe('starts that are worth one block each, as where the safe head is too far behind (rule 31)', () => {
  /**
   * It takes over from two others, under each of whom one block came, every 2.5 s, and commits so many itself, half a second
   * apart; then its head stands. The first of those blocks came at 2500 ms.
   */
  function lastOfThree(commits = 1, change: (next: Watched) => void = () => undefined): Watched {
    const next = new Watched();
    next.isSequencing = false;
    next.watchdog.review();
    for (const atMs of [2500, 5000]) {
      next.runTo(atMs);
      next.hearOfBlock();
    }
    next.runTo(7500);
    next.term = 4;
    next.isSequencing = true;
    next.ceasedMs = 7500;
    next.watchdog.review();
    for (let block = 0; block < commits; block += 1) {
      next.commit();
      next.runTo(next.now + 500);
    }
    change(next);
    next.runTo(next.now + 2250);
    return next;
  }
  const head = { number: 10n, sinceMs: 2500 };

  test('a leader that has built one block, as the others did, keeps leadership: the next one would build one, too', () => {
    const common = { kind: 'common', waitsFor: 'the safe head', l1Number: 100n, safeNumber: 3n, head };
    expect(lastOfThree().standing).toEqual(common);
  });

  test.each<[string, (next: Watched) => void]>([
    ['beside whom somebody has not had a turn', (next) => (next.isLeftToTry = true)],
    ['that has led alone', (next) => (next.ceasedMs = 2499)],
  ])('not one %s; who had a turn goes by when the first of them came', (_, change) => {
    expect(lastOfThree(1, change).standing).toMatchObject({ kind: 'own', head });
  });

  test('one that has built two in a row has a cause of its own', () => {
    const next = lastOfThree(2);
    expect(next.standing).toMatchObject({ kind: 'own', head: { number: 11n, sinceMs: 8000 } });
  });

  test('one under which blocks come, each late, has a cause of its own when none follows', () => {
    const next = lastOfThree();
    for (const atMs of [9600, 11_300]) {
      next.runTo(atMs);
      next.commit();
    }
    next.runTo(next.now + 2250);
    expect(next.standing?.kind).toBe('own');
  });

  test('it is held while the safe head stands, however far L1 goes on', () => {
    const next = lastOfThree();
    next.l1Number += 100;
    next.peersL1 = 300n;
    next.runTo(600_000);
    expect(next.standing?.kind).toBe('common');
  });

  test('and no longer than ten minutes: the cause may be another one, which is this server’s alone by now', () => {
    const next = lastOfThree();
    next.runTo(610_000);
    expect(next.standing).toBeNull();
  });

  test.each<[string, (next: Watched) => void]>([
    ['has gone on', (next) => (next.safeNumber = 4)],
    ['is further for a peer', (next) => (next.peersSafe = 4n)],
    ['is the head', (next) => (next.safeNumber = 10)],
  ])(
    'and left to the age of the head where the safe head %s, and two block times later nothing has come of it',
    (_, change) => {
      const next = lastOfThree();
      next.runTo(20_000);
      change(next);
      next.runTo(21_500);
      expect(next.standing?.kind).toBe('common');
      next.runTo(23_500);
      expect(next.standing).toBeNull();
    },
  );

  test('a node that says nothing of its safe head is not held for it', () => {
    const next = lastOfThree(1, (one) => (one.safeNumber = null));
    expect(next.standing).toBeNull();
  });
});

describe('a head that stands (rule 31)', () => {
  test('may lack its L1 origin here where another leader built it, and not where the own sequencer did', () => {
    world.runTo(2250);
    expect(world.stoodOnAnothers).toBe(1);
    world.commit();
    world.runTo(world.now + 5000);
    expect([world.standing?.kind, world.stoodOnAnothers]).toEqual(['own', 1]);
  });
});
