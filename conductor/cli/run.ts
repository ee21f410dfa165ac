/**
 * The life of a conductor process: ask the nodes, open the store, listen, serve, and on a signal hand
 * over and end. Exit codes: 0 in order, 1 could not start or the store failed, 2 forced by a second signal.
 */
import { join } from 'node:path';
import { createRandom, monotonicMs, wallClock } from '#conductor/adapters/clock';
import { serveHttp, type HttpServer } from '#conductor/adapters/http';
import type { ProcessLogger } from '#conductor/adapters/logging';
import { startLoopLagMeter } from '#conductor/adapters/loop-lag';
import { createMetrics, serveMetrics } from '#conductor/adapters/prometheus';
import { Pump } from '#conductor/adapters/pump';
import { performCall, type Endpoints } from '#conductor/adapters/sequencer';
import { openStore } from '#conductor/adapters/sqlite/store';
import { openTransport } from '#conductor/adapters/tcp/transport';
import { Conductor } from '#conductor/conductor';
import { messageOf, StartupError } from '#conductor/errors';
import type { ConductorReady, OwnEvent } from '#conductor/events';
import type { TransportEvent } from '#conductor/ports';
import type { Outcome } from '#conductor/rpc/message';
import type { RunConfig } from './flags-config.ts';
import { askNodes } from './startup.ts';

/** Longest wait for HTTP answers under way at the end. */
const httpDrainMs = 500;
/** How long a failed node may still tell a peer to take over before it exits. */
const lastWordsMs = 200;
/** Longest orderly end; then the process exits 1 all the same. */
const drainDeadlineMs = 20_000;

export interface RunOptions {
  readonly config: RunConfig;
  readonly logger: ProcessLogger;
  readonly version: string;
}

/** Runs until the process is told to end; resolves with the exit code. Rejects with ConfigError or StartupError. */
export async function run(options: RunOptions): Promise<number> {
  const signals = listenToSignals(options.logger);
  options.logger.log('info', 'initializing OpConductor', { version: options.version });
  const stopping = Promise.race([signals.first.then(() => null), start(options)]);
  const running = await stopping;
  if (running === null) return 0;
  signals.onDrain((reason) => running.drain(reason));
  return running.finished;
}

interface Running {
  drain(reason: string): void;
  readonly finished: Promise<number>;
}

async function start({ config, logger, version }: RunOptions): Promise<Running> {
  const endpoints: Endpoints = { node: config.nodeUrl, execution: config.executionUrl, executionPeers: config.executionPeersUrl };
  const isActive = await askNodes({ logger, perform: (request) => performCall(endpoints, request), sleep: (ms) => Bun.sleep(ms) });
  const metrics = createMetrics(version);
  const directory = join(config.storageDir, config.serverId);
  const slowWriteMs = config.raft.heartbeatTimeoutMs / 10;
  const store = openStore({ directory, serverId: config.serverId, metrics, slowWriteMs });
  const early: TransportEvent[] = [];
  let receive = (event: TransportEvent): void => void early.push(event);
  const transport = await openTransport({
    listen: config.consensus,
    onEvent: (event) => receive(event),
    now: monotonicMs,
    metrics,
    logger,
    ...(config.tls === null ? {} : { tls: config.tls }),
  });
  const address = config.consensus.advertised || `${config.consensus.hostname}:${transport.port}`;
  logger.log('info', 'Binding raft server to network transport', { listenAddr: `${config.consensus.hostname}:${transport.port}` });
  const conductor = new Conductor(
    { ...config, raft: { ...config.raft, id: config.serverId, address }, isActive, version },
    { store, random: createRandom(), wallClock, metrics, logger },
    monotonicMs(),
  );
  const { promise: finished, resolve: finish } = Promise.withResolvers<number>();
  const answers = new Map<number, (outcome: Outcome) => void>();
  const onReady = (ready: ConductorReady): void => {
    for (const request of ready.calls) {
      void performCall(endpoints, request).then((result) => pump.push({ kind: 'callResult', callId: request.callId, result }));
    }
    for (const { answerId, outcome } of ready.answers) {
      answers.get(answerId)?.(outcome);
      answers.delete(answerId);
    }
    if (ready.exit !== null) finish(ready.exit.code);
  };
  const onFatal = (error: unknown): void => {
    logger.crit('Application failed', { message: messageOf(error) });
    setTimeout(() => finish(1), lastWordsMs);
  };
  const onDamage = (error: Error): void => logger.log('error', error.message);
  const pump = new Pump<OwnEvent, ConductorReady>({ core: conductor, store, transport, onReady, onFatal, onDamage });
  let nextAnswerId = 1;
  const servers = serve(config, {
    version,
    metrics,
    conductor,
    invoke: ({ method, values, from }) => {
      const answerId = nextAnswerId++;
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      answers.set(answerId, resolve);
      pump.push({ kind: 'rpc', answerId, method, values, from });
      return promise;
    },
  });
  logger.log('info', 'Started RPC server', { endpoint: `http://${config.rpc.hostname}:${servers.http.port}` });
  receive = (event) => pump.push(event);
  for (const event of early.splice(0)) pump.push(event);
  pump.push({ kind: 'tick' });
  if (config.isBootstrap) pump.push({ kind: 'bootstrap' });
  metrics.gauge('up', 1);
  logger.log('info', 'OpConductor started', {});
  const end = async (code: number): Promise<number> => {
    pump.end();
    await servers.stop();
    await transport.close();
    store.close();
    return code;
  };
  return { drain: (reason) => drain(pump, reason, finish, logger), finished: finished.then(end) };
}

function drain(pump: Pump<OwnEvent, ConductorReady>, reason: string, finish: (code: number) => void, logger: ProcessLogger): void {
  pump.push({ kind: 'drain', reason });
  setTimeout(() => {
    logger.crit('the orderly end took too long', { limitMs: drainDeadlineMs });
    finish(1);
  }, drainDeadlineMs).unref();
}

interface ServeOptions {
  readonly version: string;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly conductor: Conductor;
  readonly invoke: Parameters<typeof serveHttp>[0]['invoke'];
}

/** Starts the RPC and the metrics server, with the errors of a taken port. */
function serve(config: RunConfig, { version, metrics, conductor, invoke }: ServeOptions): { readonly http: HttpServer; stop(): Promise<void> } {
  const http = bound(`${config.rpc.hostname}:${config.rpc.port}`, 'JSON-RPC', () =>
    serveHttp({
      ...config.rpc,
      dispatch: { isAdminEnabled: config.isAdminEnabled },
      version,
      metrics,
      invoke,
      readiness: () => conductor.readiness(),
    }),
  );
  const { metrics: listen } = config;
  const scraped =
    listen === null
      ? null
      : bound(`${listen.hostname}:${listen.port}`, 'metrics', () => serveMetrics(metrics, listen, () => conductor.publishGauges()));
  const stopLagMeter = startLoopLagMeter(metrics);
  const stop = async (): Promise<void> => {
    stopLagMeter();
    await http.stop(httpDrainMs);
    await scraped?.stop();
  };
  return { http, stop };
}

function bound<Server>(address: string, what: string, listen: () => Server): Server {
  try {
    return listen();
  } catch (thrown) {
    const why = (thrown as { code?: unknown }).code === 'EADDRINUSE' ? 'bind: address already in use' : messageOf(thrown);
    throw new StartupError(`failed to start ${what} server: failed to bind to address "${address}": listen tcp ${address}: ${why}`, { cause: thrown });
  }
}

/** The first signal asks for an orderly end, the second forces one. Installed before anything else: as PID 1 there is no default action. */
function listenToSignals(logger: ProcessLogger): { readonly first: Promise<void>; onDrain(begin: (reason: string) => void): void } {
  const { promise: first, resolve } = Promise.withResolvers<void>();
  let begin: ((reason: string) => void) | null = null;
  let received = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      received += 1;
      if (received > 1) {
        logger.crit('forced to end by a second signal', { signal });
        process.exit(2);
      }
      logger.log('info', 'received a signal, ending in order (again: at once)', { signal });
      resolve();
      begin?.(signal);
    });
  }
  return { first, onDrain: (drainNow) => void (begin = drainNow) };
}
