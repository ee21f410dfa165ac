import { describe, expect, it } from 'vitest';
import { defaultConfiguration } from './configuration.ts';
import { Judge } from './judge.ts';
import type { RunReport } from './run.ts';
import { RUN_VERSION, type Run } from './run-value.ts';
import { storyOfFinding, storyOfRun } from './story.ts';

const run: Run = {
  version: RUN_VERSION,
  configuration: defaultConfiguration,
  events: [{ kind: 'split', afterMs: 500, at: 4, to: 1, forMs: 700, amount: 3 }],
};

function reportOf(judge: Judge): RunReport {
  return { violation: judge.violation, hash: '0123456789abcdef', virtualMs: 9, handled: 1, published: 7, judge };
}

describe('a run as a story', () => {
  it('tells what happened when, that every law held, and the string', () => {
    const judge = new Judge([]);
    judge.happened(run.events[0]!);
    expect(storyOfRun(run, reportOf(judge)).split('\n')).toEqual([
      '    0.000  nothing gets between s1 and s0, for 700 ms',
      '',
      'every law held; 7 blocks were published',
      'trace 0123456789abcdef',
      'v1~~split-dw-4-1-jg-3',
    ]);
  });

  it('ends soon after the law that was broken first', () => {
    const judge = new Judge([]);
    judge.happened(run.events[0]!);
    judge.broken('logMatching', 'two entries at 7');
    for (let after = 0; after < 20; after++) judge.happened(run.events[0]!);
    judge.broken('electionSafety', 'a consequence');
    const lines = storyOfRun(run, reportOf(judge)).split('\n');
    expect(lines[1]).toBe('    0.000  LAW BROKEN: logMatching: two entries at 7');
    expect(lines).toHaveLength(2 + 4 + 4);
    expect(lines.at(-3)).toBe('logMatching is broken: two entries at 7');
  });

  it('names the machines that an event concerns, which are never the same one', () => {
    for (const servers of [3, 5])
      for (let at = 0; at < 8; at++)
        for (let to = 0; to < 8; to++) {
          const judge = new Judge([]);
          judge.happened({ ...run.events[0]!, at, to });
          const [, one, other] = /between (s\d) and (s\d)/.exec(judge.moments[0]!.text) ?? [];
          expect(one, `${servers} ${at} ${to}`).not.toBe(other);
        }
  });

  it('of a finding: its events, its story, and both strings to replay', () => {
    const text = storyOfFinding({ law: 'availability', run, found: { ...run, events: [] }, shrinkRuns: 12 });
    expect(text).toContain('availability is broken by a run of 0 events, of which 1 are needed (12 runs tried):');
    expect(text).toContain('  + 500 ms  nothing gets between s1 and s0, for 700 ms');
    expect(text).toContain("replay with: npm run sim -- replay 'v1~~split-dw-4-1-jg-3'");
    expect(text).toContain("as found:    npm run sim -- replay 'v1~'");
    expect(text).toContain('every law held');
  });
});
