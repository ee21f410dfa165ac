/** What must hold of single settings, in op-conductor's words and in the order in which it is said. */
import { absent, checkPort, flag, invalid, number, text, type Values } from './config-values.ts';
import { formatDuration } from '#conductor/cli/flag-values';
import type { FlagName } from '#conductor/cli/flags';

/** Throws ConfigError where a setting cannot work. */
export type Check = (values: Values) => void;

export const presenceChecks: readonly Check[] = [
  needed('consensus.addr', 'missing consensus address'),
  needed('raft.server.id', 'missing raft server ID'),
  needed('raft.storage.dir', 'missing raft storage directory'),
  needed('node.rpc', 'missing node RPC'),
  needed('execution.rpc', 'missing geth RPC'),
  (values) => {
    if (/[/\\]|^\.\.?$/.test(text(values, 'raft.server.id')))
      invalid('the raft server ID names a folder, so it cannot contain slashes');
  },
];

function needed(name: FlagName, message: string): Check {
  return (values) => {
    if (text(values, name) === '') absent(`${message} (--${name} is empty)`);
  };
}

export const portChecks: readonly Check[] = [
  (values) => checkPort(values, 'consensus.port', 'invalid RPC port'),
  (values) => checkPort(values, 'rpc.port', 'invalid rpc config: invalid RPC port'),
  (values) => {
    if (flag(values, 'metrics.enabled'))
      checkPort(values, 'metrics.port', 'invalid metrics config: invalid metrics port');
  },
  (values) => {
    if (flag(values, 'pprof.enabled')) checkPort(values, 'pprof.port', 'invalid pprof config: invalid pprof port');
  },
];

export const healthChecks: readonly Check[] = [
  aboveZero('healthcheck.interval', 'missing health check interval'),
  aboveZero('healthcheck.safe-interval', 'missing safe interval'),
  aboveZero('healthcheck.min-peer-count', 'missing minimum peer count'),
];

function aboveZero(name: FlagName, message: string): Check {
  return (values) => {
    if (number(values, name) === 0) absent(`invalid health check config: ${message}`);
  };
}

export const raftChecks: readonly Check[] = [
  atLeast5Ms('raft.heartbeat-timeout', 'HeartbeatTimeout'),
  atLeast5Ms('raft.lease-timeout', 'LeaderLeaseTimeout'),
  atLeast5Ms('raft.snapshot-interval', 'SnapshotInterval'),
  (values) => {
    const [leaseMs, heartbeatMs] = [number(values, 'raft.lease-timeout'), number(values, 'raft.heartbeat-timeout')];
    const [lease, heartbeat] = [formatDuration(leaseMs), formatDuration(heartbeatMs)];
    if (leaseMs > heartbeatMs)
      invalid(`LeaderLeaseTimeout (${lease}) cannot be larger than heartbeat timeout (${heartbeat})`);
  },
];

function atLeast5Ms(name: FlagName, known: string): Check {
  return (values) => {
    const ms = number(values, name);
    if (ms < 5) invalid(`${known} is too low: ${formatDuration(ms)}, want at least 5ms`);
  };
}
