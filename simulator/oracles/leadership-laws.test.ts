import { describe, expect, test } from 'vitest';
import { Suffrage } from '#conductor/core/raft/types';
import type { RaftStatus } from '#conductor/core/raft/status';
import { defaultConfiguration, type Configuration } from '../configuration.ts';
import type { EventKind, SimEvent } from '../faults.ts';
import type { Machine } from '../machine.ts';
import { RUN_VERSION, type Run } from '../run-value.ts';
import type { World } from '../world.ts';
import { leaderIsFound, oneLeaderAtATime } from './leadership-laws.ts';
import { leadershipIsHandedOver, leadershipIsKept, takeoverIsQuick } from './settled-leader-laws.ts';
import type { Law } from './oracle.ts';

const servers = ['s0', 's1', 's2'].map((id) => ({ id, address: id, suffrage: Suffrage.voter }));

interface Server {
  role: 'leader' | 'follower';
  term: number;
  isRunning: boolean;
  /** The first of the servers that it acts for. */
  from?: number;
  leaderId: string | null;
}

/** A world of three servers that the test sets as it likes. */
function worldOf() {
  const states: Server[] = servers.map(() => ({ role: 'follower', term: 1, isRunning: true, leaderId: null }));
  const cut = new Set<string>();
  const clock = { nowMs: 0 };
  const machines = states.map((state, index) => ({
    id: `s${index}`,
    index,
    get worldMs() {
      return clock.nowMs;
    },
    get isRunning() {
      return state.isRunning;
    },
    disk: { failures: 0, extraLatencyMs: 0, hardState: { recovering: false } },
    conductor: { status: () => statusOf(state), position: () => statusOf(state) },
  }));
  const configuration = { ...defaultConfiguration };
  const world = {
    configuration,
    get nowMs() {
      return clock.nowMs;
    },
    machines,
    machine: (at: number) => machines[at % 3],
    isWhereItIsLookedFor: () => true,
    links: { isClean: (a: number, b: number) => !cut.has(`${a}${b}`) && !cut.has(`${b}${a}`) },
  };
  return {
    world: world as unknown as World,
    configuration,
    states,
    cut,
    clock,
    machines: machines as unknown as Machine[],
  };
}

function statusOf({ role, term, leaderId, from = 0 }: Server): RaftStatus {
  const configuration = { index: 1, configuration: { servers: servers.slice(from) } };
  return { role, term, leaderId, commitIndex: 1, configuration } as unknown as RaftStatus;
}

type Setting = ReturnType<typeof worldOf>;

function judged(law: Law) {
  const setting = worldOf();
  const complaints: string[] = [];
  const oracle = law(
    (message) => complaints.push(message),
    () => undefined,
  );
  oracle.watch?.(setting.world);
  const look = (): void => {
    for (const [at, machine] of setting.machines.entries())
      if (setting.states[at]!.isRunning) oracle.observed?.(machine, statusOf(setting.states[at]!));
  };
  const wait = (ms: number): void => {
    for (const endMs = setting.clock.nowMs + ms; setting.clock.nowMs < endMs; setting.clock.nowMs += 50) look();
  };
  const finish = (run: Run, calmFromMs: number): void => oracle.finish?.({ run, calmFromMs, world: setting.world });
  const publish = (): void => oracle.published?.(setting.machines[1]!, {} as never);
  return { ...setting, complaints, wait, finish, publish };
}

function beside({ states, configuration }: Setting): void {
  states[1]!.from = 1;
  Object.assign(configuration, { opConductors: 1 });
}

describe('a leader is found', () => {
  test.each([
    ['all run', () => undefined, 1],
    ['two of three run', ({ states }: Setting) => void (states[2]!.isRunning = false), 1],
    ['one of three runs', ({ states }: Setting) => states.slice(1).forEach((state) => (state.isRunning = false)), 0],
    ['a link is cut', ({ cut }: Setting) => void cut.add('01'), 0],
    ['one acts for fewer members', ({ states }: Setting) => void (states[1]!.from = 1), 1],
    ['one acts for fewer, beside an op-conductor', beside, 0],
    [
      'one leads',
      ({ states }: Setting) => {
        states[1]!.role = 'leader';
        for (const state of states) state.leaderId = 's1';
      },
      0,
    ],
  ])('when %s', (_, set, expected) => {
    const { wait, complaints, ...setting } = judged(leaderIsFound);
    set(setting);
    wait(7000);
    expect(complaints).toEqual([]);
    wait(3000);
    expect(complaints.length > 0 ? 1 : 0).toBe(expected);
  });
});

test('no time counts in which nobody ran, so that nobody was looked at', () => {
  const { wait, complaints, states } = judged(leaderIsFound);
  wait(5000);
  for (const state of states) state.isRunning = false;
  wait(5000);
  for (const state of states) state.isRunning = true;
  wait(5000);
  expect(complaints).toEqual([]);
  wait(4000);
  expect(complaints.length).toBeGreaterThan(0);
});

describe('a leader is known', () => {
  test.each([
    ['to whoever reaches it', () => undefined, 1],
    ['not to a server that does not run', ({ states }: Setting) => void (states[2]!.isRunning = false), 0],
    ['not to one that it does not reach', ({ cut }: Setting) => void cut.add('02'), 0],
  ])('%s', (_, set, expected) => {
    const { wait, complaints, ...setting } = judged(leaderIsFound);
    Object.assign(setting.states[0]!, { role: 'leader', term: 2, leaderId: 's0' });
    Object.assign(setting.states[1]!, { term: 2, leaderId: 's0' });
    set(setting);
    wait(3900);
    expect(complaints).toEqual([]);
    wait(1000);
    expect(complaints.length > 0 ? 1 : 0).toBe(expected);
    if (expected > 0) expect(complaints[0]).toBe('s2 reaches the leader, s0, and has known of none since 0');
  });
});

describe('one leader at a time', () => {
  test('a deposed one may believe that it leads for a while', () => {
    const { wait, complaints, states } = judged(oneLeaderAtATime);
    Object.assign(states[0]!, { role: 'leader', term: 2 });
    wait(5000);
    Object.assign(states[1]!, { role: 'leader', term: 3 });
    wait(2000);
    expect(complaints).toEqual([]);
    wait(2000);
    expect(complaints[0]).toMatch(/s0 leads term 2 and does not notice/);
  });

  test('one that is frozen cannot notice', () => {
    const { wait, complaints, states } = judged(oneLeaderAtATime);
    Object.assign(states[0]!, { role: 'leader', term: 2, isRunning: false });
    Object.assign(states[1]!, { role: 'leader', term: 3 });
    wait(9000);
    expect(complaints).toEqual([]);
  });
});

function runOf(kind: EventKind, at: number, amount = 0): Run {
  const event: SimEvent = { kind, afterMs: 5000, at, to: 0, forMs: 1000, amount };
  return { version: RUN_VERSION, configuration: defaultConfiguration, events: [event] };
}

/** s0 leads; an event strikes at 5 s, s1 leads from `replacedMs` after that on, and the run ends. */
function replaced(law: Law, run: Run, replacedMs: number, settings: Partial<Configuration> = {}): string[] {
  const { wait, complaints, states, finish, world } = judged(law);
  Object.assign(world, { configuration: { ...defaultConfiguration, ...settings } });
  Object.assign(states[0]!, { role: 'leader', term: 2 });
  wait(5000 + replacedMs);
  Object.assign(states[0]!, { role: 'follower', term: 3 });
  Object.assign(states[1]!, { role: 'leader', term: 3 });
  wait(10_000);
  finish(run, 6000);
  return complaints;
}

test.each([
  ['when a follower fails', 'crash', 1, 500, 1],
  ['when the leader itself fails', 'crash', 0, 500, 0],
  ['when two do not reach each other', 'split', 0, 500, 1],
  ['until the fault is long over', 'crash', 1, 6000, 0],
  ['when everybody is concerned', 'allDown', 1, 500, 0],
] as const)('leadership is kept: %s', (_, kind, at, replacedMs, expected) => {
  expect(replaced(leadershipIsKept, runOf(kind, at), replacedMs)).toHaveLength(expected);
});

test.each([
  ['while its writes stall', 'stallingDisk', 1000, 1],
  ['while it stands still for at most 200 ms', 'standing', 125, 1],
  ['while it stands still for longer', 'standing', 126, 0],
  ['while it is frozen', 'freeze', 0, 0],
] as const)('a leader is waited for %s', (_, kind, amount, expected) => {
  expect(replaced(leadershipIsKept, runOf(kind, 0, amount), 500)).toHaveLength(expected);
});

test.each([
  ['its node is late by less than a block', 'stall', 900, 0, 0, 1],
  ['its node is late by more than that', 'stall', 950, 0, 0, 0],
  ['its client refuses one block', 'badSeal', 1000, 0, 1, 1],
  ['its client refuses two', 'badSeal', 1000, 3, 1, 0],
  ['nobody asks its client', 'badSeal', 1000, 0, 0, 0],
] as const)('leadership is kept where %s', (_, kind, forMs, amount, engine, expected) => {
  const run = runOf(kind, 0);
  const events = run.events.map((event) => ({ ...event, forMs, amount }));
  expect(replaced(leadershipIsKept, { ...run, events }, 500, { engine })).toHaveLength(expected);
});

test.each([
  ['a leader that ends is followed at once', 'upgrade', 0, 100, 0],
  ['a leader that ends costs an election', 'upgrade', 0, 150, 1],
  ['a follower ends', 'upgrade', 2, 150, 0],
  ['to the one that was named', 'transferTo', 1, 100, 0],
  ['to a different one than was named', 'transferTo', 2, 100, 1],
  ['to anybody', 'transfer', 2, 100, 0],
] as const)('leadership is handed over: %s', (_, kind, at, replacedMs, expected) => {
  // Eight messages of at most 10 ms one way, and 25 ms.
  const settings = { delayMaxUs: 10_000 };
  expect(replaced(leadershipIsHandedOver, runOf(kind, at), replacedMs, settings)).toHaveLength(expected);
});

test.each([
  ['a leader whose node has no peers is followed after a check', 'lonely', 0, 3000, 100, 0, 0],
  ['it leads on', 'lonely', 0, 3000, 150, 0, 1],
  ['it has peers again before a check', 'lonely', 0, 2000, 1150, 0, 0],
  ['a follower has none', 'lonely', 1, 3000, 150, 0, 0],
  ['the peers of its client are counted', 'lonelyClient', 0, 3000, 150, 1, 1],
  ['they are not', 'lonelyClient', 0, 3000, 150, 0, 0],
] as const)('leadership is handed over: %s', (_, kind, at, forMs, replacedMs, clientPeers, expected) => {
  const run = runOf(kind, at);
  const events = run.events.map((event) => ({ ...event, forMs }));
  const settings = { delayMaxUs: 10_000, clientPeers };
  expect(replaced(leadershipIsHandedOver, { ...run, events }, replacedMs, settings)).toHaveLength(expected);
});

test.each([
  ['at once', 'crash', 0, 800, 1, 0],
  ['late', 'crash', 0, 2500, 1, 1],
  ['late, and blocks come every two seconds', 'crash', 0, 2500, 2, 0],
  ['late, after the end of a follower', 'crash', 1, 2500, 1, 0],
  ['late, after something else', 'isolate', 0, 2500, 1, 0],
] as const)('a takeover goes on %s', (_, kind, at, afterMs, blockSeconds, expected) => {
  const { wait, complaints, states, finish, publish, configuration } = judged(takeoverIsQuick);
  Object.assign(configuration, { blockSeconds });
  Object.assign(states[0]!, { role: 'leader', term: 2 });
  wait(5100);
  Object.assign(states[0]!, { role: 'follower', term: 3 });
  Object.assign(states[1]!, { role: 'leader', term: 3 });
  wait(afterMs);
  publish();
  wait(3000);
  finish(runOf(kind, at), 6000);
  expect(complaints).toHaveLength(expected);
});
