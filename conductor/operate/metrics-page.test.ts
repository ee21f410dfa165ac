import { describe, expect, it } from 'vitest';
import { parseMetrics, recentQuantile } from './metrics-page.ts';

const PAGE = `# HELP op_conductor_raft_term Current term
# TYPE op_conductor_raft_term gauge
op_conductor_raft_term 3
op_conductor_info{version="v1"} 1
op_conductor_commit_seconds_bucket{le="0.001"} 10
op_conductor_commit_seconds_bucket{le="0.01"} 19
op_conductor_commit_seconds_bucket{le="+Inf"} 20
op_conductor_commit_seconds_sum 0.1
op_conductor_commit_seconds_count 20

nonsense{
`;

describe('a Prometheus page', () => {
  it('gives plain samples and histograms, and ignores the rest', () => {
    const page = parseMetrics(PAGE);
    expect(page.values.get('op_conductor_raft_term')).toBe(3);
    expect(page.values.has('op_conductor_info')).toBe(false);
    expect(page.histograms.get('op_conductor_commit_seconds')).toEqual([
      { bound: 0.001, count: 10 },
      { bound: 0.01, count: 19 },
      { bound: Infinity, count: 20 },
    ]);
  });
});

describe('a recent quantile', () => {
  const at = (...counts: number[]) =>
    counts.map((count, index) => ({ bound: [0.001, 0.01, Infinity][index] ?? 0, count }));

  it('lies within its bucket, linearly', () => {
    expect(recentQuantile(null, at(10, 20, 20), 0.5)).toBeCloseTo(0.001);
    expect(recentQuantile(null, at(10, 20, 20), 0.75)).toBeCloseTo(0.0055);
  });

  it('counts only what came since the earlier reading', () => {
    expect(recentQuantile(at(100, 100, 100), at(100, 110, 110), 0.5)).toBeCloseTo(0.0055);
    expect(recentQuantile(at(5, 5, 5), at(5, 5, 5), 0.5)).toBeNull();
  });

  it('starts over after a restart, and says the last bound for what is beyond it', () => {
    expect(recentQuantile(at(100, 100, 100), at(0, 0, 4), 0.5)).toBe(0.01);
    expect(recentQuantile(null, [], 0.5)).toBeNull();
  });
});
