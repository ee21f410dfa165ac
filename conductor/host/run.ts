/**
 * The life of a conductor process: ask the nodes, open the store, listen, serve, and on a signal hand
 * over and end. Exit codes: 0 in order, 1 could not start, the store failed or the end took too long, 2 forced by a second signal.
 */
import { createAdminGate } from '#conductor/adapters/auth/admin-gate';
import { Credentials } from '#conductor/adapters/auth/credentials';
import { createRandom, monotonicMs, wallClock } from '#conductor/adapters/clock/clock';
import { withAlarmEvents } from '#conductor/adapters/events/alarm-events';
import { EventRing } from '#conductor/adapters/events/event-ring';
import { clientLimits } from '#conductor/adapters/flashblocks/limits';
import { connectFlashblocks, type FlashblocksRelay } from '#conductor/adapters/flashblocks/relay';
import { descriptorLimit } from '#conductor/adapters/system/descriptors';
import { memoryLimit } from '#conductor/adapters/system/memory';
import type { ProcessLogger } from '#conductor/adapters/logging/logging';
import { createMetrics } from '#conductor/adapters/metrics/prometheus';
import { executeRequest } from '#conductor/adapters/sequencer/sequencer';
import { addressFault } from '#conductor/adapters/tcp/address';
import { systemResolve } from '#conductor/adapters/tcp/dial';
import { TlsWatch } from '#conductor/adapters/tcp/tls-watch';
import { connectionLimits, memoryLimits } from '#conductor/adapters/tcp/limits';
import { openTransport, type TcpTransport } from '#conductor/adapters/tcp/transport';
import { Conductor } from '#conductor/core/conductor';
import { question, type CallResult } from '#conductor/core/node/calls';
import type { Metrics, TransportEvent } from '#conductor/core/ports';
import { warnOfUnknownName } from './settings/advertised-address.ts';
import { bootstrapOnce } from './bootstrap-once.ts';
import { ConductorHost } from './host.ts';
import { pageAccess, warnOfExposure } from './settings/exposure.ts';
import type { Values } from './settings/config-values.ts';
import type { RunConfig } from './settings/flags-config.ts';
import { hostAndPort } from './settings/listen-address.ts';
import { openStorage } from './open-storage.ts';
import { createExecutor } from './executor.ts';
import { startProfiling } from './profiling.ts';
import { serve, type ServeOptions } from './serve.ts';
import { Reload } from './reload.ts';
import { listenToSignals } from './signals.ts';
import { startTraces } from './traces/start-traces.ts';
import { askNodes, warnOfUnexecutedBlocks } from './startup.ts';

export interface RunOptions {
  readonly config: RunConfig;
  /** The values that `config` was made of. */
  readonly values: Values;
  /** Reads them again, as a start would; throws ConfigError. */
  readValues(): Values;
  readonly logger: ProcessLogger;
  readonly version: string;
}

/** Runs until the process is told to end; resolves with the exit code. Rejects with ConfigError or StartupError. */
export async function run(options: RunOptions): Promise<number> {
  const signals = listenToSignals(options.logger);
  options.logger.log('info', 'initializing OpConductor', { version: options.version });
  const stopping = Promise.race([signals.first.then(() => null), start(options)]);
  const running = await stopping;
  if (running !== null) {
    signals.onDrain((reason) => running.drain(reason));
    signals.onReload(() => running.reload());
  }
  const code = running === null ? 0 : await running.finished;
  options.logger.log('info', 'OpConductor stopped');
  return code;
}

interface Running {
  drain(reason: string): void;
  /** Reads again what can change while it runs. */
  reload(): void;
  readonly finished: Promise<number>;
}

async function start({ config, values, readValues, logger, version }: RunOptions): Promise<Running> {
  warnOfExposure(config, logger);
  const pages = pageAccess(config);
  if (pages !== null) logger.log('info', pages);
  void warnOfUnknownName(config.consensus.advertised, systemResolve, logger);
  const credentials = config.auth === null ? null : new Credentials({ ...config.auth, logger, nowMs: Date.now });
  const metrics = createMetrics(version);
  const executor = createExecutor(config, { logger, metrics });
  const { execute } = executor;
  const isActive = await askNodes({ logger, execute, sleep: (ms) => Bun.sleep(ms) });
  void warnOfUnexecutedBlocks({ logger, execute }, config.validation);
  // Before anything others could notice, so that a failure here disturbs no cluster.
  const flashblocks = await connectSource(config, metrics, logger);
  const traces = await startTraces(config, { version, metrics, logger });
  const store = await openStorage(config, logger, metrics);
  const early: TransportEvent[] = [];
  let receive = (event: TransportEvent): void => void early.push(event);
  const transport = await openTransport({
    listen: config.consensus,
    onEvent: (event) => receive(event),
    now: monotonicMs,
    metrics,
    logger,
    limits: { ...connectionLimits(descriptorLimit()), ...memoryLimits(memoryLimit()) },
    ...(config.tls === null ? {} : { tls: config.tls }),
  });
  const events = new EventRing({ server: config.serverId, version, now: monotonicMs, unixMs: Date.now });
  const watched = withAlarmEvents(metrics, events);
  const certificates = watchCertificates(config, transport, { logger, metrics: watched });
  const bound = hostAndPort(config.consensus.hostname, transport.port);
  logger.log('info', 'Binding raft server to network transport', { listenAddr: bound });
  const raft = { ...config.raft, id: config.serverId, address: config.consensus.advertised || bound };
  const published = traces?.run.events(events) ?? events;
  const ports = { store, random: createRandom(), wallClock, metrics: watched, logger, events: published };
  const has = { hasEngine: config.engine !== null, hasL1: config.l1Url !== '' };
  const core = { ...config, raft, ...has, isActive, version, addressFault };
  const conductor = new Conductor(core, ports, monotonicMs());
  const host = new ConductorHost({ conductor, store, transport, execute, logger, metrics, traces: traces?.run });
  const gate = createAdminGate({ credentials, metrics, logger, events, now: monotonicMs });
  const invoke: ServeOptions['invoke'] = (invocation) => host.invoke(invocation);
  const servers = serve(config, { version, metrics, conductor, gate, events, invoke, flashblocks, logger, transport });
  logger.log('info', 'Started RPC server', {
    endpoint: `http://${hostAndPort(config.rpc.hostname, servers.http.port)}`,
  });
  const profiling = startProfiling(config.profiling, { logger, isLeading: () => conductor.status().role === 'leader' });
  receive = (event) => host.push(event);
  for (const event of early.splice(0)) host.push(event);
  host.push({ kind: 'tick' });
  if (config.isBootstrap) host.push({ kind: 'bootstrap' });
  const bootstrapping = found(config, host, conductor, logger);
  metrics.gauge('up', 1);
  logger.log('info', 'OpConductor started', {});
  const end = async (code: number): Promise<number> => {
    host.end();
    // First, for connections that nobody answers on any more would keep peers from an election.
    const isDisconnected = transport.close();
    const sent = traces?.close();
    bootstrapping.abort();
    credentials?.close();
    certificates?.close();
    for (const part of [profiling, flashblocks, servers]) await part?.stop();
    await isDisconnected;
    store.close();
    await sent;
    return code;
  };
  const reloads = new Reload({ values, logger, read: readValues, setLevel: logger.setLevel });
  const reload = (): void => reloads.run([credentials, certificates, executor]);
  return { drain: (reason) => host.drain(reason), reload, finished: host.finished.then(end) };
}

/** The source of flashblocks; null where there is none. */
async function connectSource(
  { flashblocks }: RunConfig,
  metrics: Metrics,
  logger: ProcessLogger,
): Promise<FlashblocksRelay | null> {
  if (flashblocks === null) return null;
  const limits = clientLimits(descriptorLimit());
  return connectFlashblocks({ ...flashblocks, limits, metrics, logger, now: monotonicMs });
}

const membershipQuestion = { ...question('node', 'conductor_clusterMembership', 2000), isProbe: true };

/** Begins what --raft.bootstrap-once asks for; aborted at the end. */
function found(config: RunConfig, host: ConductorHost, conductor: Conductor, logger: ProcessLogger): AbortController {
  const over = new AbortController();
  const { initialMembers, serverId } = config;
  if (initialMembers === null) return over;
  const isNew = (): boolean => {
    const { term, lastIndex } = conductor.status();
    return term === 0 && lastIndex === 0;
  };
  const ask = (url: string): Promise<CallResult> => {
    const endpoints = { node: url, execution: '', executionPeers: '', rollupBoost: '' };
    return executeRequest(endpoints, membershipQuestion, over.signal);
  };
  const bootstrap = (): void => host.push({ kind: 'bootstrap' });
  const sleep = (ms: number): Promise<void> => Bun.sleep(ms);
  const isOver = (): boolean => over.signal.aborted;
  void bootstrapOnce({ logger, isNew, ask, bootstrap, sleep, isOver }, initialMembers, serverId);
  return over;
}

function watchCertificates(
  config: RunConfig,
  transport: TcpTransport,
  ports: { readonly logger: ProcessLogger; readonly metrics: Metrics },
): TlsWatch | null {
  const { tls: settings, serverId } = config;
  if (settings === null) return null;
  return new TlsWatch({ settings, serverId, ...ports, listener: transport, nowMs: Date.now });
}
