import { expect, test } from 'vitest';
import { defaultConfiguration } from './configuration.ts';
import type { EventKind, SimEvent } from './faults.ts';
import { Judge } from './judge.ts';
import type { Machine } from './machine.ts';
import type { Call } from './observer.ts';
import { execute } from './run.ts';
import { RUN_VERSION, type Run } from './run-value.ts';

/** Keeps the changes of the members that are asked for, and when. */
class Listening extends Judge {
  readonly changes: string[] = [];

  override called(machine: Machine, call: Call): void {
    super.called(machine, call);
    if (/add|remove|demote/i.test(call.method)) this.changes.push(`${call.method} ${String(call.values[0])}`);
  }
}

function changesOf(...events: readonly Partial<SimEvent>[]): readonly string[] {
  const plain = { kind: 'crash' as EventKind, afterMs: 1000, at: 1, to: 0, forMs: 5000, amount: 0 };
  const run: Run = {
    version: RUN_VERSION,
    configuration: { ...defaultConfiguration, seed: 11 },
    events: events.map((event) => ({ ...plain, ...event })),
  };
  const judge = new Listening();
  const { violation } = execute(run, { judge });
  expect(violation).toBeNull();
  // As voters servers are added to form the cluster, and in the end.
  return judge.changes.filter((change) => !/AsVoter/.test(change));
}

test('a voter is added as a nonvoter, where it is and where it has moved to', () => {
  expect(changesOf({ kind: 'addedAsNonvoter', forMs: 1000 })).toEqual(
    Array(2).fill('conductor_addServerAsNonvoter s1'),
  );
  expect(changesOf({ kind: 'movedAsNonvoter' })).toEqual(['conductor_addServerAsNonvoter s1']);
});

test('two operators take out two servers, and it may be the vote alone of the second', () => {
  expect(changesOf({ kind: 'crossedOperators' })).toEqual(['conductor_removeServer s1', 'conductor_removeServer s2']);
  expect(changesOf({ kind: 'crossedOperators', amount: 1 })).toEqual([
    'conductor_removeServer s1',
    'conductor_demoteVoter s2',
  ]);
});

test('an operator in a hurry waits for an election, and no longer than the event lasts', () => {
  const hasty = { kind: 'hastyOperator', amount: 100 } as const;
  expect(changesOf(hasty)).toEqual([]);
  expect(changesOf(hasty, { kind: 'crash', at: 0 })).toEqual(['conductor_removeServer s1']);
});
