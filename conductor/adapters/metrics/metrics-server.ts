/** The small HTTP service that Prometheus scrapes. Every path and method answers, as op-conductor's does. */
import { Hono } from 'hono';
import { listenHttp, pathOf, type HttpEnv } from '../http/server.ts';
import { UnreadAnswers } from '../http/unread-answers.ts';
import type { PrometheusMetrics } from './prometheus.ts';

/** Memory for pages that scrapers do not read, in bytes. */
const unreadBytesMax = 8 * 1024 * 1024;

const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores' };

/** Serves the page; `collect` is called before each scrape to bring gauges up to date. Throws when the port is taken. */
export function serveMetrics(
  metrics: PrometheusMetrics,
  listen: { readonly hostname: string; readonly port: number },
  collect: () => void,
): { readonly port: number; stop(): Promise<void> } {
  const answers = new UnreadAnswers({
    bytesMax: unreadBytesMax,
    now: () => performance.now(),
    shed: (reason) => metrics.count('http_connections_shed_total', { reason }),
  });
  const app = new Hono<HttpEnv>({ getPath: pathOf });
  app.all('*', async () => {
    collect();
    return new Response(answers.body(await metrics.page()), { headers });
  });
  const headRefused = (status: number): void => metrics.count('http_rejected_total', { status: String(status) });
  const server = listenHttp({ ...listen, app, headRefused });
  return {
    port: server.port,
    stop: async () => {
      await server.stop(0);
      answers.close();
    },
  };
}
