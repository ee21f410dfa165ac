import { expect, test } from 'vitest';
import type { RaftPosition } from '#conductor/core/raft/status';
import { defaultConfiguration } from '../configuration.ts';
import type { EventKind } from '../faults.ts';
import type { Machine } from '../machine.ts';
import { RUN_VERSION } from '../run-value.ts';
import type { World } from '../world.ts';
import { killedLeaderIsReplaced } from './fast-laws.ts';

const FOR_MS = 1000;

/** s0 leads from the start; after 5 s something happens to the machine `at`, and s1 leads `afterMs` later. */
function complaintsOf(
  kind: EventKind,
  at: number,
  afterMs: number,
  { delayMaxUs = defaultConfiguration.delayMaxUs } = {},
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
  const event = { kind, afterMs: 5000, at, to: 0, forMs: FOR_MS, amount: 0 };
  oracle.finish?.({ run: { version: RUN_VERSION, configuration, events: [event] }, world, calmFromMs: 5000 + FOR_MS });
  return complaints;
}

test('a killed leader that is replaced only when a timeout has passed breaks it', () => {
  expect(complaintsOf('crash', 0, 145)).toEqual([]);
  expect(complaintsOf('crash', 0, 1000)).toEqual([
    's0 was killed (crash), and nobody else led within 146 ms, but after 1000',
  ]);
  expect(complaintsOf('machineDown', 0, 147)).toHaveLength(1);
});

test('it takes longer where messages do, and says nothing of followers and of silence', () => {
  expect(complaintsOf('crash', 0, 400, { delayMaxUs: 50_000 })).toEqual([]);
  expect(complaintsOf('crash', 1, 1000)).toEqual([]);
  expect(complaintsOf('powerCut', 0, 1000)).toEqual([]);
});
