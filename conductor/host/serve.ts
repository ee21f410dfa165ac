/** The servers of a conductor: JSON-RPC, and flashblocks and metrics where they are enabled. */
import { monotonicMs } from '#conductor/adapters/clock/clock';
import type { EventRing } from '#conductor/adapters/events/event-ring';
import type { FlashblocksRelay } from '#conductor/adapters/flashblocks/relay';
import type { AdminGate } from '#conductor/adapters/http/calls';
import { serveHttp } from '#conductor/adapters/http/http';
import type { HttpListener } from '#conductor/adapters/http/server';
import { startLoopLagMeter } from '#conductor/adapters/clock/loop-lag';
import { serveMetrics } from '#conductor/adapters/metrics/metrics-server';
import type { PrometheusMetrics } from '#conductor/adapters/metrics/prometheus';
import { publishStorageSpace } from '#conductor/adapters/system/storage-space';
import type { Conductor } from '#conductor/core/conductor';
import { peerGauges } from '#conductor/core/gauges';
import type { Logger } from '#conductor/core/ports';
import { bind } from './bind.ts';
import type { RunConfig } from './settings/flags-config.ts';

/** Longest wait for HTTP answers under way at the end. */
const httpDrainMs = 500;

export interface ServeOptions {
  readonly version: string;
  readonly metrics: PrometheusMetrics;
  readonly conductor: Conductor;
  readonly gate: AdminGate;
  readonly events: EventRing;
  /** null where there is no source of flashblocks. */
  readonly flashblocks: FlashblocksRelay | null;
  readonly logger: Logger;
  readonly transport: { readonly isListening: boolean };
  readonly invoke: Parameters<typeof serveHttp>[0]['invoke'];
}

/** Starts them; throws StartupError where a port is taken. */
export function serve(
  config: RunConfig,
  { version, metrics, conductor, gate, events, invoke, flashblocks, logger, transport }: ServeOptions,
): { readonly http: HttpListener; stop(): Promise<void> } {
  const http = bind(`${config.rpc.hostname}:${config.rpc.port}`, 'JSON-RPC', () =>
    serveHttp({
      ...config.rpc,
      dispatch: { isAdminEnabled: config.isAdminEnabled, isProxyEnabled: config.isProxyEnabled, version },
      version,
      metrics,
      gate,
      events,
      logger,
      invoke,
      readiness: () => (transport.isListening ? conductor.readiness() : 'the raft port is closed'),
    }),
  );
  if (config.flashblocks !== null && flashblocks !== null)
    listenForClients(config.flashblocks, flashblocks, conductor, logger);
  const { metrics: listen } = config;
  const scraped =
    listen === null
      ? null
      : bind(`${listen.hostname}:${listen.port}`, 'metrics', () =>
          serveMetrics(metrics, listen, () => {
            for (const name of peerGauges) metrics.clear(name);
            conductor.publishGauges();
            publishStorageSpace(metrics, config.storageDir);
          }),
        );
  const stopLagMeter = startLoopLagMeter(metrics);
  const stop = async (): Promise<void> => {
    stopLagMeter();
    await http.stop(httpDrainMs);
    await scraped?.stop();
  };
  return { http, stop };
}

function listenForClients(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  flashblocks: FlashblocksRelay,
  conductor: Conductor,
  logger: Logger,
): void {
  const withheld = (): ReturnType<Conductor['flashblocksWithheld']> => conductor.flashblocksWithheld(monotonicMs());
  const server = bind(`${hostname}:${port}`, 'WebSocket', () => flashblocks.listen({ hostname, port, withheld }));
  logger.log('info', 'starting WebSocket server', { addr: hostname, port: server.port });
}
