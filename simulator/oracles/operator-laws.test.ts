import { describe, expect, it } from 'vitest';
import type { ConductorEvent } from '#conductor/core/events';
import type { Machine } from '../machine.ts';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Outcome } from '#conductor/core/rpc/message';
import type { Call } from '../observer.ts';
import { endsInOrder, pausedIsTold, pausedStandsStill } from './operator-laws.ts';

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
    oracle.started?.(machine);
    oracle.ordered?.(machine, 'admin_startSequencer', '');
    expect(complaints).toEqual([]);
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
