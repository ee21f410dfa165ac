/**
 * A real OpenTelemetry collector between conductors and a test: it takes OTLP over HTTP, and passes on what it made of it,
 * as JSON. Built once from the Go module beside this file.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../cluster/free-ports.ts';
import { waitFor } from '../../cluster/wait.ts';

const readyMsMax = 30_000;

export const collectorSource = import.meta.dirname;
export const collectorPath = join(import.meta.dirname, '../../../.tools/otel-collector');

/** A span as the collector passed it on. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface Body {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }[];
}

export interface Collector {
  /** Where conductors send to. */
  readonly endpoint: string;
  /** All that came through it so far. */
  readonly spans: readonly ReceivedSpan[];
  stop(): Promise<void>;
}

/** Starts the program at `collectorPath`; resolves when it takes spans. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const [port] = freePorts(1) as [number];
  const sink = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: async (request) => {
      const { resourceSpans } = (await request.json()) as Body;
      for (const { scopeSpans } of resourceSpans) for (const one of scopeSpans) spans.push(...one.spans);
      return Response.json({});
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'collector-'));
  const file = join(folder, 'collector.yaml');
  writeFileSync(file, configuration(port, `http://127.0.0.1:${sink.port}`));
  const child = Bun.spawn([collectorPath, '--config', file], { stdout: 'ignore', stderr: 'pipe' });
  const said = new Response(child.stderr).text();
  const endpoint = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await child.exited;
    await sink.stop(true);
    rmSync(folder, { recursive: true, force: true });
  };
  await waitFor('the collector to take spans', readyMsMax, async () => {
    if (child.exitCode !== null) throw new Error(`the collector ended: ${await said}`);
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${endpoint}/v1/traces`, { method: 'POST', headers, body: '{}' }).catch(() => null);
    return answer?.ok === true ? true : null;
  });
  return { endpoint, spans, stop };
}

function configuration(port: number, sink: string): string {
  return `receivers: { otlp: { protocols: { http: { endpoint: "127.0.0.1:${port}" } } } }
exporters:
  otlphttp:
    traces_endpoint: ${sink}/v1/traces
    encoding: json
    compression: none
    sending_queue: { enabled: false }
service:
  telemetry: { metrics: { level: none } }
  pipelines: { traces: { receivers: [otlp], exporters: [otlphttp] } }
`;
}
