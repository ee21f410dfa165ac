/** From the configuration of a run to the settings of its conductors. */
import { CONDUCTOR_DEFAULTS, type ConductorOptions } from '#conductor/core/conductor-options';
import { HEALTH_DEFAULTS } from '#conductor/core/health/check';
import type { RaftOptions } from '#conductor/core/raft/events';
import { RAFT_DEFAULTS } from '#conductor/core/raft/options';
import { validationPolicies } from '#conductor/core/rpc/validation';
import type { Configuration } from './configuration.ts';
import type { Machine } from './machine.ts';

/** Window in which partial answers are counted. */
const TOLERANCE_SECONDS = 60;

/** By the setting `clientPeers`. */
const countingApis = [undefined, 'net', 'admin'] as const;

/** Some blocks of a simulated rollup: what is counted and not given back is soon too much. */
const UNCOMMITTED_BYTES_MAX = 8 * 1024;
/** What is kept on the disk, as a multiple of what is kept in memory: more than trails of usual blocks, less than of large ones. */
const ON_DISK = 64;

/** Bounds in bytes that few entries reach. */
function boundsOf({ memoryBytes }: Configuration): Partial<RaftOptions> {
  if (memoryBytes === 0) return {};
  return {
    cacheBytesMax: memoryBytes,
    appendBytesMax: memoryBytes,
    inflightBytesMax: memoryBytes,
    snapshotBytes: ON_DISK * memoryBytes,
    trailingBytes: ON_DISK * memoryBytes,
  };
}

/** The settings of a process of this machine that starts now, as an operator's flags would make them. */
export function conductorOptions(configuration: Configuration, machine: Machine): ConductorOptions {
  const { id, address, node, isStartedPaused } = machine;
  const { snapshotThreshold, trailingLogs, snapshotMs, entriesPerRequest, toleratedPartials } = configuration;
  const { healthSeconds, unsafeSeconds, blockSeconds, engine, layerOne } = configuration;
  const peersApi = countingApis[configuration.clientPeers];
  return {
    ...CONDUCTOR_DEFAULTS,
    raft: {
      ...RAFT_DEFAULTS,
      id,
      address,
      snapshotThreshold,
      trailingLogs,
      appendEntriesMax: entriesPerRequest,
      uncommittedBytesMax: UNCOMMITTED_BYTES_MAX,
      snapshotIntervalMs: snapshotMs,
      ...boundsOf(configuration),
    },
    health: {
      ...HEALTH_DEFAULTS,
      unsafeIntervalSeconds: unsafeSeconds,
      executionPeers: peersApi === undefined ? null : { api: peersApi, minCount: 1 },
      rollupBoost: { kind: 'status', timeoutMs: 1000, toleratedPartials, toleranceWindowSeconds: TOLERANCE_SECONDS },
      timeoutMs: Math.max(HEALTH_DEFAULTS.timeoutMs, healthSeconds * 1000),
    },
    healthIntervalMs: healthSeconds * 1000,
    blockTimeMs: blockSeconds * 1000,
    isPaused: isStartedPaused,
    isActive: node.isUp ? node.isActive : null,
    isRoundRobin: configuration.roundRobin > 0,
    hasEngine: engine > 0,
    hasL1: layerOne > 0,
    validation: validationPolicies[engine] ?? 'off',
    rollback: configuration.refusesRollback > 0 ? 'refuse' : 'proof',
    version: 'simulated',
  };
}
