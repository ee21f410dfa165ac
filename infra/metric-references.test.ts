import { expect, test } from 'vitest';
import { metricReferences, referenceMistakes, worksWithOpConductor } from './metric-references.ts';

test.each([
  ['op_conductor_no_such_metric > 1', 'op_conductor_no_such_metric is not exported'],
  ['op_conductor_commit_seconds', 'op_conductor_commit_seconds is not exported'],
  ['op_conductor_raft_term_bucket', 'op_conductor_raft_term_bucket is not exported'],
  ['rate(process_threads[5m])', 'process_threads is not exported'],
  ['op_conductor_raft_term{peer="b"}', 'op_conductor_raft_term has no label peer'],
  ['op_conductor_alarms_total{kind="fire"}', 'op_conductor_alarms_total never has kind="fire"'],
  ['sum by (peer) (op_conductor_raft_term)', 'none of its metrics has the label peer'],
  ['sum by (le) (op_conductor_commit_seconds_count)', 'none of its metrics has the label le'],
  ['time() > 5', 'it names no metric'],
])('%s: %s', (expr, mistake) => expect(referenceMistakes(expr)).toContain(mistake));

test('a label that an aggregation drops cannot be shown', () => {
  const expr = 'sum by (kind) (increase(op_conductor_alarms_total[5m]))';
  expect(referenceMistakes(expr, ['kind'])).toEqual([]);
  expect(referenceMistakes(expr, ['instance'])).toEqual(['its result has no label instance']);
});

test.each([
  'histogram_quantile(0.9, sum by (CLUSTER, le) (rate(op_conductor_commit_seconds_bucket{instance=~"a.*"}[5m])))',
  'op_conductor_raft_peer_lag_entries{peer="b"} > 5 and on (job, instance) up',
])('nothing is wrong with %s', (expr) => expect(referenceMistakes(expr)).toEqual([]));

test('every metric is found once for each mention, with its matchers', () => {
  const found = metricReferences('up == 0 and on (job) op_conductor_info{version!="v1",job="a"} or up');
  expect(found.map(({ name }) => name)).toEqual(['up', 'op_conductor_info', 'up']);
  expect(found[1]?.matchers).toEqual([
    { label: 'version', operator: '!=', value: 'v1' },
    { label: 'job', operator: '=', value: 'a' },
  ]);
});

test('what op-conductor exports, too', () => {
  expect(worksWithOpConductor('rate(op_conductor_loop_execution_time_bucket[5m])')).toBe(true);
  expect(worksWithOpConductor('op_conductor_up and op_conductor_raft_term')).toBe(false);
});
