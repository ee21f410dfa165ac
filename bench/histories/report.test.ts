/** Reports add up, and seeds stay readable. */
import { expect, it } from 'vitest';
import { faultKinds } from './faults.ts';
import type { LawResult } from './judge.ts';
import { describeReport, merged, reportOf, type Judged } from './report.ts';

function judged(seed: number, oneHead: LawResult = 'Ok'): Judged {
  const laws = { 'register-per-height': 'Ok', 'acknowledged-heads': 'Ok', 'one-head': oneHead } as const;
  const counts = { acknowledged: 5, refused: 3, unknown: 1, reads: 2, seconds: 60, trouble: null };
  return {
    played: { seed, servers: seed % 2 === 0 ? 5 : 3, faults: [{ kind: 'kill', server: 's1' }], ...counts },
    verdict: { file: `${seed}.jsonl`, calls: 11, laws, milliseconds: seed },
  };
}

it('seeds without gaps are told as first and last', () => {
  expect(
    reportOf(
      [7, 3, 4, 5, 9].map((seed) => judged(seed)),
      [],
    ).seeds,
  ).toEqual([
    [3, 5],
    [7, 7],
    [9, 9],
  ]);
});

it('a law that does not hold, or is not decided, is counted', () => {
  const { notKept } = reportOf([judged(1), judged(2, 'Illegal'), judged(3, 'Unknown')], []);
  expect(notKept).toEqual({ 'acknowledged-heads': 0, 'one-head': 2, 'register-per-height': 0 });
});

it('two reports together are as the report of both', () => {
  const [first, second] = [[judged(1), judged(2)], [judged(3, 'Illegal')]];
  const unplayed = [{ seed: 9, why: 'no leader' }];
  const together = merged(reportOf(first, []), reportOf(second, unplayed));
  const atOnce = reportOf([...first, ...second], unplayed);
  expect({ ...together, seeds: null }).toEqual({ ...atOnce, seeds: null });
  expect(together.seeds).toEqual([
    [1, 2],
    [3, 3],
  ]);
});

it('says how often each fault was done, and what was not played', () => {
  const text = describeReport(reportOf([judged(1)], [{ seed: 2, why: 'no leader' }]));
  for (const kind of faultKinds) expect(text).toContain(`${kind} ${kind === 'kill' ? 1 : 0}`);
  expect(text).toContain('one-head: kept in all');
  expect(text).toContain('seed 2 was not played to its end: no leader');
});
