import { describe, expect, test } from 'vitest';
import type { ConductorEvent } from '#conductor/core/events';
import type { NodeRequest } from '#conductor/core/node/calls';
import type { Outcome } from '#conductor/core/rpc/message';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
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
  const answered = (): void => {
    const call: Call = { method: 'conductor_overrideLeader', values: [true], sinceMs: 0 };
    oracle.answered?.(machine, call, { kind: 'result', json: 'null' });
  };
  return { oracle, complaints, override, answered };
}

test('an order to the sequencer under an override breaks it, and one elsewhere does not', () => {
  const { oracle, complaints, override, answered } = watched();
  oracle.ordered?.(machine, 'admin_stopSequencer', '');
  override(true);
  // Decided on before the override was read of.
  oracle.ordered?.(machine, 'admin_stopSequencer', '');
  answered();
  oracle.ordered?.({ id: 's2' } as unknown as Machine, 'admin_stopSequencer', '');
  expect(complaints).toEqual([]);
  oracle.ordered?.(machine, 'admin_stopSequencer', '');
  expect(complaints).toEqual(['s1 is overridden and calls admin_stopSequencer']);
});

test('so does what resets op-node or has its client drop blocks, and what gives recover mode back does not', () => {
  const { oracle, complaints, override, answered } = watched();
  const ask = (method: string, params: string): void =>
    oracle.asked?.(machine, { method, params } as unknown as NodeRequest);
  override(true);
  ask('admin_resetDerivationPipeline', '[]');
  answered();
  ask('admin_setRecoverMode', '[false]');
  ask('admin_postUnsafePayload', '[]');
  expect(complaints).toEqual([]);
  ask('admin_resetDerivationPipeline', '[]');
  ask('debug_setHead', '["0x1"]');
  const methods = ['admin_resetDerivationPipeline', 'debug_setHead'];
  expect(complaints).toEqual(methods.map((method) => `s1 is overridden and calls ${method}`));
});

test('an order after the override was taken back, or in the next life, does not break it', () => {
  const { oracle, complaints, override, answered } = watched();
  override(true);
  answered();
  override(false);
  oracle.ordered?.(machine, 'admin_stopSequencer', '');
  override(true);
  answered();
  oracle.started?.(machine);
  oracle.ordered?.(machine, 'admin_startSequencer', '');
  expect(complaints).toEqual([]);
});

describe('a leader that ends under an override', () => {
  const leader = { id: 's1', worldMs: 10_000, conductor: { position: () => ({ role: 'leader' }) } };
  const end = { kind: 'drain', reason: 'SIGTERM' } as const;
  const transfer = { kind: 'rpc', method: 'conductor_transferLeader', values: [] } as unknown as ConductorEvent;

  test.each<[string, readonly ConductorEvent[], boolean]>([
    ['hands nothing over', [end], true],
    ['but does what an operator asks for meanwhile', [end, transfer], false],
    ['or asked for shortly before', [transfer, end], false],
    ['and one that does not end may', [], false],
  ])('%s', (_, events, isBroken) => {
    const { oracle, complaints, override, answered } = watched();
    const at = leader as unknown as Machine;
    override(true);
    answered();
    for (const event of events) oracle.handled?.(at, event);
    oracle.handsOver?.(at, 's2', false, false);
    expect(complaints).toEqual(isBroken ? ['s1 is overridden and calls TimeoutNow'] : []);
  });
});

describe('who asks a conductor whether it leads', () => {
  const question: Call = { method: 'conductor_leader', values: [], sinceMs: 1 };
  const no: Outcome = { kind: 'result', json: 'false' };

  /** What is said of a no when the override was called, handled and answered before, and after the question this happens. */
  function complaintsAbout(...then: readonly ((world: ReturnType<typeof watched>) => void)[]): readonly string[] {
    const world = watched();
    const call: Call = { method: 'conductor_overrideLeader', values: [true], sinceMs: 0 };
    world.oracle.called?.(machine, call);
    world.override(true);
    world.oracle.answered?.(machine, call, { kind: 'result', json: 'null' });
    world.oracle.called?.(machine, question);
    for (const one of then) one(world);
    world.oracle.answered?.(machine, question, no);
    return world.complaints;
  }

  test('hears a yes while an override has been answered and was not taken back', () => {
    expect(complaintsAbout()).toEqual(['s1 is overridden and says that it leads: false']);
    const takenBack: Call = { method: 'conductor_overrideLeader', values: [false], sinceMs: 2 };
    expect(complaintsAbout(({ oracle }) => oracle.called?.(machine, takenBack))).toEqual([]);
    expect(complaintsAbout(({ oracle }) => oracle.ended?.(machine))).toEqual([]);
  });

  test('hears what is so before the override is answered', () => {
    const { oracle, complaints, override } = watched();
    oracle.called?.(machine, question);
    override(true);
    oracle.answered?.(machine, question, no);
    expect(complaints).toEqual([]);
  });
});
