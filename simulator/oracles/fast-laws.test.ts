import { describe, expect, test } from 'vitest';
import type { RaftPosition } from '#conductor/core/raft/status';
import { defaultConfiguration } from '../configuration.ts';
import type { EventKind } from '../faults.ts';
import type { Machine } from '../machine.ts';
import { RUN_VERSION } from '../run-value.ts';
import type { World } from '../world.ts';
import { killedLeaderIsReplaced, silentLeaderIsReplaced } from './fast-laws.ts';
import type { Law } from './oracle.ts';

const FOR_MS = 1000;

/** s0 leads from the start; after 5 s something happens to the machine `at`, and s1 leads `afterMs` later. */
function complaintsOf(
  kind: EventKind,
  at: number,
  afterMs: number,
  {
    delayMaxUs = defaultConfiguration.delayMaxUs,
    law = killedLeaderIsReplaced as Law,
    isFirst = true,
    sentAtMs = 0,
  } = {},
) {
  const complaints: string[] = [];
  const oracle = law(
    (message) => complaints.push(message),
    () => undefined,
  );
  const machines = ['s0', 's1', 's2'].map((id) => ({ id, worldMs: 0 }));
  const lead = (who: number, term: number, worldMs: number): void => {
    const machine = Object.assign(machines[who]!, { worldMs });
    oracle.observed?.(machine as unknown as Machine, { role: 'leader', term } as RaftPosition);
  };
  lead(0, 2, 0);
  Object.assign(machines[0]!, { worldMs: sentAtMs });
  const request = { kind: 'append', entries: [{}] };
  oracle.sent?.(machines[0] as unknown as Machine, { request } as never);
  lead(1, 3, 5000 + afterMs);
  const configuration = { ...defaultConfiguration, delayMaxUs };
  const world = { configuration, machine: (index: number) => machines[index] } as unknown as World;
  const event = { kind, afterMs: 5000, at, to: 0, forMs: FOR_MS, amount: 0 };
  const before = { kind: 'read' as const, afterMs: 1, at: 0, to: 0, forMs: 1, amount: 0 };
  const events = isFirst ? [event] : [before, { ...event, afterMs: 13_000 }];
  oracle.finish?.({ run: { version: RUN_VERSION, configuration, events }, world, calmFromMs: 5000 + FOR_MS });
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

describe('a leader that falls silent when nothing was wrong before', () => {
  const law = silentLeaderIsReplaced;

  test('is replaced before the timeout of the flag has passed', () => {
    expect(complaintsOf('powerCut', 0, 600, { law })).toEqual([]);
    expect(complaintsOf('isolate', 0, 1000, { law })).toEqual([
      's0 fell silent (isolate), and nobody else led within 639 ms, but after 1000',
    ]);
    expect(complaintsOf('powerCut', 0, Infinity, { law })).toHaveLength(1);
  });

  test('may be waited for where another had trouble, or something was on its way to its disk, or its connections were closed', () => {
    expect(complaintsOf('powerCut', 1, 1000, { law })).toEqual([]);
    expect(complaintsOf('crash', 0, 1000, { law })).toEqual([]);
    expect(complaintsOf('powerCut', 0, 1000, { law, sentAtMs: 4900 })).toEqual([]);
  });

  test('may be waited for where there was a fault before', () => {
    expect(complaintsOf('powerCut', 0, 1000, { law, isFirst: false })).toEqual([]);
  });
});
