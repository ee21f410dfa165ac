/**
 * The flag table: every setting of `conductor run`, op-conductor's first, then ours. Each is a flag
 * (--name) and an environment variable (OP_CONDUCTOR_NAME); the flag wins over the variable, the
 * variable over the default. Help, the docs' reference and the tests are made from this table.
 */

/** Value kinds, in Go's syntax: booleans 1, t, true, 0, f, false in any case; durations like 1.5s or 2m. */
export type FlagType = 'string' | 'int' | 'uint64' | 'bool' | 'duration';

export interface FlagDefinition {
  readonly name: string;
  readonly type: FlagType;
  /** Default, as it would be written on the command line. */
  readonly fallback: string;
  /** Must be given, even where there is a default (op-conductor has two such flags). */
  readonly isRequired: boolean;
  readonly group: FlagGroup;
  readonly doc: string;
  /** Allowed words, compared in any case. */
  readonly choices?: readonly string[];
}

export const flagGroups = ['Consensus', 'Raft', 'Sequencer', 'Control', 'Health', 'RPC', 'Logging', 'Metrics', 'Profiling', 'Rollup', 'Flashblocks'] as const;
export type FlagGroup = (typeof flagGroups)[number];

export const envPrefix = 'OP_CONDUCTOR';

/** The variable of a flag: upper case, dots and dashes as underscores, prefixed. */
export function envNameOf(flagName: string): string {
  return `${envPrefix}_${flagName.toUpperCase().replace(/[.-]/g, '_')}`;
}

const inherited = [
  { name: 'consensus.addr', type: 'string', fallback: '127.0.0.1', isRequired: true, group: 'Consensus', doc: 'host the raft listener binds to; must be given although it has a default' },
  { name: 'consensus.port', type: 'int', fallback: '50050', isRequired: true, group: 'Consensus', doc: 'port the raft listener binds to, 0 picks one; must be given although it has a default' },
  { name: 'raft.server.id', type: 'string', fallback: '', isRequired: true, group: 'Raft', doc: 'name of this server in the cluster, also the folder name under the storage directory' },
  { name: 'raft.storage.dir', type: 'string', fallback: '', isRequired: true, group: 'Raft', doc: 'folder that holds one sub-folder per server id' },
  { name: 'node.rpc', type: 'string', fallback: '', isRequired: true, group: 'Sequencer', doc: 'URL of the op-node to watch and steer' },
  { name: 'execution.rpc', type: 'string', fallback: '', isRequired: true, group: 'Sequencer', doc: 'URL of the execution client' },
  { name: 'healthcheck.interval', type: 'uint64', fallback: '0', isRequired: true, group: 'Health', doc: 'seconds from one health check to the next' },
  { name: 'healthcheck.unsafe-interval', type: 'uint64', fallback: '0', isRequired: true, group: 'Health', doc: 'most seconds the unsafe head may lie behind the clock (2 to 3 block times)' },
  { name: 'healthcheck.min-peer-count', type: 'uint64', fallback: '0', isRequired: true, group: 'Health', doc: 'fewest op-node peers that count as healthy' },
  { name: 'consensus.advertised', type: 'string', fallback: '', isRequired: false, group: 'Consensus', doc: 'host:port told to the other servers; empty means the bound address' },
  { name: 'paused', type: 'bool', fallback: 'false', isRequired: false, group: 'Control', doc: 'begin with the control loop paused' },
  { name: 'rpc.enable-proxy', type: 'bool', fallback: 'true', isRequired: false, group: 'RPC', doc: 'offer the eth, miner, optimism and admin methods too' },
  { name: 'raft.bootstrap', type: 'bool', fallback: 'false', isRequired: false, group: 'Raft', doc: 'create a cluster of this one server; also starts paused' },
  { name: 'healthcheck.safe-enabled', type: 'bool', fallback: 'false', isRequired: false, group: 'Health', doc: 'also demand a moving safe head' },
  { name: 'healthcheck.safe-interval', type: 'uint64', fallback: '1200', isRequired: false, group: 'Health', doc: 'most seconds the safe head may lie behind the clock; 0 is refused even when unused' },
  { name: 'raft.snapshot-interval', type: 'duration', fallback: '2m0s', isRequired: false, group: 'Raft', doc: 'how often to look whether a snapshot is due; at least 5ms' },
  { name: 'raft.snapshot-threshold', type: 'uint64', fallback: '8192', isRequired: false, group: 'Raft', doc: 'log entries since the last snapshot that make a new one due' },
  { name: 'raft.trailing-logs', type: 'uint64', fallback: '10240', isRequired: false, group: 'Raft', doc: 'log entries kept behind a snapshot' },
  { name: 'raft.heartbeat-timeout', type: 'duration', fallback: '1s', isRequired: false, group: 'Raft', doc: 'silence after which a follower seeks election; at least 5ms and not below the lease timeout' },
  { name: 'raft.lease-timeout', type: 'duration', fallback: '500ms', isRequired: false, group: 'Raft', doc: 'time without contact to a majority after which a leader steps down; at least 5ms' },
  { name: 'rollup-boost.enabled', type: 'bool', fallback: 'false', isRequired: false, group: 'Health', doc: 'check rollup-boost by HTTP status at the execution URL plus /healthz' },
  { name: 'rollup-boost.healthcheck-timeout', type: 'duration', fallback: '5s', isRequired: false, group: 'Health', doc: 'longest wait for a rollup-boost check of either kind' },
  { name: 'rollup-boost.next-enabled', type: 'bool', fallback: 'false', isRequired: false, group: 'Health', doc: 'check rollup-boost by a JSON answer; not together with the other kind' },
  { name: 'rollup-boost.next-healthcheck-url', type: 'string', fallback: '', isRequired: false, group: 'Health', doc: 'whole URL of the JSON check; needed when that check is on' },
  { name: 'healthcheck.execution-p2p-enabled', type: 'bool', fallback: 'false', isRequired: false, group: 'Health', doc: "also count the execution client's peers" },
  { name: 'healthcheck.execution-p2p-min-peer-count', type: 'uint64', fallback: '0', isRequired: false, group: 'Health', doc: 'fewest execution peers; 0 is refused when the check is on' },
  { name: 'healthcheck.execution-p2p-rpc-url', type: 'string', fallback: '', isRequired: false, group: 'Health', doc: 'other URL for counting execution peers; empty means execution.rpc' },
  { name: 'healthcheck.execution-p2p-check-api', type: 'string', fallback: 'net', isRequired: false, group: 'Health', doc: 'net (net_peerCount) or admin (admin_peers)' },
  { name: 'healthcheck.rollup-boost-partial-healthiness-tolerance-limit', type: 'uint64', fallback: '0', isRequired: false, group: 'Health', doc: 'partial rollup-boost failures forgiven per time window; only together with the window' },
  { name: 'healthcheck.rollup-boost-partial-healthiness-tolerance-interval-seconds', type: 'uint64', fallback: '0', isRequired: false, group: 'Health', doc: 'length of that window in seconds' },
  { name: 'raft.round-robin-leader-transfer', type: 'bool', fallback: 'false', isRequired: false, group: 'Raft', doc: 'hand leadership on in the order of the server ids' },
  { name: 'rpc.addr', type: 'string', fallback: '0.0.0.0', isRequired: false, group: 'RPC', doc: 'host the JSON-RPC server binds to' },
  { name: 'rpc.port', type: 'int', fallback: '8545', isRequired: false, group: 'RPC', doc: 'port the JSON-RPC server binds to' },
  { name: 'rpc.enable-admin', type: 'bool', fallback: 'false', isRequired: false, group: 'RPC', doc: 'allow the methods that change this conductor or the cluster' },
  { name: 'log.level', type: 'string', fallback: 'INFO', isRequired: false, group: 'Logging', doc: 'trace, debug, info, warn, error or crit, in any case', choices: ['trace', 'debug', 'info', 'warn', 'error', 'crit'] },
  { name: 'log.format', type: 'string', fallback: 'text', isRequired: false, group: 'Logging', doc: 'text, terminal, logfmt, logfmtms, json or jsonms', choices: ['text', 'terminal', 'logfmt', 'logfmtms', 'json', 'jsonms'] },
  { name: 'log.color', type: 'bool', fallback: 'false', isRequired: false, group: 'Logging', doc: 'colours in terminal format' },
  { name: 'log.pid', type: 'bool', fallback: 'false', isRequired: false, group: 'Logging', doc: 'add the process id to every line' },
  { name: 'metrics.enabled', type: 'bool', fallback: 'false', isRequired: false, group: 'Metrics', doc: 'serve Prometheus metrics' },
  { name: 'metrics.addr', type: 'string', fallback: '0.0.0.0', isRequired: false, group: 'Metrics', doc: 'host of the metrics server' },
  { name: 'metrics.port', type: 'int', fallback: '7300', isRequired: false, group: 'Metrics', doc: 'port of the metrics server' },
  { name: 'pprof.enabled', type: 'bool', fallback: 'false', isRequired: false, group: 'Profiling', doc: 'accepted for compatibility; no profile server is started' },
  { name: 'pprof.addr', type: 'string', fallback: '0.0.0.0', isRequired: false, group: 'Profiling', doc: 'host for profiling, unused' },
  { name: 'pprof.port', type: 'int', fallback: '6060', isRequired: false, group: 'Profiling', doc: 'port for profiling, range-checked only when pprof is on' },
  { name: 'pprof.path', type: 'string', fallback: '', isRequired: false, group: 'Profiling', doc: 'where a profile would be written, unused' },
  { name: 'pprof.type', type: 'string', fallback: '', isRequired: false, group: 'Profiling', doc: 'cpu, heap, goroutine, threadcreate, block, mutex or allocs, unused', choices: ['cpu', 'heap', 'goroutine', 'threadcreate', 'block', 'mutex', 'allocs'] },
  { name: 'override.canyon', type: 'uint64', fallback: '0', isRequired: false, group: 'Rollup', doc: 'replace the canyon time of the rollup config' },
  { name: 'override.delta', type: 'uint64', fallback: '0', isRequired: false, group: 'Rollup', doc: 'replace the delta time of the rollup config' },
  { name: 'override.ecotone', type: 'uint64', fallback: '0', isRequired: false, group: 'Rollup', doc: 'replace the ecotone time of the rollup config' },
  { name: 'override.fjord', type: 'uint64', fallback: '0', isRequired: false, group: 'Rollup', doc: 'replace the fjord time of the rollup config' },
  { name: 'override.granite', type: 'uint64', fallback: '0', isRequired: false, group: 'Rollup', doc: 'replace the granite time of the rollup config' },
  { name: 'override.holocene', type: 'uint64', fallback: '0', isRequired: false, group: 'Rollup', doc: 'replace the holocene time of the rollup config' },
  { name: 'override.isthmus', type: 'uint64', fallback: '0', isRequired: false, group: 'Rollup', doc: 'replace the isthmus time of the rollup config' },
  { name: 'override.jovian', type: 'uint64', fallback: '0', isRequired: false, group: 'Rollup', doc: 'replace the jovian time of the rollup config' },
  { name: 'override.karst', type: 'uint64', fallback: '0', isRequired: false, group: 'Rollup', doc: 'replace the karst time of the rollup config' },
  { name: 'override.lagoon', type: 'uint64', fallback: '0', isRequired: false, group: 'Rollup', doc: 'replace the lagoon time of the rollup config' },
  { name: 'override.pectrablobschedule', type: 'uint64', fallback: '0', isRequired: false, group: 'Rollup', doc: 'replace the pectra blob schedule time of the rollup config' },
  { name: 'override.keep-karst-upgrade-gas', type: 'bool', fallback: 'false', isRequired: false, group: 'Rollup', doc: 'replace the flag of that name in the rollup config' },
  { name: 'network', type: 'string', fallback: '', isRequired: false, group: 'Rollup', doc: 'name of a known chain; wins over rollup.config' },
  { name: 'rollup.config', type: 'string', fallback: '', isRequired: false, group: 'Rollup', doc: 'path of the rollup config file' },
  { name: 'rollupboost.ws-url', type: 'string', fallback: '', isRequired: false, group: 'Flashblocks', doc: 'WebSocket address that flashblocks come from; empty turns the relay off' },
  { name: 'websocket.server-port', type: 'int', fallback: '8546', isRequired: false, group: 'Flashblocks', doc: 'port on which flashblocks are passed on' },
] as const satisfies readonly FlagDefinition[];

const own = [
  { name: 'consensus.tls.cert', type: 'string', fallback: '', isRequired: false, group: 'Consensus', doc: 'PEM certificate of this server for mutual TLS between conductors; its name must be the server id' },
  { name: 'consensus.tls.key', type: 'string', fallback: '', isRequired: false, group: 'Consensus', doc: 'PEM key of that certificate' },
  { name: 'consensus.tls.ca', type: 'string', fallback: '', isRequired: false, group: 'Consensus', doc: 'PEM certificates of the authority that signs all conductors; the three turn TLS on together' },
  { name: 'raft.legacy-empty-store', type: 'bool', fallback: 'false', isRequired: false, group: 'Raft', doc: 'vote at once on a new store, as op-conductor does (unsafe after a lost disk)' },
  { name: 'raft.require-catch-up', type: 'bool', fallback: 'false', isRequired: false, group: 'Raft', doc: 'refuse to promote a nonvoter that is far behind' },
  { name: 'rpc.body-limit', type: 'uint64', fallback: '67108864', isRequired: false, group: 'RPC', doc: 'most bytes of a request body' },
  { name: 'rpc.batch-limit', type: 'uint64', fallback: '2000', isRequired: false, group: 'RPC', doc: 'most calls in one batch' },
  { name: 'rpc.admin-compat', type: 'bool', fallback: 'false', isRequired: false, group: 'RPC', doc: 'allow admin methods without rpc.enable-admin, as op-conductor does' },
  { name: 'consensus.verify-block-hash', type: 'bool', fallback: 'true', isRequired: false, group: 'Consensus', doc: 'refuse payloads whose hash is not that of their own fields' },
] as const satisfies readonly FlagDefinition[];

/** Names of all flags. */
export type FlagName = (typeof inherited)[number]['name'] | (typeof own)[number]['name'];

/** Every flag, in the order of the help page's groups. */
export const flagTable: readonly (FlagDefinition & { readonly name: FlagName })[] = [...inherited, ...own];

/** Names of flags that op-conductor does not have. */
export const ownFlagNames: ReadonlySet<string> = new Set(own.map((flag) => flag.name));
