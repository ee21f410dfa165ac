import { expect, test } from 'vitest';
import { traceSettings, tracesUrl } from './trace-settings.ts';

test.each([
  ['', {}, null],
  ['http://c:4318', {}, 'http://c:4318/v1/traces'],
  ['http://c:4318/', {}, 'http://c:4318/v1/traces'],
  ['https://c/otlp/v1/traces', {}, 'https://c/otlp/v1/traces'],
  ['', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/p' }, 'http://c:4318/p/v1/traces'],
  ['', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/exactly' }, 'http://c:4318/exactly'],
  ['http://flag', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://variable' }, 'http://flag/v1/traces'],
  ['http://flag', { OTEL_SDK_DISABLED: 'True' }, null],
  ['http://flag', { OTEL_TRACES_EXPORTER: 'none' }, null],
])('spans of --otel.endpoint=%j and %j go to %j', (endpoint, env, url) => {
  expect(tracesUrl(endpoint, env)).toBe(url);
});

test('the specification’s values where no variable says otherwise', () => {
  expect(traceSettings('http://c', {})).toEqual({
    url: 'http://c/v1/traces',
    sampler: { name: 'parentbased_always_on', ratio: 1 },
    ...{ queueSpansMax: 2048, batchSpansMax: 512, delayMs: 5000, exportTimeoutMs: 30_000 },
    complaints: [],
  });
});

test('what the variables say is followed, and a batch is no larger than the queue', () => {
  const env = {
    ...{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
    ...{ OTEL_BSP_MAX_QUEUE_SIZE: '100', OTEL_BSP_SCHEDULE_DELAY: '50' },
  };
  expect(traceSettings('http://c', env)).toMatchObject({
    sampler: { name: 'traceidratio', ratio: 0.25 },
    ...{ queueSpansMax: 100, batchSpansMax: 100, delayMs: 50, complaints: [] },
  });
});

test.each([
  [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /^OTEL_TRACES_SAMPLER=jaeger_remote is not known/],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, /^OTEL_TRACES_SAMPLER_ARG=2 is no number from 0 to 1/],
  [{ OTEL_BSP_MAX_QUEUE_SIZE: '-1' }, /^OTEL_BSP_MAX_QUEUE_SIZE=-1 is no whole number/],
  [{ OTEL_BSP_MAX_QUEUE_SIZE: '1000000000' }, /no whole number from 1 to 65536: 2048 is used/],
  [{ OTEL_BSP_SCHEDULE_DELAY: '3000000000' }, /no whole number from 1 to 600000: 5000 is used/],
  [{ OTEL_BSP_EXPORT_TIMEOUT: '3000000000' }, /no whole number from 1 to 600000: 30000 is used/],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /grpc is not spoken/],
])('%j is not followed, in a sentence', (env, sentence) => {
  expect(traceSettings('http://c', env)).toMatchObject({ complaints: [expect.stringMatching(sentence)] });
});

test('an address that is no URL is a sentence, and goes nowhere', () => {
  const settings = traceSettings('', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' });
  expect(settings).toMatchObject({
    url: null,
    complaints: [expect.stringMatching(/^traces go nowhere: collector:4317/)],
  });
});
