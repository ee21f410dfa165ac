/**
 * The bound of what is kept for a collector, around OpenTelemetry's batches: spans that wait and spans under way together,
 * so that a collector that hangs holds no more memory than one that is gone. What is lost is counted, and said once.
 */
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Logger, Metrics } from '#conductor/core/ports';
import { shownUrl } from '#conductor/core/shown-url';
import type { TraceSettings } from './trace-settings.ts';

/** ExportResultCode.SUCCESS of @opentelemetry/core, which is not loaded before traces are wanted. */
const success = 0;
const sampled = 1;

export interface BoundedOptions {
  readonly settings: Pick<TraceSettings, 'queueSpansMax'> & { readonly url: string };
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export class BoundedSpans implements SpanProcessor {
  readonly #options: BoundedOptions;
  readonly #batches: SpanProcessor;
  #waiting = 0;
  #isLost = false;

  /** `batch` makes the processor that gives batches to the exporter that it is given. */
  constructor(exporter: SpanExporter, options: BoundedOptions, batch: (counted: SpanExporter) => SpanProcessor) {
    this.#options = options;
    this.#batches = batch({
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          this.#ended(spans.length, result.code === success ? null : (result.error?.message ?? 'no reason given'));
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    });
  }

  /** Spans that no collector has taken yet. */
  get waiting(): number {
    return this.#waiting;
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & sampled) === 0) return;
    const { settings, metrics } = this.#options;
    if (this.#waiting >= settings.queueSpansMax) return metrics.count('trace_spans_lost_total', { reason: 'full' });
    this.#waiting += 1;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }

  #ended(count: number, failure: string | null): void {
    const { settings, metrics, logger } = this.#options;
    this.#waiting -= count;
    if (failure !== null) metrics.count('trace_spans_lost_total', { reason: 'collector' }, count);
    if (this.#isLost === (failure !== null)) return;
    this.#isLost = failure !== null;
    const endpoint = shownUrl(settings.url);
    if (failure === null) logger.log('info', 'traces are delivered again', { endpoint });
    else
      logger.log('warn', 'traces are not delivered; what is lost is counted in trace_spans_lost_total', {
        endpoint,
        err: failure,
      });
  }
}
