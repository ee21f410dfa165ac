import { expect, onTestFinished, test } from 'vitest';
import { checkTraces } from './traces-check.ts';

const configured = (tracesEndpoint: string) => ({ config: { tracesEndpoint } as never });

function collector(status: number): string {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('{}', { status }) });
  onTestFinished(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}

test('a collector that takes spans is good, by the flag as by the variable', async () => {
  const url = collector(200);
  const found = { verdict: 'good', says: `a collector takes traces at ${url}` };
  expect(await checkTraces(configured(url), {})).toMatchObject([found]);
  expect(await checkTraces(configured(''), { OTEL_EXPORTER_OTLP_ENDPOINT: url })).toMatchObject([found]);
});

test('one that refuses, or that is not there, is to be looked at', async () => {
  expect(await checkTraces(configured(collector(404)), {})).toMatchObject([
    { verdict: 'warning', says: expect.stringContaining('HTTP status 404') },
  ]);
  expect(await checkTraces(configured('http://127.0.0.1:1'), {})).toMatchObject([
    { verdict: 'warning', says: expect.stringMatching(/^no collector answers at http:\/\/127.0.0.1:1: /) },
  ]);
});

test('without traces nothing is said', async () => {
  expect(await checkTraces(configured(''), {})).toEqual([]);
  expect(await checkTraces({ config: null }, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c' })).toEqual([]);
});
