import { describe, expect, it } from 'vitest';
import type { RaftPosition } from '#conductor/core/raft/status';
import { defaultConfiguration } from '../configuration.ts';
import type { EventKind } from '../faults.ts';
import type { Machine } from '../machine.ts';
import { RUN_VERSION, type Run } from '../run-value.ts';
import type { Call } from '../observer.ts';
import type { World } from '../world.ts';
import { leadershipSettles } from './settling-laws.ts';

const none = { at: 0, to: 0, amount: 0 };

/** What is complained of when leaders come to lead at these times, and events happen at 1 s and at 21 s. */
function judged(
  kinds: readonly [EventKind, EventKind],
  leadersAtMs: readonly number[],
  servers = 3,
  restarts: readonly { readonly id: string; readonly atMs: number }[] = [],
): string[] {
  const complaints: string[] = [];
  const oracle = leadershipSettles(
    (message) => complaints.push(message),
    () => undefined,
  );
  leadersAtMs.forEach((worldMs, at) =>
    oracle.observed?.(
      { id: `s${at}`, worldMs } as unknown as Machine,
      { role: 'leader', term: at + 1 } as unknown as RaftPosition,
    ),
  );
  const events = [
    { ...none, kind: kinds[0], afterMs: 1000, forMs: 2000 },
    { ...none, kind: kinds[1], afterMs: 20_000, forMs: 4000 },
  ];
  const run: Run = { version: RUN_VERSION, configuration: { ...defaultConfiguration, servers }, events };
  oracle.finish?.({ run, world: { operator: { restarts } } as unknown as World, calmFromMs: 25_000 });
  return complaints;
}

describe('leadership settles', () => {
  it('changes once after each fault', () => {
    expect(judged(['stall', 'crash'], [10, 1500, 21_050])).toEqual([]);
  });

  it('and once more where an operator restarts the client of whoever leads meanwhile', () => {
    const restarted = (id: string, atMs: number): string[] =>
      judged(['stall', 'crash'], [10, 21_050, 29_000], 3, [{ id, atMs }]);
    expect(restarted('s1', 28_900)).toEqual([]);
    expect(restarted('s0', 28_900)).toHaveLength(1);
    expect(restarted('s0', 1500)).toHaveLength(1);
  });

  it('bounces when it changes more often, before the next fault or after the last', () => {
    expect(judged(['stall', 'crash'], [10, 1500, 4000, 21_050])).toEqual([
      'leadership changed 2 times after one fault (stall), at most 1 are needed',
    ]);
    expect(judged(['stall', 'crash'], [10, 21_050, 29_000, 40_000])).toEqual([
      'leadership changed 3 times after one fault (crash), at most 1 are needed',
    ]);
  });

  it('may be handed on by a server that cannot be started, and as often as it is struck by what strikes many', () => {
    expect(judged(['unprovisionedHeir', 'crash'], [10, 1500, 4000])).toEqual([]);
    expect(judged(['regicide', 'crash'], [10, 1500, 4000, 5000, 6000])).toEqual([]);
  });

  it('is judged of five servers, too', () => {
    expect(judged(['stall', 'crash'], [10, 1500, 4000], 5)).toHaveLength(1);
  });

  it.each([
    ['2249 ms after it offered a block', 2249, ['s1 says that the head stands 2249 ms after its last block']],
    ['2250 ms after it', 2250, []],
  ])('a leader says that the head stands %s', (_, sinceMs, expected) => {
    const complaints: string[] = [];
    const oracle = leadershipSettles(
      (message) => complaints.push(message),
      () => undefined,
    );
    const at = (nowMs: number, id = 's1'): Machine => ({ id, nowMs }) as unknown as Machine;
    const message = 'the head stands while node and client answer';
    oracle.watch?.({ configuration: defaultConfiguration } as unknown as World);
    oracle.said?.(at(100), 'warn', message);
    const offer = (blockHash: string): Call => {
      const values = [{ payload: { executionPayload: { blockHash } } }] as unknown as Call['values'];
      return { method: 'conductor_commitUnsafePayload', values, sinceMs: 0 };
    };
    oracle.called?.(at(200), offer('0x01'));
    oracle.called?.(at(500), offer('0x02'));
    oracle.called?.(at(700), offer('0x02'));
    oracle.said?.(at(900, 's2'), 'warn', message);
    oracle.said?.(at(900), 'warn', 'something else');
    expect(complaints).toEqual([]);
    oracle.said?.(at(500 + sinceMs), 'warn', message);
    expect(complaints).toEqual(expected);
    oracle.started?.(at(0));
    oracle.said?.(at(10), 'warn', message);
    expect(complaints).toEqual(expected);
  });
});
