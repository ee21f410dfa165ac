/** Traces: whether a collector takes spans where the conductor would send them. Asked with a batch of none. */
import { tracesUrl } from '#conductor/adapters/tracing/trace-settings';
import { messageOf } from '#conductor/core/errors';
import { shownUrl } from '#conductor/core/shown-url';
import { findingsOf, flagLink, type Finding } from './finding.ts';
import type { Subject } from './subject.ts';

const { good, warning } = findingsOf('traces');
const answerMsMax = 5000;

/** Nothing where traces are not asked for. `environment` has the conductor's variables. Never rejects. */
export async function checkTraces(
  { config }: Pick<Subject, 'config'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const url = config?.tracesEndpoint === undefined ? null : tracesUrl(config.tracesEndpoint, environment);
  if (url === null) return [];
  const shown = shownUrl(url);
  const link = flagLink('otel.endpoint');
  const advice =
    'Look whether a collector takes OTLP over HTTP there, usually on port 4318. The conductor runs without it.';
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(answerMsMax),
    });
    await response.body?.cancel();
    if (response.ok) return [good(`a collector takes traces at ${shown}`)];
    return [warning(`${shown} answers traces with HTTP status ${response.status}`, advice, link)];
  } catch (error) {
    return [warning(`no collector answers at ${shown}: ${messageOf(error)}`, advice, link)];
  }
}
