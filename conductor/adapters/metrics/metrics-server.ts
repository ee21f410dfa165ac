/** The small HTTP service that Prometheus scrapes. Every path and method answers, as op-conductor's does. */
import { Hono } from 'hono';
import { listenHttp, pathOf, type HttpEnv } from '../http/server.ts';
import { UnreadAnswers } from '../http/unread-answers.ts';
import type { PrometheusMetrics } from './prometheus.ts';

/** Memory for pages that scrapers do not read, in bytes. */
const unreadBytesMax = 8 * 1024 * 1024;

/** A page answers whoever asks within so many times as long as it took to make: at most a tenth of our time goes to pages. */
const sharedTimes = 10;

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
  const page = sharedPage(() => {
    collect();
    return metrics.page();
  });
  app.all('*', async ({ req: { raw } }) => {
    // A body would be made and never read.
    if (raw.method === 'HEAD') return new Response(null, { headers });
    return new Response(answers.body(await page()), { headers });
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

/** Makes a page for all that ask while it is being made, or soon after. */
function sharedPage(make: () => Promise<string>): () => Promise<string> {
  let page: Promise<string> | null = null;
  return () => {
    if (page !== null) return page;
    const began = performance.now();
    const share = (): void => {
      setTimeout(() => (page = null), sharedTimes * (performance.now() - began)).unref();
    };
    page = make().finally(share);
    return page;
  };
}
