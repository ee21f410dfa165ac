import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overridden, single, storm } from './arbitrary.ts';
import { defaultConfiguration } from './configuration.ts';
import { Execution } from './execution.ts';
import type { EventKind, SimEvent } from './faults.ts';
import { Judge } from './judge.ts';
import { runFromText, runToText, type Run } from './run-value.ts';

/** Kinds that make nothing of how long they last but their end. */
const endable: readonly EventKind[] = ['crash', 'freeze', 'isolate', 'nodeDown', 'pause', 'lossy'];
const LONG_MS = 600_000;

function openEnded(kind: EventKind, afterMs: number, at: number): SimEvent {
  return { kind, afterMs, at, to: 0, forMs: LONG_MS, amount: 500 };
}

/** The hash so long after the last event of a run. */
function hashAt(run: Run, afterMs: number): string {
  const execution = new Execution(run.configuration, new Judge());
  for (const event of run.events) execution.apply(event);
  execution.advanceTo(afterMs);
  return execution.judge.hash;
}

describe('a run under way', () => {
  it('is the same run however its time is cut into pieces', { timeout: 120_000 }, () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 9 });
    const property = fc.property(fc.oneof(storm, single, overridden), pieces, (run, piecesMs) => {
      const execution = new Execution(run.configuration, new Judge());
      for (const event of run.events) {
        let passedMs = 0;
        for (let at = 0; passedMs < event.afterMs; at++) {
          execution.advanceTo(Math.min(passedMs, event.afterMs));
          passedMs += piecesMs[at % piecesMs.length]!;
        }
        execution.apply(event);
      }
      for (const pieceMs of piecesMs) execution.advanceTo(pieceMs);
      expect(execution.run).toEqual(run);
      execution.advanceTo(5000);
      expect(execution.judge.hash).toBe(hashAt(run, 5000));
    });
    fc.assert(property, { seed: 41, numRuns: 12 });
  });

  it('what somebody ended early is a run, and replays to the same hash', { timeout: 120_000 }, () => {
    const act = fc.record({
      kind: fc.constantFrom(...endable),
      at: fc.nat(2),
      afterMs: fc.integer({ min: 0, max: 4000 }),
      endsAfterMs: fc.integer({ min: 0, max: 4000 }),
    });
    const property = fc.property(fc.array(act, { minLength: 1, maxLength: 5 }), (acts) => {
      const execution = new Execution(defaultConfiguration, new Judge());
      for (const { kind, at, afterMs, endsAfterMs } of acts) {
        execution.apply(openEnded(kind, afterMs, at));
        execution.advanceTo(endsAfterMs);
        const [oldest] = execution.underWay;
        if (oldest !== undefined) execution.endEarly(oldest);
        // The next event counts from this one, and time has passed meanwhile.
        execution.apply({ ...openEnded('transfer', endsAfterMs + 1, 0), forMs: 0 });
      }
      execution.advanceTo(3000);
      const replayed = runFromText(runToText(execution.run));
      expect(replayed.events.filter(({ forMs }) => forMs === LONG_MS)).toEqual([]);
      expect(hashAt(replayed, 3000)).toBe(execution.judge.hash);
    });
    fc.assert(property, { seed: 42, numRuns: 10 });
  });

  it('names what is under way, and forgets what has ended by itself or was ended', () => {
    const ended: string[] = [];
    const execution = new Execution(defaultConfiguration, new Judge(), ({ kind }) => void ended.push(kind));
    execution.apply({ ...openEnded('freeze', 100, 1), forMs: 200 });
    execution.apply(openEnded('crash', 50, 2));
    expect(execution.underWay).toEqual([0, 1]);
    execution.advanceTo(400);
    expect(execution.underWay).toEqual([1]);
    expect(ended).toEqual(['freeze']);
    expect(execution.world!.machine(2).isUp).toBe(false);
    execution.endEarly(1);
    execution.endEarly(0);
    execution.advanceTo(401);
    expect(execution.underWay).toEqual([]);
    expect(ended).toEqual(['freeze', 'crash']);
    expect(execution.world!.machine(2).isUp).toBe(true);
    expect(execution.run.events.map(({ forMs }) => forMs)).toEqual([200, 401]);
  });

  it('goes no further once a law is broken', () => {
    const judge = new Judge();
    const execution = new Execution(defaultConfiguration, judge);
    const beforeMs = execution.nowMs;
    judge.broken('logMatching', 'as the test wants it');
    execution.apply(openEnded('crash', 1000, 0));
    expect(execution.nowMs).toBe(beforeMs);
    expect(execution.run.events).toEqual([]);
  });
});
