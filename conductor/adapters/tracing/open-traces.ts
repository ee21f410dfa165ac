/**
 * Sends finished traces to a collector as OTLP over HTTP, by OpenTelemetry's own libraries, which are loaded here and
 * nowhere else: a conductor that nobody asked for traces never runs a line of them. A collector that is slow, refuses or
 * is gone costs spans, which are counted, and one line in the log, but nobody's time.
 */
import type { Context } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import { monotonicMs } from '#conductor/adapters/clock/clock';
import type { Logger, Metrics } from '#conductor/core/ports';
import { shownUrl } from '#conductor/core/shown-url';
import { BoundedSpans } from './bounded-spans.ts';
import type { FinishedSpan, FinishedTrace, TraceSink } from './finished-trace.ts';
import type { TraceSettings } from './trace-settings.ts';

/** How long the end of a process waits for what was not sent yet, milliseconds. */
export const flushMs = 1000;

export interface TraceOptions {
  readonly settings: TraceSettings & { readonly url: string };
  readonly serverId: string;
  readonly version: string;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export interface Traces extends TraceSink {
  /** Sends what is left, for `flushMs` at most; never rejects. */
  close(): Promise<void>;
}

/** OpenTelemetry's libraries, the parts that are used. */
async function loadLibraries() {
  const [api, core, sdk, resources, otlp] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  return { api, core, sdk, resources, otlp };
}
type Libraries = Awaited<ReturnType<typeof loadLibraries>>;

/** Loads the libraries, and says in the log where traces go. */
export async function openTraces(options: TraceOptions): Promise<Traces> {
  const { settings, serverId, version, logger } = options;
  const libraries = await loadLibraries();
  const { sdk, otlp } = libraries;
  const exporter = new otlp.OTLPTraceExporter({ url: settings.url });
  const spans = new BoundedSpans(exporter, options, (counted) => {
    const { batchSpansMax, queueSpansMax, delayMs, exportTimeoutMs } = settings;
    return new sdk.BatchSpanProcessor({
      exporter: counted,
      maxExportBatchSize: batchSpansMax,
      maxQueueSize: queueSpansMax,
      scheduledDelayMillis: delayMs,
      exportTimeoutMillis: exportTimeoutMs,
    });
  });
  const provider = new sdk.TracerProvider({
    spanProcessors: [spans],
    sampler: samplerOf(libraries, settings),
    resource: resourceOf(libraries, { serverId, version }),
  });
  const emit = emitter(libraries, provider.getTracer('conductor', version));
  const close = async (): Promise<void> => {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, flushMs);
    // What became of the spans, the counters have said.
    await Promise.race([provider.shutdown().catch(() => undefined), late.promise]);
    clearTimeout(timer);
    if (spans.waiting > 0) logger.log('warn', 'traces were not delivered before the end', { spans: spans.waiting });
  };
  logger.log('info', 'sending traces', { endpoint: shownUrl(settings.url), sampler: settings.sampler.name });
  return { emit, close };
}

/** The way of a finished trace into the libraries: every span is begun and ended at its own times. */
function emitter(
  { api, core }: Libraries,
  tracer: ReturnType<Libraries['api']['trace']['getTracer']>,
): TraceSink['emit'] {
  const propagator = new core.W3CTraceContextPropagator();
  const { SpanKind, SpanStatusCode, ROOT_CONTEXT, defaultTextMapGetter, trace } = api;
  const add = (finished: FinishedSpan, kind: number, context: Context, unixOffsetMs: number): void => {
    const { name, attributes, beganMs, endedMs, error, children } = finished;
    const startTime = beganMs + unixOffsetMs;
    const span = tracer.startSpan(name, { kind, startTime, attributes }, context);
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    if (span.isRecording()) {
      const inside = trace.setSpan(context, span);
      for (const child of children) add(child, SpanKind.INTERNAL, inside, unixOffsetMs);
    }
    span.end(endedMs + unixOffsetMs);
  };
  return ({ root, kind, parent }: FinishedTrace) => {
    const context = parent === null ? ROOT_CONTEXT : propagator.extract(ROOT_CONTEXT, parent, defaultTextMapGetter);
    // One offset for the whole trace: the wall clock has whole milliseconds, and may step.
    add(root, kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL, context, Date.now() - monotonicMs());
  };
}

function resourceOf({ resources }: Libraries, own: { readonly serverId: string; readonly version: string }) {
  const { defaultResource, resourceFromAttributes, detectResources, envDetector } = resources;
  return defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'conductor',
        'service.version': own.version,
        'service.instance.id': own.serverId,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
}

function samplerOf({ sdk }: Libraries, { sampler: { name, ratio } }: TraceSettings): Sampler {
  const { AlwaysOnSampler, AlwaysOffSampler, TraceIdRatioBasedSampler, ParentBasedSampler } = sdk;
  const root = name.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new AlwaysOnSampler();
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
