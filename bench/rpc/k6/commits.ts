/**
 * k6: commits prepared blocks in order, one user, as one op-node does. BODIES_PATH names a file with one request
 * body per line; each must be answered null, and RATE_MIN and P99_MS_MAX bound how fast.
 */
import { check } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';

const url = __ENV['RPC_URL'] ?? 'http://127.0.0.1:8547/';
const bodies = open(__ENV['BODIES_PATH'] ?? 'bodies.txt')
  .split('\n')
  .filter((line) => line !== '');
const headers = { 'Content-Type': 'application/json' };

export const options = {
  scenarios: {
    commits: { executor: 'shared-iterations', vus: 1, iterations: bodies.length, maxDuration: '2m' },
  },
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  thresholds: {
    checks: ['rate==1'],
    http_req_failed: ['rate==0'],
    iterations: [`rate>${__ENV['RATE_MIN'] ?? 1}`],
    http_req_duration: [`p(99)<${__ENV['P99_MS_MAX'] ?? 1000}`],
  },
};

export default function commitNext(): void {
  const response = http.post(url, bodies[exec.scenario.iterationInTest] ?? '', { headers });
  check(response, {
    'is committed': ({ status, body }) => status === 200 && typeof body === 'string' && body.includes('"result":null'),
  });
}

export function handleSummary(summary: unknown): Record<string, string> {
  return { [__ENV['SUMMARY_PATH'] ?? 'summary.json']: JSON.stringify(summary) };
}
