/** Begins the traces of a run where they are asked for; else nothing of them is loaded. */
import { openTraces, type TraceOptions } from '#conductor/adapters/tracing/open-traces';
import { traceSettings } from '#conductor/adapters/tracing/trace-settings';
import { messageOf } from '#conductor/core/errors';
import type { RunConfig } from '../settings/flags-config.ts';
import { RunTraces } from './run-traces.ts';

export interface StartedTraces {
  readonly run: RunTraces;
  /** Tells what is not over and sends what is left, within a second; never rejects. */
  close(): Promise<void>;
}

/** null without traces: neither the flag nor a variable of OpenTelemetry asks for them, or they name no URL. */
export async function startTraces(
  config: Pick<RunConfig, 'tracesEndpoint' | 'serverId'>,
  ports: Omit<TraceOptions, 'settings' | 'serverId'>,
): Promise<StartedTraces | null> {
  const { tracesEndpoint, serverId } = config;
  const settings = traceSettings(tracesEndpoint, process.env);
  for (const complaint of settings?.complaints ?? []) ports.logger.log('warn', complaint);
  if (settings === null || settings.url === null) return null;
  const { url } = settings;
  const traces = await openTraces({ ...ports, serverId, settings: { ...settings, url } });
  const run = new RunTraces(serverId, traces, (thrown) =>
    ports.logger.log('error', 'a trace could not be made: there are none until a restart', { err: messageOf(thrown) }),
  );
  const close = async (): Promise<void> => {
    run.end();
    await traces.close();
  };
  return { run, close };
}
