import { describe, expect, it } from 'vitest';
import { single, storm } from './arbitrary.ts';
import { Judge } from './judge.ts';
import type { LawName } from './oracles/laws.ts';
import type { RunReport } from './run.ts';
import type { Run } from './run-value.ts';
import { seek, type Finding } from './seek.ts';

/** When a law is broken in these tests: after everything has begun. */
const BROKEN_MS = 600_000;

/** A world in which a law is broken by a crash that comes before a cut, and nothing else matters. */
function fragile(run: Run): RunReport {
  const crashAt = run.events.findIndex(({ kind }) => kind === 'crash');
  const isBroken = crashAt >= 0 && run.events.slice(crashAt).some(({ kind }) => kind === 'cut');
  return reportOf(isBroken ? 'logMatching' : null);
}

function reportOf(law: LawName | null): RunReport {
  const violation = law === null ? null : { law, message: 'as expected', atMs: BROKEN_MS };
  return { violation, hash: '', virtualMs: 1, handled: 1, published: 1, judge: new Judge([]) };
}

/** The first finding; the seeds that come before it find nothing. */
function firstFinding(isOver: () => boolean): Finding {
  for (let seed = 1; seed < 5000; seed++) {
    const finding = seek({ runs: storm, seed, isOver, done: () => undefined, carryOut: fragile });
    if (finding !== null) return finding;
  }
  throw new Error('no seed makes a crash before a cut');
}

describe('seeking a run that breaks a law', () => {
  it('the same seed gives the same run', () => {
    const ran: Run[] = [];
    const options = { runs: single, isOver: () => false, carryOut: () => reportOf(null) };
    for (const seed of [5, 5, 6]) seek({ ...options, seed, done: (_, run) => ran.push(run) });
    expect(ran[0]).toEqual(ran[1]);
    expect(ran[0]).not.toEqual(ran[2]);
  });

  it('is told of the random run alone, once', () => {
    let told = 0;
    let carriedOut = 0;
    const carryOut = (run: Run): RunReport => {
      carriedOut++;
      return run.events.length > 0 ? reportOf('logMatching') : reportOf(null);
    };
    const finding = seek({ runs: storm, seed: 3, isOver: () => false, done: () => void told++, carryOut });
    expect(told).toBe(1);
    expect(carriedOut).toBeGreaterThan(1);
    expect(finding?.run.events).toHaveLength(1);
  });

  it('leaves only the events that the law needs, in their order', () => {
    const { law, run, found, shrinkRuns } = firstFinding(() => false);
    expect(law).toBe('logMatching');
    expect(run.events.map(({ kind }) => kind)).toEqual(['crash', 'cut']);
    expect(found.events.length).toBeGreaterThan(2);
    expect(shrinkRuns).toBeGreaterThan(0);
  });

  it('stops shrinking when time is over, with a run that breaks the law all the same', () => {
    const { run, shrinkRuns } = firstFinding(() => true);
    expect(shrinkRuns).toBe(0);
    expect(fragile(run).violation?.law).toBe('logMatching');
  });

  it('judges smaller runs by the law that was broken alone, and by all where another one is broken before it', () => {
    const judged: (LawName | undefined)[] = [];
    const carryOut = (run: Run, _untilMs?: number, law?: LawName): RunReport => {
      judged.push(law);
      return reportOf(run.events.length > 3 || law !== undefined ? 'logMatching' : 'electionSafety');
    };
    const finding = seek({ runs: storm, seed: 3, isOver: () => false, done: () => undefined, carryOut });
    expect(finding?.run.events).toHaveLength(4);
    const again = judged.indexOf(undefined, 1);
    expect(new Set(judged.slice(1, again))).toEqual(new Set(['logMatching']));
    expect(new Set(judged.slice(again))).toEqual(new Set([undefined]));
  });

  it('does not wander off to another law', () => {
    const carryOut = (run: Run): RunReport => reportOf(run.events.length > 3 ? 'logMatching' : 'electionSafety');
    const finding = seek({ runs: storm, seed: 3, isOver: () => false, done: () => undefined, carryOut });
    expect(finding?.run.events).toHaveLength(4);
  });

  it('carries smaller runs out as far as the law was broken, and a little further', () => {
    const limits: (number | undefined)[] = [];
    const carryOut = (_: Run, untilMs?: number): RunReport => {
      limits.push(untilMs);
      return reportOf('logMatching');
    };
    seek({ runs: storm, seed: 3, isOver: () => limits.length > 20, done: () => undefined, carryOut });
    expect(limits[0]).toBeUndefined();
    for (const limit of limits.slice(1)) expect(limit).toBe(BROKEN_MS + 5000);
  });
});
