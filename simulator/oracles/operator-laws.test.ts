import { voters } from '#conductor/core/raft/testing/messages';
import { describe, expect, it } from 'vitest';
import type { ConductorEvent } from '#conductor/core/events';
import type { Machine } from '../machine.ts';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { NodeRequest } from '#conductor/core/node/calls';
import type { Outcome } from '#conductor/core/rpc/message';
import { defaultConfiguration } from '../configuration.ts';
import type { Call } from '../observer.ts';
import { RUN_VERSION } from '../run-value.ts';
import type { Ending } from './oracle.ts';
import {
  endsInOrder,
  pausedIsTold,
  pausedLeaderStays,
  pausedStandsStill,
  resumedIsAsItShould,
} from './operator-laws.ts';

const machine = { id: 's1' } as unknown as Machine;

function watched() {
  const complaints: string[] = [];
  const oracle = pausedStandsStill(
    (message) => complaints.push(message),
    () => undefined,
  );
  const call = (method: string): void =>
    oracle.handled?.(machine, { kind: 'rpc', method } as unknown as ConductorEvent);
  return { oracle, complaints, call };
}

describe('a paused conductor', () => {
  it('orders nothing', () => {
    const { oracle, complaints, call } = watched();
    oracle.ordered?.(machine, 'admin_startSequencer', '');
    call('conductor_pause');
    expect(complaints).toEqual([]);
    oracle.ordered?.({ id: 's2' } as unknown as Machine, 'admin_stopSequencer', '');
    // Decided on before, in the same turn.
    oracle.ordered?.(machine, 'admin_stopSequencer', '');
    expect(complaints).toEqual([]);
    oracle.observed?.(machine, {} as RaftPosition);
    oracle.ordered?.(machine, 'admin_stopSequencer', '');
    expect(complaints).toEqual(['s1 is paused and calls admin_stopSequencer']);
  });

  it('leaves its node and client as they are, but for recover mode, which is given back', () => {
    const { oracle, complaints, call } = watched();
    const ask = (method: string, params = '[]'): void =>
      oracle.asked?.(machine, { method, params } as unknown as NodeRequest);
    ask('admin_resetDerivationPipeline');
    call('conductor_pause');
    ask('debug_setHead');
    oracle.observed?.(machine, {} as RaftPosition);
    ask('admin_setRecoverMode', '[false]');
    ask('admin_postUnsafePayload');
    expect(complaints).toEqual([]);
    ask('admin_resetDerivationPipeline');
    ask('debug_setHead');
    ask('admin_setRecoverMode', '[true]');
    call('conductor_resume');
    ask('admin_resetDerivationPipeline');
    const methods = ['admin_resetDerivationPipeline', 'debug_setHead', 'admin_setRecoverMode'];
    expect(complaints).toEqual(methods.map((method) => `s1 is paused and calls ${method}`));
  });

  it.each([
    ['is resumed', (call: (method: string) => void) => call('conductor_resume')],
    ['is told to stop', (call: (method: string) => void) => call('conductor_stop')],
  ])('may again when it %s', (_, ends) => {
    const { oracle, complaints, call } = watched();
    call('conductor_pause');
    ends(call);
    oracle.ordered?.(machine, 'admin_stopSequencer', '');
    expect(complaints).toEqual([]);
  });

  it('orders nothing when it was started with --paused, until it is resumed', () => {
    const { oracle, complaints, call } = watched();
    oracle.started?.({ id: 's1', isStartedPaused: true } as unknown as Machine);
    oracle.ordered?.(machine, 'admin_stopSequencer', '');
    expect(complaints).toHaveLength(1);
    call('conductor_resume');
    oracle.ordered?.(machine, 'admin_stopSequencer', '');
    expect(complaints).toHaveLength(1);
  });

  it('may when its process ends, and in its next life', () => {
    const { oracle, complaints, call } = watched();
    call('conductor_pause');
    oracle.handled?.(machine, { kind: 'drain', reason: 'SIGTERM' });
    oracle.ordered?.(machine, 'admin_stopSequencer', '');
    call('conductor_pause');
    oracle.observed?.(machine, {} as RaftPosition);
    oracle.ordered?.(machine, 'admin_stopSequencer', '');
    expect(complaints).toEqual([]);
    oracle.ordered?.(machine, 'admin_startSequencer', '');
    expect(complaints).toEqual(['s1 is paused and calls admin_startSequencer']);
    oracle.started?.(machine);
    oracle.ordered?.(machine, 'admin_startSequencer', '');
    expect(complaints).toHaveLength(1);
  });
});

describe('what a leader hears of a paused conductor', () => {
  /** What is said after so long, when the leader hears this; the calls are made first, in the first millisecond. */
  function complaintsAfter(ms: number, peerStatus: { paused: boolean } | null, ...calls: readonly string[]): string[] {
    const complaints: string[] = [];
    const oracle = pausedIsTold(
      (message) => complaints.push(message),
      () => undefined,
    );
    const paused = { id: 's1', worldMs: 1, isStartedPaused: true } as unknown as Machine;
    for (const method of calls) {
      if (method === '--paused') oracle.started?.(paused);
      else if (method === 'end') oracle.ended?.(paused);
      else if (method.startsWith('override ')) {
        const values = [method === 'override true'];
        const call = { kind: 'rpc', method: 'conductor_overrideLeader', values };
        oracle.handled?.(paused, call as unknown as ConductorEvent);
      } else oracle.handled?.(paused, { kind: 'rpc', method } as unknown as ConductorEvent);
    }
    const conductor = { status: () => ({ peers: [{ id: 's1', peerStatus }] }) };
    const leader = { id: 's0', worldMs: 1 + ms, conductor } as unknown as Machine;
    oracle.observed?.(leader, { role: 'leader' } as RaftPosition);
    return complaints;
  }

  it('is that it is paused, or nothing, once the news had time to arrive', () => {
    const told = ['s1 has been paused for 8001 ms, and s0 hears that it is not'];
    expect(complaintsAfter(8001, { paused: false }, 'conductor_pause')).toEqual(told);
    expect(complaintsAfter(8001, { paused: false }, 'conductor_pause', 'conductor_pause')).toEqual(told);
    expect(complaintsAfter(8000, { paused: false }, 'conductor_pause')).toEqual([]);
    expect(complaintsAfter(8001, { paused: true }, 'conductor_pause')).toEqual([]);
    expect(complaintsAfter(8001, null, 'conductor_pause')).toEqual([]);
    expect(complaintsAfter(8001, { paused: false }, 'conductor_pause', 'conductor_resume')).toEqual([]);
    expect(complaintsAfter(8001, { paused: false })).toEqual([]);
    expect(complaintsAfter(8001, { paused: false }, '--paused')).toEqual(told);
    expect(complaintsAfter(8001, { paused: false }, 'conductor_pause', 'end')).toEqual([]);
  });

  it('is the same of one whose leadership is overridden, where no leadership is of use either', () => {
    const told = ['s1 has been overridden for 8001 ms, and s0 hears that it is not'];
    expect(complaintsAfter(8001, { paused: false }, 'override true')).toEqual(told);
    expect(complaintsAfter(8000, { paused: false }, 'override true')).toEqual([]);
    expect(complaintsAfter(8001, { paused: true }, 'override true')).toEqual([]);
    expect(complaintsAfter(8001, { paused: false }, 'override true', 'override false')).toEqual([]);
    expect(complaintsAfter(8001, { paused: false }, 'override true', 'conductor_resume')).toEqual(told);
  });
});

describe('the end of a process', () => {
  const sequencing = { id: 's1', node: { isActive: true, isUp: true }, isStartedPaused: false } as unknown as Machine;

  it('leaves no sequencer running without a word, but what an operator has paused', () => {
    const complaints: string[] = [];
    const oracle = endsInOrder(
      (message) => complaints.push(message),
      () => undefined,
    );
    oracle.exited?.(sequencing, 'the sequencer was not stopped: no answer');
    oracle.exited?.({ id: 's1', node: { isActive: false, isUp: true } } as unknown as Machine, '');
    oracle.handled?.(sequencing, { kind: 'rpc', method: 'conductor_pause' } as unknown as ConductorEvent);
    oracle.exited?.(sequencing, '');
    // A resume that has not been answered has not resumed it.
    oracle.handled?.(sequencing, { kind: 'rpc', method: 'conductor_resume' } as unknown as ConductorEvent);
    oracle.exited?.(sequencing, '');
    const startedPaused = { ...sequencing, isStartedPaused: true } as unknown as Machine;
    oracle.started?.(startedPaused);
    oracle.exited?.(startedPaused, '');
    expect(complaints).toEqual([]);
    oracle.answered?.(sequencing, { method: 'conductor_resume' } as unknown as Call, { kind: 'result' } as Outcome);
    oracle.exited?.(sequencing, '');
    oracle.started?.(sequencing);
    oracle.exited?.(sequencing, '');
    const complaint = 's1 ends and leaves its sequencer running without a word';
    expect(complaints).toEqual([complaint, complaint]);
  });

  it.each([
    ['a signal', { kind: 'drain', reason: 'SIGTERM' }],
    ['a call', { kind: 'rpc', method: 'conductor_stop' }],
  ])('is one that starts nothing after %s, until its next life', (_, event) => {
    const complaints: string[] = [];
    const oracle = endsInOrder(
      (message) => complaints.push(message),
      () => undefined,
    );
    oracle.ordered?.(machine, 'admin_startSequencer', '');
    oracle.handled?.(machine, event as unknown as ConductorEvent);
    oracle.ordered?.(machine, 'admin_stopSequencer', '');
    oracle.ordered?.({ id: 's2' } as unknown as Machine, 'admin_startSequencer', '');
    expect(complaints).toEqual([]);
    oracle.ordered?.(machine, 'admin_startSequencer', '');
    expect(complaints).toEqual(['s1 is about to end and starts its sequencer']);
    oracle.started?.(machine);
    oracle.ordered?.(machine, 'admin_startSequencer', '');
    expect(complaints).toHaveLength(1);
  });
});

describe('a conductor that was resumed', () => {
  interface Resumed {
    readonly role: 'leader' | 'follower';
    readonly isActive: boolean;
    readonly deed?: 'ordered' | 'paused' | 'ended';
    readonly lookMs?: number;
    readonly event?: 'stoppedByHand' | 'crash';
  }

  /** What is said at the end, where its sequencer was like that. */
  function complaintsOf({ role, isActive, deed, lookMs = 300, event = 'stoppedByHand' }: Resumed): string[] {
    const complaints: string[] = [];
    const oracle = resumedIsAsItShould(
      (message) => complaints.push(message),
      () => undefined,
    );
    const position = { role, term: 2 } as RaftPosition;
    const server = {
      id: 's1',
      worldMs: 1000,
      life: 1,
      node: { isUp: true, isActive },
      conductor: { position: () => position },
    };
    const resumed = server as unknown as Machine;
    oracle.answered?.(resumed, { method: 'conductor_resume' } as Call, { kind: 'result', json: 'null' });
    if (deed === 'ordered') oracle.ordered?.(resumed, 'admin_startSequencer', '');
    if (deed === 'paused') oracle.called?.(resumed, { method: 'conductor_pause' } as Call);
    if (deed === 'ended') oracle.ended?.(resumed);
    server.worldMs += lookMs;
    oracle.observed?.(resumed, position);
    const happened = { kind: event, afterMs: 0, at: 0, to: 0, forMs: 1000, amount: 0 };
    const events = event === 'crash' ? [happened, happened] : [happened];
    const run = { version: RUN_VERSION, configuration: defaultConfiguration, events };
    oracle.finish?.({ run } as unknown as Ending);
    return complaints;
  }

  it('has a sequencer that runs if it leads, and only then', () => {
    expect(complaintsOf({ role: 'leader', isActive: false })).toEqual([
      's1, leader, was resumed 300 ms ago, and its sequencer stands',
    ]);
    expect(complaintsOf({ role: 'follower', isActive: true })).toHaveLength(1);
    expect(complaintsOf({ role: 'leader', isActive: true })).toEqual([]);
    expect(complaintsOf({ role: 'follower', isActive: false })).toEqual([]);
  });

  it('is not asked before it had time, nor after an order, another pause or its end, nor among other faults', () => {
    expect(complaintsOf({ role: 'leader', isActive: false, lookMs: 299 })).toEqual([]);
    for (const deed of ['ordered', 'paused', 'ended'] as const)
      expect(complaintsOf({ role: 'leader', isActive: false, deed })).toEqual([]);
    expect(complaintsOf({ role: 'leader', isActive: false, event: 'crash' })).toEqual([]);
  });
});

describe('a leader that was paused while it led', () => {
  function led() {
    const complaints: string[] = [];
    const oracle = pausedLeaderStays(
      (message) => complaints.push(message),
      () => undefined,
    );
    const configuration = { index: 1, configuration: voters('s1', 's2') };
    const now = { role: 'leader', term: 3, hasFailed: false, isTransferring: false, configuration };
    const conductor = { position: () => now, status: () => now };
    const one = { id: 's1', worldMs: 60_000, conductor };
    const machineOne = one as unknown as Machine;
    const say = (method: string, machine = machineOne): void => {
      oracle.called?.(machine, { method } as unknown as Call);
      oracle.handled?.(machine, { kind: 'rpc', method } as unknown as ConductorEvent);
      oracle.answered?.(machine, { method } as unknown as Call, { kind: 'result', json: 'null' });
    };
    const handOver = () => oracle.handsOver?.(machineOne, 's2', false, false);
    return { complaints, oracle, now, one: machineOne, clock: one, say, handOver };
  }

  it('gives leadership to nobody by itself', () => {
    const { complaints, say, handOver } = led();
    handOver();
    say('conductor_pause');
    handOver();
    expect(complaints).toEqual(['s1, which was paused in its leadership, gives it to s2 of its own accord']);
  });

  it('but for one that was on its way when it was paused, for as long as that may take', () => {
    const { complaints, now, clock, say, handOver } = led();
    now.isTransferring = true;
    say('conductor_pause');
    clock.worldMs += 2500;
    handOver();
    expect(complaints).toEqual([]);
    clock.worldMs += 1;
    handOver();
    expect(complaints).toHaveLength(1);
  });

  it.each<[string, (world: ReturnType<typeof led>) => void]>([
    ['was resumed', ({ say }) => say('conductor_resume')],
    [
      'is told to resume',
      ({ oracle, one }) =>
        oracle.handled?.(one, { kind: 'rpc', method: 'conductor_resume' } as unknown as ConductorEvent),
    ],
    ['ends', ({ oracle, one }) => oracle.handled?.(one, { kind: 'drain', reason: 'SIGTERM' })],
    ['leads in a later term', ({ now }) => (now.term = 4)],
    ['has a disk that failed', ({ now }) => (now.hasFailed = true)],
    ['has no vote any more', ({ now }) => (now.configuration = { index: 2, configuration: voters('s2') })],
    [
      'is told to hand over, by whomever',
      ({ say }) => say('conductor_transferLeader', { id: 's2', worldMs: 59_000 } as unknown as Machine),
    ],
    ['started anew', ({ oracle, one }) => oracle.started?.(one)],
  ])('but where it %s', (_, change) => {
    const world = led();
    world.say('conductor_pause');
    change(world);
    world.handOver();
    expect(world.complaints).toEqual([]);
  });
});
