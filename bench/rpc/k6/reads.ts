/**
 * k6: one read method of a conductor, called by VUS virtual users for DURATION, each on its own persistent
 * connection. RPC_URL and METHOD say what is called, P99_MS_MAX how long it may take.
 */
import { check } from 'k6';
import http from 'k6/http';

const method = __ENV['METHOD'] ?? 'conductor_leader';
const url = __ENV['RPC_URL'] ?? 'http://127.0.0.1:8547/';
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
const headers = { 'Content-Type': 'application/json' };

export const options = {
  vus: Number(__ENV['VUS'] ?? 1),
  duration: __ENV['DURATION'] ?? '5s',
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  thresholds: {
    checks: ['rate==1'],
    http_req_failed: ['rate==0'],
    http_req_duration: [`p(99)<${__ENV['P99_MS_MAX'] ?? 250}`],
  },
};

export default function readOnce(): void {
  const response = http.post(url, body, { headers });
  check(response, {
    'answers with a result': ({ status, body: text }) =>
      status === 200 && typeof text === 'string' && text.includes('"result":') && !text.includes('"error":'),
  });
}

export function handleSummary(summary: unknown): Record<string, string> {
  return { [__ENV['SUMMARY_PATH'] ?? 'summary.json']: JSON.stringify(summary) };
}
