import { expect, test } from 'vitest';
import type { ConductorEvent } from '#conductor/core/events';
import type { Machine } from '../machine.ts';
import { overriddenStandsStill } from './override-laws.ts';

const machine = { id: 's1' } as unknown as Machine;

function watched() {
  const complaints: string[] = [];
  const oracle = overriddenStandsStill(
    (message) => complaints.push(message),
    () => undefined,
  );
  const override = (isOn: boolean): void => {
    const call = { kind: 'rpc', answerId: 1, method: 'conductor_overrideLeader', values: [isOn], from: '' };
    oracle.handled?.(machine, call as ConductorEvent);
  };
  return { oracle, complaints, override };
}

test('an order to the sequencer under an override breaks it, and one elsewhere does not', () => {
  const { oracle, complaints, override } = watched();
  oracle.ordered?.(machine, 'admin_stopSequencer', '');
  override(true);
  oracle.ordered?.({ id: 's2' } as unknown as Machine, 'admin_stopSequencer', '');
  expect(complaints).toEqual([]);
  oracle.ordered?.(machine, 'admin_stopSequencer', '');
  expect(complaints).toEqual(['s1 is overridden and calls admin_stopSequencer']);
});

test('an order after the override was taken back, or in the next life, does not break it', () => {
  const { oracle, complaints, override } = watched();
  override(true);
  override(false);
  oracle.ordered?.(machine, 'admin_stopSequencer', '');
  override(true);
  oracle.started?.(machine);
  oracle.ordered?.(machine, 'admin_startSequencer', '');
  expect(complaints).toEqual([]);
});
