/**
 * k6: a whole service for as long as SECONDS says: one block a second as one op-node commits them, reads at a fixed
 * rate from every node, and WS_CLIENTS subscribers. BODIES_PATH names the blocks, one request body per line.
 */
import { check } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter } from 'k6/metrics';
import { WebSocket } from 'k6/websockets';

const urls = (__ENV['URLS'] ?? '').split(',');
const seconds = Number(__ENV['SECONDS'] ?? 600);
const subscribers = Number(__ENV['WS_CLIENTS'] ?? 20);
const bodies = new SharedArray('bodies', () =>
  open(__ENV['BODIES_PATH'] ?? 'bodies.txt')
    .split('\n')
    .filter((line) => line !== ''),
);
const params = { headers: { 'Content-Type': 'application/json' } };
const methods = ['conductor_leader', 'conductor_active', 'conductor_clusterMembership'];
const READS_PER_SECOND = 60;
const received = new Counter('messages_received');
const p99MsMax = __ENV['P99_MS_MAX'] ?? 500;

export const options = {
  scenarios: {
    commits: {
      executor: 'constant-arrival-rate',
      exec: 'commitNext',
      rate: 1,
      duration: `${seconds}s`,
      preAllocatedVUs: 1,
      maxVUs: 1,
    },
    reads: {
      executor: 'constant-arrival-rate',
      exec: 'readOnce',
      rate: READS_PER_SECOND,
      duration: `${seconds}s`,
      preAllocatedVUs: 16,
    },
    subscribers: {
      executor: 'per-vu-iterations',
      exec: 'subscribe',
      vus: 1,
      iterations: 1,
      maxDuration: `${seconds + 30}s`,
    },
  },
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max', 'count'],
  thresholds: {
    checks: ['rate==1'],
    http_req_failed: ['rate==0'],
    // Reads that k6 itself could not begin in time, on a machine that does something else as well.
    dropped_iterations: [`count<=${Math.ceil((seconds * READS_PER_SECOND) / 100)}`],
    messages_received: [`count>${subscribers}`],
    'http_req_duration{scenario:commits}': [`p(99)<${p99MsMax}`],
    'http_req_duration{scenario:reads}': [`p(99)<${p99MsMax}`],
  },
};

export function commitNext(): void {
  const response = http.post(urls[0] ?? '', bodies[exec.scenario.iterationInTest] ?? '', params);
  check(response, {
    'is committed': ({ status, body }) => status === 200 && typeof body === 'string' && body.includes('"result":null'),
  });
}

export function readOnce(): void {
  const at = exec.scenario.iterationInTest;
  const method = methods[at % methods.length];
  const response = http.post(
    urls[at % urls.length] ?? '',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    params,
  );
  check(response, {
    'answers with a result': ({ status, body }) =>
      status === 200 && typeof body === 'string' && body.includes('"result":'),
  });
}

export function subscribe(): void {
  for (let at = 0; at < subscribers; at += 1) {
    const socket = new WebSocket(__ENV['WS_URL'] ?? 'ws://127.0.0.1:8546/ws');
    socket.addEventListener('open', () => void setTimeout(() => socket.close(), seconds * 1000));
    socket.addEventListener('message', () => received.add(1));
  }
}

export function handleSummary(summary: unknown): Record<string, string> {
  return { [__ENV['SUMMARY_PATH'] ?? 'summary.json']: JSON.stringify(summary) };
}
