/**
 * k6: mixed load while the leader is killed. One user commits blocks in order, going on at the next URL when one does
 * not take them, as a chain's sequencers would; others read at a fixed rate from the nodes that stay. URLS names the
 * nodes, the one that is killed first; GAP_MS_MAX bounds the longest time between two commits.
 */
import { check, sleep } from 'k6';
import http from 'k6/http';
import { Trend } from 'k6/metrics';

const urls = (__ENV['URLS'] ?? '').split(',');
const bodies = open(__ENV['BODIES_PATH'] ?? 'bodies.txt')
  .split('\n')
  .filter((line) => line !== '');
const seconds = Number(__ENV['SECONDS'] ?? 10);
const params = { headers: { 'Content-Type': 'application/json' }, timeout: '2s' };
const methods = ['conductor_leader', 'conductor_active', 'conductor_clusterMembership'];
const BETWEEN_COMMITS_S = 0.01;
const BETWEEN_TRIES_S = 0.002;
const READS_PER_SECOND = 100;
const commitGap = new Trend('commit_gap', true);

export const options = {
  scenarios: {
    commits: {
      executor: 'per-vu-iterations',
      exec: 'commitAll',
      vus: 1,
      iterations: 1,
      maxDuration: `${seconds + 30}s`,
    },
    reads: {
      executor: 'constant-arrival-rate',
      exec: 'readOnce',
      rate: READS_PER_SECOND,
      duration: `${seconds}s`,
      preAllocatedVUs: 16,
    },
  },
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max', 'count'],
  thresholds: {
    checks: ['rate==1'],
    commit_gap: [`max<${__ENV['GAP_MS_MAX'] ?? 1000}`],
    'http_req_failed{scenario:reads}': ['rate==0'],
    'http_req_duration{scenario:reads}': [`p(99)<${__ENV['P99_MS_MAX'] ?? 1000}`],
  },
};

export function commitAll(): void {
  const endMs = Date.now() + seconds * 1000;
  let at = 0;
  let committedMs = 0;
  let committed = 0;
  for (const body of bodies) {
    for (; Date.now() < endMs; sleep(BETWEEN_TRIES_S)) {
      const { status, body: answer } = http.post(urls[at] ?? '', body, params);
      if (status === 200 && typeof answer === 'string' && answer.includes('"result":null')) break;
      at = (at + 1) % urls.length;
    }
    const nowMs = Date.now();
    if (nowMs >= endMs) break;
    if (committedMs > 0) commitGap.add(nowMs - committedMs);
    committedMs = nowMs;
    committed += 1;
    sleep(BETWEEN_COMMITS_S);
  }
  // The time must end before the blocks: only then a gap at the end would be seen.
  check(committed, { 'there were blocks left': (count) => count < bodies.length });
}

export function readOnce(): void {
  const survivors = urls.slice(1);
  const url = survivors[Math.floor(Math.random() * survivors.length)] ?? '';
  const method = methods[Math.floor(Math.random() * methods.length)];
  const response = http.post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }), params);
  check(response, {
    'answers with a result': ({ status, body }) =>
      status === 200 && typeof body === 'string' && body.includes('"result":'),
  });
}

export function handleSummary(summary: unknown): Record<string, string> {
  return { [__ENV['SUMMARY_PATH'] ?? 'summary.json']: JSON.stringify(summary) };
}
