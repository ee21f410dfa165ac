/**
 * Where traces go and how many of them: the flag, and the variables that every program with OpenTelemetry knows
 * (opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables). Headers, time limit, compression and
 * certificates of the exporter, and the resource, are read from their variables by OpenTelemetry's own libraries.
 */
import { shownUrl } from '#conductor/core/shown-url';

/** What OTEL_TRACES_SAMPLER knows. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplerNames)[number];

export interface TraceSettings {
  /** Whole URL that spans are posted to; null where what was given is none. */
  readonly url: string | null;
  readonly sampler: { readonly name: SamplerName; readonly ratio: number };
  /** Most spans that are kept for the collector, those under way included. */
  readonly queueSpansMax: number;
  readonly batchSpansMax: number;
  readonly delayMs: number;
  readonly exportTimeoutMs: number;
  /** What of the variables cannot be followed, in sentences for the log. */
  readonly complaints: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const tracesPath = '/v1/traces';

/** The URL that spans go to: the flag's, else the variables'; null when nobody asked for traces, or OTEL_SDK_DISABLED or OTEL_TRACES_EXPORTER=none says not to. */
export function tracesUrl(endpoint: string, env: Environment): string | null {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return null;
  if (env['OTEL_TRACES_EXPORTER']?.trim() === 'none') return null;
  if (endpoint !== '') return withPath(endpoint);
  const exact = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']?.trim() ?? '';
  if (exact !== '') return exact;
  const base = env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim() ?? '';
  return base === '' ? null : withPath(base);
}

/** Whether spans can be posted there. */
export function isTracesUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** The settings of an exporter; null when there are to be no traces. */
export function traceSettings(endpoint: string, env: Environment): TraceSettings | null {
  const url = tracesUrl(endpoint, env);
  if (url === null) return null;
  const complaints: string[] = [];
  const complain = (text: string): void => void complaints.push(text);
  const isUrl = isTracesUrl(url);
  if (!isUrl) complain(`traces go nowhere: ${shownUrl(url)} is no URL of OTLP over HTTP`);
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? '';
  if (protocol.startsWith('grpc'))
    complain(
      'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not spoken: spans go as OTLP over HTTP, which collectors take on port 4318',
    );
  const queueSpansMax = whole(env, 'OTEL_BSP_MAX_QUEUE_SIZE', [defaults.queueSpansMax, most.spans], complain);
  return {
    url: isUrl ? url : null,
    sampler: samplerOf(env, complain),
    queueSpansMax,
    batchSpansMax: Math.min(
      whole(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', [defaults.batchSpansMax, most.spans], complain),
      queueSpansMax,
    ),
    delayMs: whole(env, 'OTEL_BSP_SCHEDULE_DELAY', [defaults.delayMs, most.ms], complain),
    exportTimeoutMs: whole(env, 'OTEL_BSP_EXPORT_TIMEOUT', [defaults.exportTimeoutMs, most.ms], complain),
    complaints,
  };
}

/** Those of the specification. */
const defaults = { queueSpansMax: 2048, batchSpansMax: 512, delayMs: 5000, exportTimeoutMs: 30_000 };
/** A span takes about a kilobyte. Timers that are longer than 2^31 ms would end at once. */
const most = { spans: 65_536, ms: 600_000 };

function withPath(endpoint: string): string {
  const bare = endpoint.replace(/\/+$/, '');
  return bare.endsWith(tracesPath) ? bare : bare + tracesPath;
}

function samplerOf(env: Environment, complain: (text: string) => void): TraceSettings['sampler'] {
  const given = env['OTEL_TRACES_SAMPLER']?.trim() ?? '';
  const name = samplerNames.find((known) => known === given);
  if (given !== '' && name === undefined)
    complain(`OTEL_TRACES_SAMPLER=${given} is not known, and every trace is kept: want ${samplerNames.join(', ')}`);
  const argument = env['OTEL_TRACES_SAMPLER_ARG']?.trim() ?? '';
  const ratio = argument === '' ? 1 : Number(argument);
  const isRatio = ratio >= 0 && ratio <= 1;
  if (!isRatio) complain(`OTEL_TRACES_SAMPLER_ARG=${argument} is no number from 0 to 1, and every trace is kept`);
  return { name: name ?? 'parentbased_always_on', ratio: isRatio ? ratio : 1 };
}

function whole(
  env: Environment,
  name: string,
  [fallback, max]: readonly [number, number],
  complain: (text: string) => void,
): number {
  const given = env[name]?.trim() ?? '';
  if (given === '') return fallback;
  const value = Number(given);
  if (Number.isSafeInteger(value) && value > 0 && value <= max) return value;
  complain(`${name}=${given} is no whole number from 1 to ${max}: ${fallback} is used`);
  return fallback;
}
