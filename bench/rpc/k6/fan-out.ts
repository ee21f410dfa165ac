/**
 * k6: CLIENTS websocket clients of a conductor's flashblocks, a hundred per user. A message begins with
 * {"at":<Unix ms>,"count":<number>, : from it each client knows how old it is and whether one is missing.
 */
import { Counter, Trend } from 'k6/metrics';
import { WebSocket } from 'k6/websockets';

const url = __ENV['WS_URL'] ?? 'ws://127.0.0.1:8546/ws';
const clients = Number(__ENV['CLIENTS'] ?? 1000);
const seconds = Number(__ENV['SECONDS'] ?? 10);
const SOCKETS_PER_USER = 100;
/** Until all are connected messages count as any other, but nothing is late. */
const CONNECT_SECONDS = 3;
const users = Math.ceil(clients / SOCKETS_PER_USER);
const age = new Trend('message_age', true);
const received = new Counter('messages_received');
const lost = new Counter('messages_lost');
const connected = new Counter('clients_connected');

export const options = {
  scenarios: {
    clients: {
      executor: 'per-vu-iterations',
      vus: users,
      iterations: 1,
      maxDuration: `${seconds + CONNECT_SECONDS + 30}s`,
    },
  },
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max', 'count'],
  thresholds: {
    clients_connected: [`count==${clients}`],
    messages_lost: ['count==0'],
    messages_received: [`count>${clients}`],
    message_age: [`p(99)<${__ENV['P99_MS_MAX'] ?? 1000}`],
  },
};

export default function connectAll(): void {
  const beganMs = Date.now();
  lost.add(0);
  for (let at = 0; at < Math.min(SOCKETS_PER_USER, clients); at += 1) connect(beganMs);
}

function connect(beganMs: number): void {
  const socket = new WebSocket(url);
  let next = -1;
  socket.addEventListener('open', () => {
    connected.add(1);
    setTimeout(() => socket.close(), (seconds + CONNECT_SECONDS) * 1000);
  });
  socket.addEventListener('message', ({ data }) => {
    const nowMs = Date.now();
    const [, at = '', count = ''] = /^\{"at":(\d+),"count":(\d+),/.exec(data) ?? [];
    if (next >= 0 && Number(count) !== next) lost.add(1);
    next = Number(count) + 1;
    received.add(1);
    if (nowMs - beganMs > CONNECT_SECONDS * 1000) age.add(nowMs - Number(at));
  });
}

export function handleSummary(summary: unknown): Record<string, string> {
  return { [__ENV['SUMMARY_PATH'] ?? 'summary.json']: JSON.stringify(summary) };
}
