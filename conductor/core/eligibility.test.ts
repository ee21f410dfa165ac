import { describe, expect, test } from 'vitest';
import type { ConductorOptions, ConductorPorts } from './conductor-options.ts';
import type { ControlLoop } from './control/loop.ts';
import type { StartTrouble } from './control/start-failures.ts';
import type { ObservationKind } from './evidence/observation.ts';
import type { OwnWord } from './evidence/observer.ts';
import { NodeHealth } from './node-health.ts';
import type { RaftNode } from './raft/node.ts';
import { HEALTH_DEFAULTS } from './health/check.ts';

const unixSeconds = 1_700_000_000;

/** What is to be told of: a node whose rounds end so, beside such a conductor. */
interface State {
  /** Age of its head, seconds. */
  readonly age?: number;
  readonly head?: number;
  readonly committed?: bigint | null;
  /** The height of a block that was refused. */
  readonly refused?: number;
  readonly peers?: number;
  readonly isLeader?: boolean;
  readonly startTrouble?: StartTrouble;
  readonly word?: Partial<OwnWord>;
  readonly isClientGone?: boolean;
  readonly control?: Partial<Pick<ControlLoop, 'isPaused' | 'isOverridden' | 'isStopped'>>;
  /** What else the heads are a second later. */
  readonly later?: Later;
  /** A second after that. */
  readonly last?: Later;
}

interface Later {
  readonly unsafe?: Partial<ToldHead>;
  readonly l1?: Partial<ToldHead>;
}

interface ToldHead {
  readonly number: number;
  readonly hash: string;
}

/** What it tells its peers of its eligibility. */
function told(state: State): boolean | null | undefined {
  return statusOf(state)?.healthy;
}

function statusOf(state: State): { readonly healthy: boolean | null; readonly paused: boolean } | undefined {
  return checked(state).peerStatus.at(-1);
}

/** What one round of checks tells the peers, and when the node is looked at for it. */
function checked(state: State) {
  let now = 0;
  const looks: number[] = [];
  const alarms: string[] = [];
  const peerStatus: { healthy: boolean | null; paused: boolean }[] = [];
  const calls: (() => void)[] = [];
  const options = {
    raft: { id: 'a' },
    health: HEALTH_DEFAULTS,
    healthIntervalMs: 1000,
    blockTimeMs: 1000,
  } as unknown as ConductorOptions;
  const nothing = (): void => undefined;
  const ports = {
    wallClock: { unixMs: () => unixSeconds * 1000 + now, aheadMs: () => unixSeconds * 1000 },
    metrics: { count: nothing, gauge: nothing, observe: nothing },
    logger: { log: nothing },
    events: { publish: nothing },
  } as unknown as ConductorPorts;
  const health = new NodeHealth(options, ports, {
    control: {
      isPaused: false,
      isOverridden: false,
      isStopped: false,
      startedAtMs: null,
      commandEpoch: 0,
      startTrouble: state.startTrouble ?? 'none',
      verdictChanged: nothing,
      nodeIsAt: nothing,
      publishesRefused: ({ hash }: { readonly hash: string }) => void alarms.push(hash),
      observeActive: nothing,
      ...state.control,
    } as unknown as ControlLoop,
    raft: {
      setLocalStatus: (known: { healthy: boolean | null; paused: boolean }) => void peerStatus.push(known),
      position: () => ({ role: (state.isLeader ?? false) ? 'leader' : 'follower' }),
    } as unknown as RaftNode,
    observer: {
      word: { safeNumber: null, observations: [], needsSync: false, isHeldUp: false, ...state.word },
      lookNow: () => void looks.push(now),
    },
    nowMs: () => now,
    call: ({ method }, then) =>
      void calls.push(() =>
        state.isClientGone === true && method.startsWith('eth_')
          ? then({ kind: 'failed', reason: 'refused', message: 'connection refused' })
          : then({ kind: 'result', value: answers[method] }),
      ),
    isRefused: (block) => block.number === BigInt(state.refused ?? -1),
    committedHead: () => (state.committed === undefined ? 100n : state.committed),
  });
  now = 1000;
  health.monitor.tick();
  const head = { number: state.head ?? 100, hash: `0x${'11'.repeat(32)}`, timestamp: unixSeconds - (state.age ?? 0) };
  const l1 = { number: 7, hash: `0x${'33'.repeat(32)}` };
  const answers: Record<string, unknown> = {
    optimism_syncStatus: { unsafe_l2: head, safe_l2: head, head_l1: l1 },
    eth_blockNumber: '0x64',
    opp2p_peerStats: { connected: state.peers ?? 1 },
    admin_sequencerActive: false,
  };
  for (const answer of calls.splice(0)) answer();
  for (const later of [state.later, state.last]) {
    if (later === undefined) continue;
    now += 1000;
    health.monitor.tick();
    const { unsafe = {}, l1: newest = {} } = later;
    answers['optimism_syncStatus'] = {
      unsafe_l2: { ...head, ...unsafe },
      safe_l2: head,
      head_l1: { ...l1, ...newest },
    };
    for (const answer of calls.splice(0)) answer();
  }
  return { peerStatus, looks, alarms };
}

describe('what peers are told of a node (rules 16 to 19)', () => {
  test('one whose checks pass is eligible', () => {
    expect(told({})).toBe(true);
  });

  test('stall-bounce: while nobody builds, the old head of a follower says nothing about its sequencer', () => {
    expect(told({ age: 60 })).toBeNull();
    expect(told({ age: 60, head: 90 })).toBeNull();
    expect(told({ age: 60, committed: null })).toBeNull();
  });

  test('one that is far behind what is committed is not fit', () => {
    expect(told({ age: 60, head: 89 })).toBe(false);
  });

  test('one that has left what is committed, as L1 made it, is not behind that: it may build in its place', () => {
    const left = (...kinds: ObservationKind[]) => [{ number: 90n, hash: `0x${'22'.repeat(32)}`, kinds }];
    expect(told({ age: 60, head: 89, word: { observations: left('left') } })).toBeNull();
    expect(told({ age: 60, head: 89, word: { observations: left('l1') } })).toBeNull();
    expect(told({ age: 60, head: 89, word: { observations: left('holds') } })).toBe(false);
    expect(told({ age: 60, head: 89, isLeader: true, word: { observations: left('left') } })).toBe(false);
  });

  test('a leader whose head is old is not fit: it is the one that should build', () => {
    expect(told({ age: 60, isLeader: true })).toBe(false);
  });

  test('a follower with a trouble that keeps nobody from building says that it does not know', () => {
    expect(told({ age: 60, peers: 0 })).toBeNull();
    expect(told({ peers: 0 })).toBeNull();
    expect(told({ peers: 0, head: 89 })).toBe(false);
    expect(told({ peers: 0, isLeader: true })).toBe(false);
  });

  test('one whose client does not answer is not fit', () => {
    expect(told({ isClientGone: true })).toBe(false);
  });

  test('one whose conductor would not start it is not to be given leadership: paused, overridden or about to end', () => {
    expect(statusOf({})).toMatchObject({ healthy: true, paused: false });
    for (const control of [{ isPaused: true }, { isOverridden: true }, { isStopped: true }])
      expect(statusOf({ control })).toMatchObject({ healthy: true, paused: true });
  });

  test('from when on its client is gone is looked at once: it cannot have executed what came later', () => {
    expect(checked({ isClientGone: true }).looks).toEqual([1000]);
    expect(checked({}).looks).toEqual([]);
  });

  const another = `0x${'44'.repeat(32)}`;
  test.each<[string, Later]>([
    ['L1 block at the same height', { l1: { hash: another } }],
    ['L1 block below', { l1: { number: 6, hash: another } }],
    ['head at the same height', { unsafe: { hash: another } }],
    ['head below', { unsafe: { number: 98, hash: another } }],
  ])(
    'one that tells of another %s has gone back, and is looked at once: others have to hear what it left',
    (_, later) => {
      expect(checked({ later }).looks).toEqual([2000]);
    },
  );

  const none = { number: 0, hash: `0x${'0'.repeat(64)}` };
  test('also where it tells of none in between, being reset', () => {
    const { looks } = checked({ later: { unsafe: none, l1: none }, last: { unsafe: { number: 98, hash: another } } });
    expect(looks).toEqual([3000]);
    expect(checked({ later: { l1: none }, last: { l1: { hash: another } } }).looks).toEqual([3000]);
  });

  test.each<[string, Later]>([
    ['tells of the same heads', {}],
    ['has got further', { unsafe: { number: 101, hash: another }, l1: { number: 8, hash: another } }],
    ['tells of none, being reset', { unsafe: none, l1: none }],
  ])('but not one that %s', (_, later) => {
    expect(checked({ later }).looks).toEqual([]);
  });

  test('one that stands on a block whose commit was refused is not fit, and raises an alarm, unless an operator has taken over', () => {
    const other = { number: 101n, hash: `0x${'33'.repeat(32)}`, parentHash: `0x${'11'.repeat(32)}` };
    for (const [state, count] of [
      [{ refused: 100 }, 1],
      [{ refused: 101, word: { client: other } }, 1],
      [{ refused: 99 }, 0],
      [{ refused: 100, control: { isOverridden: true } }, 0],
    ] as const) {
      const { peerStatus, alarms } = checked(state);
      expect(alarms).toHaveLength(count);
      expect(peerStatus.at(-1)?.healthy).toBe(count === 0);
    }
  });

  test('unprovisioned: one whose sequencer could not be started lately is not fit, however healthy it looks', () => {
    expect(told({ startTrouble: 'unfit' })).toBe(false);
    expect(told({ startTrouble: 'unfit', age: 60 })).toBe(false);
  });

  test('one that executes nothing before it has synced, or whose op-node is held up, is not fit, whatever its checks say', () => {
    for (const word of [{ needsSync: true }, { isHeldUp: true }]) {
      expect(told({ word })).toBe(false);
      expect(told({ word, age: 60 })).toBe(false);
    }
  });

  test('unprovisioned: a while later it is not known whether it could be started', () => {
    expect(told({ startTrouble: 'doubtful' })).toBeNull();
    expect(told({ startTrouble: 'doubtful', age: 60 })).toBeNull();
    expect(told({ startTrouble: 'doubtful', peers: 0 })).toBeNull();
  });
});
