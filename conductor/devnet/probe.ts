/**
 * Asks every node for what the devnet shows: one batch of RPC calls to the conductor, one to the
 * sequencer, and the metrics page, each with a short deadline and never twice at the same time.
 */
import { callRpcBatch } from '#conductor/dev-sequencer/json-rpc-client';
import type { ManagedProcess } from './managed-process.ts';
import { readMembership, type MembershipView } from '#conductor/operate/changes/membership';
import { localUrl } from './plan.ts';
import { parseMetrics, recentQuantile, type Histogram, type MetricsPage } from '#conductor/operate/metrics-page';
import { asBoolean } from '#conductor/operate/conductor-state';
import { unsafeHeadOf } from '#conductor/operate/node-state';
import type { NodeProcesses } from './supervisor.ts';
import { leaderOf, type ClusterView, type NodeView, type ProcessView } from '#conductor/operate/changes/view';

/** Milliseconds between two looks, and between two readings of the metrics. */
const LOOK_EVERY_MS = 250;
const METRICS_EVERY_MS = 1_000;
/** Milliseconds until an answer is given up. */
const TIMEOUT_MS = 1_000;
/** Readings of the commit histogram kept: "recent" is the last half minute. */
const READINGS_MAX = 30;
const PREFIX = 'op_conductor_';

interface NodeMemory {
  isBusy: boolean;
  metricsAtMs: number;
  metrics: MetricsPage | null;
  readings: Histogram[];
  /** Whether it said to lead, and whom it counts as members. */
  wasLeader: boolean;
  membership: MembershipView | null;
  last: NodeView;
}

/** Looks at regular intervals and reports after each answer. */
export class Probe {
  readonly #nodes: readonly NodeProcesses[];
  readonly #memory: NodeMemory[];
  readonly #onView: (view: ClusterView) => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #members: MembershipView | null = null;

  constructor(nodes: readonly NodeProcesses[], onView: (view: ClusterView) => void) {
    this.#nodes = nodes;
    this.#onView = onView;
    this.#memory = nodes.map((node) => ({
      isBusy: false,
      metricsAtMs: 0,
      metrics: null,
      readings: [],
      wasLeader: false,
      membership: null,
      last: unknownView(node),
    }));
    this.#timer = setInterval(() => this.#lookAtAll(), LOOK_EVERY_MS);
    this.#lookAtAll();
  }

  /** The latest state; processes are as they are now. */
  view(): ClusterView {
    const seen = this.#nodes.map((node, index) => withProcesses(this.#memory[index]?.last ?? unknownView(node), node));
    const leader = leaderOf(seen);
    if (leader !== null) this.#members = this.#memory[leader.index]?.membership ?? this.#members;
    const members = this.#members;
    const isRemoved = (node: NodeView): boolean => members !== null && !members.servers.has(node.id);
    const nodes = seen.map((node): NodeView => (isRemoved(node) ? { ...node, role: 'removed' } : node));
    return { atMs: Date.now(), nodes, members };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #lookAtAll(): void {
    const looks = this.#nodes.map(async (node, index) => {
      const memory = this.#memory[index];
      if (memory === undefined || memory.isBusy) return;
      memory.isBusy = true;
      memory.last = await look(node, memory);
      memory.isBusy = false;
    });
    void Promise.race([Promise.all(looks), Bun.sleep(LOOK_EVERY_MS / 2)]).then(() => this.#onView(this.view()));
  }
}

async function look(node: NodeProcesses, memory: NodeMemory): Promise<NodeView> {
  const [conductor, sequencer] = await Promise.all([askConductor(node, memory), askSequencer(node)]);
  const isLeader = conductor.role === 'leader';
  await readMetrics(node, memory, isLeader !== memory.wasLeader || memory.metrics === null);
  memory.wasLeader = isLeader;
  const values = node.conductor.state.kind === 'running' ? (memory.metrics?.values ?? null) : null;
  const view = { ...unknownView(node), ...sequencer, ...conductor, ...numbers(values), commitSeconds: latency(memory) };
  const isRecovering = view.role !== null && !isLeader && values?.get(`${PREFIX}raft_recovering`) === 1;
  return isRecovering ? { ...view, role: 'recovering' } : view;
}

async function askConductor(node: NodeProcesses, memory: NodeMemory): Promise<Partial<NodeView>> {
  if (node.conductor.state.kind !== 'running') return {};
  const url = localUrl(node.plan.ports.conductorRpc);
  const [isLeader, isPaused, isHealthy, membership] = await callRpcBatch({ url, timeoutMs: TIMEOUT_MS }, [
    'conductor_leader',
    'conductor_paused',
    'conductor_sequencerHealthy',
    'conductor_clusterMembership',
  ]);
  if (typeof isLeader !== 'boolean') return {};
  memory.membership = readMembership(membership) ?? memory.membership;
  const isNonvoter = memory.membership?.servers.get(node.plan.id) === false;
  const role = isLeader ? 'leader' : isNonvoter ? 'nonvoter' : 'follower';
  return { role, isPaused: asBoolean(isPaused), isHealthy: asBoolean(isHealthy) };
}

async function askSequencer(node: NodeProcesses): Promise<Partial<NodeView>> {
  if (node.sequencer.state.kind !== 'running') return {};
  const url = localUrl(node.plan.ports.sequencerNode);
  const [status, isActive, client] = await callRpcBatch({ url, timeoutMs: TIMEOUT_MS }, [
    'optimism_syncStatus',
    'admin_sequencerActive',
    'dev_execution',
  ]);
  return {
    isSequencing: asBoolean(isActive),
    // The sequencer is always our own, so what it answers has this shape.
    client: (client ?? null) as NodeView['client'],
    head: unsafeHeadOf(status),
  };
}

/** Reads the page when it is due, or at once: a new leader's old term would mislead, as would a fresh start's silence. */
async function readMetrics(node: NodeProcesses, memory: NodeMemory, isUrgent: boolean): Promise<void> {
  if (node.conductor.state.kind !== 'running') {
    memory.metrics = null;
    memory.readings = [];
    return;
  }
  if (!isUrgent && performance.now() - memory.metricsAtMs < METRICS_EVERY_MS) return;
  memory.metricsAtMs = performance.now();
  try {
    const url = `${localUrl(node.plan.ports.metrics)}/metrics`;
    const response = await fetch(url, { keepalive: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
    memory.metrics = parseMetrics(await response.text());
    const histogram = memory.metrics.histograms.get(`${PREFIX}commit_seconds`);
    if (histogram !== undefined) memory.readings = [...memory.readings, histogram].slice(-READINGS_MAX);
  } catch {
    memory.metrics = null;
  }
}

function numbers(values: ReadonlyMap<string, number> | null): Partial<NodeView> {
  const read = (name: string): number | null => values?.get(`${PREFIX}${name}`) ?? null;
  return {
    term: read('raft_term'),
    commitIndex: read('raft_commit_index'),
    appliedIndex: read('raft_applied_index'),
  };
}

function latency(memory: NodeMemory): NodeView['commitSeconds'] {
  const later = memory.readings.at(-1);
  if (later === undefined) return null;
  const earlier = memory.readings.length > 1 ? (memory.readings[0] ?? null) : null;
  const p50 = recentQuantile(earlier, later, 0.5);
  const p99 = recentQuantile(earlier, later, 0.99);
  return p50 === null || p99 === null ? null : { p50, p99 };
}

function withProcesses(view: NodeView, node: NodeProcesses): NodeView {
  return { ...view, conductor: processView(node.conductor), sequencer: processView(node.sequencer) };
}

function unknownView(node: NodeProcesses): NodeView {
  return {
    index: node.plan.index,
    id: node.plan.id,
    conductor: processView(node.conductor),
    sequencer: processView(node.sequencer),
    role: null,
    term: null,
    commitIndex: null,
    appliedIndex: null,
    head: null,
    client: null,
    isSequencing: null,
    isHealthy: null,
    isPaused: null,
    commitSeconds: null,
  };
}

function processView(child: ManagedProcess): ProcessView {
  const { state } = child;
  return {
    state: state.kind,
    sinceMs: state.kind === 'idle' ? 0 : state.sinceMs,
    reason: state.kind === 'down' ? state.reason : '',
  };
}
