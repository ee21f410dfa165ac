import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { goals } from './goals.ts';
import { goalsTable } from './goals-table.ts';
import { KeptResults } from './kept-results.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'goals-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A folder of results with one file, as a benchmark leaves it. */
function keptWith(name: string, results: unknown, method: object = {}): KeptResults {
  const folder = temporaryFolder();
  const machine = { processor: 'P', cores: 2, loadAverageAtEnd: [0.5] };
  const report = { name, at: '2026-01-01T00:00:00.000Z', machine, versions: { commit: 'abc' }, method, results };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));
  return new KeptResults(folder);
}

function rowOf(text: string, title: string): string {
  return text.split('\n').find((line) => line.startsWith(title)) ?? '';
}

test('every goal has one row, whatever was measured', () => {
  const { text, holds, fallsShort, unknown } = goalsTable(keptWith('steady', []));
  for (const { title } of goals) expect(rowOf(text, title), title).not.toBe('');
  expect(new Set(goals.map(({ title }) => title)).size).toBe(goals.length);
  expect([holds, fallsShort]).toEqual([0, 0]);
  expect(unknown).toBeGreaterThan(0);
});

test('a row has the medians of both sides, the ratio with its spread, the demand and the verdict', () => {
  const read = (side: string, round: number, serverCpuMicros: number) => ({
    ...{ side, round, method: 'conductor_leader', users: 16, serverCpuMicros },
    ...{ perSecond: 1, p50Ms: 1, p95Ms: 1, p99Ms: 1, failedThresholds: [] },
  });
  const reads = [read('go', 1, 60), read('bun', 1, 30), read('bun', 2, 12), read('go', 2, 40)];
  const { text } = goalsTable(keptWith('rpc', { reads, commits: [] }));
  expect(rowOf(text, 'leader, 16 users: server CPU per call').split(/ {2,}/)).toEqual([
    ...['leader, 16 users: server CPU per call', '21 µs', '50 µs', '0.4×', '0.3–0.5', '≤ 0.5×', 'holds'],
  ]);
});

test('a sequencer that was never started is told as never, and no goal held', () => {
  const sample = (startMs: number | null) => ({ gapMs: 1000, startMs, broken: [] });
  const row = (side: string, samples: object[]) => ({
    harm: "the leader's conductor is killed",
    side,
    measure: 'start',
    limitMs: 150,
    share: 0.99,
    samples,
  });
  const kept = keptWith('gaps', [row('bun', [sample(null)]), row('go', [sample(2000)])]);
  expect(rowOf(goalsTable(kept).text, 'development sequencers: kill to another start')).toMatch(/never.*falls short/);
});

test('effort and commit of each kept result are told, and few rounds marked in its rows', () => {
  const one = { side: 'bun', round: 1, leaderPercent: 2, followersPercent: [1], residentMb: [1], readyMs: [9] };
  const { text } = goalsTable(keptWith('steady', [one], { effort: 0.25, leftOut: ['op-conductor was left out'] }));
  expect(rowOf(text, 'steady')).toMatch(/effort 0\.25, commit abc,.*few rounds, op-conductor was left out$/);
  expect(rowOf(text, 'start to ready on that store')).toMatch(/holds \(few rounds\)$/);
  expect(goalsTable(keptWith('steady', [one])).text).not.toContain('few rounds');
});

test.each(['', '{"name": "rpc", "at": "2026-', '{"name": "rpc"}', 'null', '[]'])(
  'a file that is no whole result is named with what to do, and nothing is judged by it: %s',
  (content) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'rpc.json'), content);
    const { text, holds, unreadable } = goalsTable(new KeptResults(folder));
    expect(rowOf(text, 'rpc')).toMatch(/rpc\.json is no whole result.*measure again with npm run bench -- rpc/);
    expect([holds, unreadable]).toEqual([0, 1]);
  },
);
