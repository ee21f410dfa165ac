import { expect, test } from 'vitest';
import type { RaftPosition } from '#conductor/raft/status';
import { defaultConfiguration } from '../configuration.ts';
import type { EventKind } from '../faults.ts';
import type { Machine } from '../machine.ts';
import { RUN_VERSION } from '../run-value.ts';
import type { World } from '../world.ts';
import { killedLeaderIsReplaced } from './fast-laws.ts';

/** s0 leads from the start; after 5 s something happens to the machine `at`, and s1 leads `afterMs` later. */
function complaintsOf(
  kind: EventKind,
  at: number,
  afterMs: number,
  { delayMaxUs = defaultConfiguration.delayMaxUs, forMs = 1000 } = {},
) {
  const complaints: string[] = [];
  const oracle = killedLeaderIsReplaced(
    (message) => complaints.push(message),
    () => undefined,
  );
  const machines = ['s0', 's1', 's2'].map((id) => ({ id, worldMs: 0 }));
  const lead = (who: number, term: number, worldMs: number): void => {
    const machine = Object.assign(machines[who]!, { worldMs });
    oracle.observed?.(machine as unknown as Machine, { role: 'leader', term } as RaftPosition);
  };
  lead(0, 2, 0);
  lead(1, 3, 5000 + afterMs);
  const configuration = { ...defaultConfiguration, delayMaxUs };
  const world = { configuration, machine: (index: number) => machines[index] } as unknown as World;
  const event = { kind, afterMs: 5000, at, to: 0, forMs, amount: 0 };
  oracle.finish?.({ run: { version: RUN_VERSION, configuration, events: [event] }, world, calmFromMs: 5000 + forMs });
  return complaints;
}

test('a killed leader that is replaced only when a timeout has passed breaks it', () => {
  expect(complaintsOf('crash', 0, 58)).toEqual([]);
  expect(complaintsOf('crash', 0, 1000)).toEqual([
    's0 was killed (crash), and nobody else led within 59 ms, but after 1000',
  ]);
  expect(complaintsOf('machineDown', 0, 60)).toHaveLength(1);
});

test('a server that is back at once may cost a round', () => {
  expect(complaintsOf('crash', 0, 140, { forMs: 24 })).toEqual([]);
  expect(complaintsOf('crash', 0, 150, { forMs: 24 })).toHaveLength(1);
});

test('it takes longer where messages do, and says nothing of followers and of silence', () => {
  expect(complaintsOf('crash', 0, 400, { delayMaxUs: 50_000 })).toEqual([]);
  expect(complaintsOf('crash', 1, 1000)).toEqual([]);
  expect(complaintsOf('powerCut', 0, 1000)).toEqual([]);
});
