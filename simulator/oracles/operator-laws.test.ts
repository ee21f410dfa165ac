import { describe, expect, it } from 'vitest';
import type { ConductorEvent } from '#conductor/core/events';
import type { Machine } from '../machine.ts';
import { endsInOrder, pausedStandsStill } from './operator-laws.ts';

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
    expect(complaints).toEqual([]);
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

describe('the end of a process', () => {
  const sequencing = { id: 's1', node: { isActive: true, isUp: true } } as unknown as Machine;

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
    expect(complaints).toEqual([]);
    oracle.started?.(sequencing);
    oracle.exited?.(sequencing, '');
    expect(complaints).toEqual(['s1 ends and leaves its sequencer running without a word']);
  });
});
