/**
 * The Bun test node: one RaftHost over SQLite and TCP with the operation log as its state machine,
 * under the control API of README.md. Only ever started as a process of its own.
 */
import { parseArgs } from 'node:util';
import { RaftHost } from '#conductor/host/testing/raft-host';
import { openStore } from '#conductor/adapters/sqlite/store';
import type { RaftOptions } from '#conductor/core/raft/events';
import { RAFT_DEFAULTS } from '#conductor/core/raft/options';
import type { Server } from '#conductor/core/raft/types';
import { Suffrage } from '#conductor/core/raft/types';
import { serveControl } from './node-control.ts';
import { OperationLog } from './operation-log.ts';
import { WatchedStore } from './watched-store.ts';

const { values } = parseArgs({
  options: {
    id: { type: 'string' },
    raft: { type: 'string' },
    listen: { type: 'string' },
    control: { type: 'string' },
    dir: { type: 'string' },
    bootstrap: { type: 'string' },
    'heartbeat-ms': { type: 'string', default: '1000' },
    'election-ms': { type: 'string', default: '1000' },
    'lease-ms': { type: 'string', default: '500' },
    'snapshot-threshold': { type: 'string', default: '8192' },
    'snapshot-interval-ms': { type: 'string', default: '120000' },
    trailing: { type: 'string', default: '10240' },
    'exit-with-stdin': { type: 'boolean', default: false },
  },
});

function required(name: 'id' | 'raft' | 'control' | 'dir'): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is required`);
  return value;
}

function raftOptions(): RaftOptions {
  return {
    ...RAFT_DEFAULTS,
    id: required('id'),
    address: required('raft'),
    heartbeatTimeoutMs: Number(values['heartbeat-ms']),
    electionTimeoutMs: Number(values['election-ms']),
    leaderLeaseMs: Number(values['lease-ms']),
    snapshotThreshold: Number(values['snapshot-threshold']),
    snapshotIntervalMs: Number(values['snapshot-interval-ms']),
    trailingLogs: Number(values.trailing),
  };
}

function parseServers(list: string): Server[] {
  return list.split(',').map((item) => {
    const at = item.indexOf('=');
    if (at < 1) throw new Error(`--bootstrap: "${item}" is not id=address`);
    return { id: item.slice(0, at), address: item.slice(at + 1), suffrage: Suffrage.voter };
  });
}

const options = raftOptions();
const stateMachine = new OperationLog();
const store = new WatchedStore(
  openStore({ directory: required('dir'), serverId: options.id, slowWriteMs: options.heartbeatTimeoutMs / 10 }),
);
const listen = values.listen ?? options.address;
const colon = listen.lastIndexOf(':');
const host = new RaftHost({
  options,
  store,
  stateMachine,
  listen: { hostname: listen.slice(0, colon), port: Number(listen.slice(colon + 1)) },
});
await host.start();
if (values.bootstrap !== undefined) await host.command({ kind: 'bootstrap', servers: parseServers(values.bootstrap) });
serveControl({ port: Number(required('control')), id: options.id, host, store, stateMachine });
if (values['exit-with-stdin']) process.stdin.on('end', () => process.exit(0)).resume();
console.log(JSON.stringify({ ready: true, id: options.id, pid: process.pid, implementation: 'bun' }));
