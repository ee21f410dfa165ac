/** The exporter against collectors that take spans, refuse them, hang, or are gone. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#conductor/adapters/tcp/testing/endpoint';
import type { Metrics } from '#conductor/core/ports';
import type { FinishedTrace } from './finished-trace.ts';
import { flushMs, openTraces, type Traces } from './open-traces.ts';
import { traceSettings } from './trace-settings.ts';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number; readonly message?: string };
}
interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: unknown }[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

let lines: string[] = [];
let fields: unknown[] = [];
let lost = new Map<string, number>();
const waitMs = 30_000;
const closers: (() => unknown)[] = [];
beforeEach(() => {
  lines = [];
  fields = [];
  lost = new Map();
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const metrics = {
  count: (_name: string, { reason }: { readonly reason: string }, by = 1) =>
    void lost.set(reason, (lost.get(reason) ?? 0) + by),
} as unknown as Metrics;

function collector(answer: () => Response | Promise<Response>): { readonly url: string; readonly bodies: Body[] } {
  const bodies: Body[] = [];
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: async (request) => {
      bodies.push((await request.json()) as Body);
      return answer();
    },
  });
  closers.push(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, bodies };
}

async function open(url: string, env: Readonly<Record<string, string>> = {}): Promise<Traces> {
  const settings = traceSettings(url, { OTEL_BSP_SCHEDULE_DELAY: '5', ...env })!;
  const logger = {
    log: (level: string, message: string, more?: unknown) => {
      lines.push(`${level} ${message}`);
      fields.push(more);
    },
  };
  return openTraces({ settings: { ...settings, url: settings.url! }, serverId: 'n1', version: 'v1', metrics, logger });
}

function trace(parent: FinishedTrace['parent'] = null): FinishedTrace {
  const inner = { name: 'inner', beganMs: 1, endedMs: 2, attributes: {}, error: 'why', children: [] };
  const root = { name: 'outer', beganMs: 1, endedMs: 3.5, attributes: { height: 7 }, error: null, children: [inner] };
  return { root, kind: 'server', parent };
}

const spansOf = (bodies: readonly Body[]): SentSpan[] =>
  bodies.flatMap(({ resourceSpans }) => resourceSpans.flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans)));

test('spans arrive nested, at their own times, with their failures, and continue the caller’s trace', async () => {
  const { url, bodies } = collector(() => Response.json({}));
  const traces = await open(url);
  traces.emit(trace({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: '' }));
  await eventually('the spans', () => spansOf(bodies).length === 2, waitMs);
  await traces.close();
  const spans = spansOf(bodies);
  const outer = spans.find(({ name }) => name === 'outer')!;
  const inner = spans.find(({ name }) => name === 'inner')!;
  expect(outer).toMatchObject({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
    kind: 2,
  });
  expect(inner).toMatchObject({ parentSpanId: outer.spanId, status: { code: 2, message: 'why' } });
  expect(Number(BigInt(outer.endTimeUnixNano) - BigInt(outer.startTimeUnixNano)) / 1e6).toBeCloseTo(2.5, 1);
  const resource = bodies[0]!.resourceSpans[0]!.resource.attributes;
  expect(resource).toContainEqual({ key: 'service.instance.id', value: { stringValue: 'n1' } });
  expect(lost).toEqual(new Map());
});

test('a trace whose caller has not sampled it is not sent', async () => {
  const { url, bodies } = collector(() => Response.json({}));
  const traces = await open(url);
  traces.emit(trace({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', tracestate: '' }));
  await traces.close();
  expect(bodies).toEqual([]);
});

test('a collector that refuses, and then takes: what is lost is counted, each change is said once', async () => {
  let status = 400;
  const { url, bodies } = collector(() => new Response('{}', { status }));
  const traces = await open(url);
  const emitted = async (count: number): Promise<void> => {
    const before = bodies.length;
    traces.emit(trace());
    await eventually('the batch', () => lost.get('collector') === count && bodies.length === before + 1, waitMs);
  };
  await emitted(2);
  await emitted(4);
  status = 200;
  await emitted(4);
  await eventually('the second change', () => lines.length === 3, waitMs);
  await traces.close();
  expect(lines.slice(1)).toEqual([
    'warn traces are not delivered; what is lost is counted in trace_spans_lost_total',
    'info traces are delivered again',
  ]);
});

test('no line of the log shows the password of a collector', async () => {
  const { url } = collector(() => new Response('{}', { status: 400 }));
  const traces = await open(url.replace('//', '//user:secret@'));
  traces.emit(trace());
  await eventually('the failure', () => lines.length === 2, waitMs);
  await traces.close();
  expect(fields).toMatchObject(fields.map(() => ({ endpoint: url })));
  expect(JSON.stringify(fields)).not.toContain('secret');
});

test('a collector that hangs holds the bound and no more, and the end no longer than its own', async () => {
  const { url, bodies } = collector(() => new Promise<Response>(() => undefined));
  const traces = await open(url, { OTEL_BSP_MAX_QUEUE_SIZE: '6' });
  for (let each = 0; each < 5; each += 1) traces.emit(trace());
  expect(lost).toEqual(new Map([['full', 4]]));
  await eventually('a batch', () => bodies.length > 0, waitMs);
  const began = performance.now();
  await traces.close();
  expect(performance.now() - began).toBeLessThan(10 * flushMs);
  expect(lines.at(-1)).toBe('warn traces were not delivered before the end');
});

test('a collector that is gone costs nobody anything but the spans', async () => {
  const { url } = collector(() => Response.json({}));
  for (const close of closers.splice(0)) await close();
  const traces = await open(url);
  traces.emit(trace());
  const began = performance.now();
  await traces.close();
  expect(performance.now() - began).toBeLessThan(10 * flushMs);
  expect([...lost.keys(), lines.at(-1)]).toContain('warn traces were not delivered before the end');
});
