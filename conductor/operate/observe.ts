/**
 * Asks all servers of a cluster at once, each with its own deadline, and makes one view of the answers. Servers of
 * which only the URL is known get their ids from what the cluster says about itself.
 */
import { messageOf } from '#conductor/core/errors';
import { parseMetrics } from './metrics-page.ts';
import type { ClusterConfig, ServerConfig } from './cluster-config.ts';
import { leaderOf, membershipOf, type ClusterView, type ServerView, type Unread } from './cluster-view.ts';
import { createConductorClient, type ConductorClient } from './conductor-client.ts';
import type { ConductorState } from './conductor-state.ts';
import { createNodeClient, type NodeClient } from './node-client.ts';
import { unsafeHeadOf, type NodeState } from './node-state.ts';
import { isUnanswered, RpcEndpoint } from './rpc-endpoint.ts';

/** Longest wait for what one server says, milliseconds. */
const ANSWER_MS_MAX = 2500;
const TERM_SAMPLE = 'op_conductor_raft_term';

/** How procedures see and change a cluster. */
export interface ClusterAccess {
  observe(): Promise<ClusterView>;
  /** The client of a server of the configuration; throws RangeError for any other. */
  conductor(server: ServerConfig): ConductorClient;
  /** Null when the configuration names no op-node. */
  node(server: ServerConfig): NodeClient | null;
}

interface Clients {
  readonly conductor: ConductorClient;
  readonly node: NodeClient | null;
  readonly metrics: RpcEndpoint | null;
}

/** Access over the network; throws ClusterConfigError when credentials cannot be read. */
export function openCluster(config: ClusterConfig): ClusterAccess {
  const clients = new Map<ServerConfig, Clients>();
  for (const server of config.servers) {
    clients.set(server, {
      conductor: createConductorClient(server),
      node: server.node === null ? null : createNodeClient(server.node),
      metrics: server.metrics === null ? null : new RpcEndpoint(server.metrics),
    });
  }
  const clientsOf = (server: ServerConfig): Clients => {
    const found = clients.get(server);
    if (found === undefined) throw new RangeError(`${server.id} is not a server of this cluster`);
    return found;
  };
  // What was learnt once stays so: on one host, only its leadership tells the id of a server.
  const learnt = new Map<ServerConfig, string>();
  return {
    async observe() {
      const servers = await Promise.all(config.servers.map((server) => look(server, clientsOf(server))));
      const view = withLearntIds({ atMs: Date.now(), servers }, learnt);
      for (const { config: server, id, isNamed } of view.servers) if (isNamed) learnt.set(server, id);
      return view;
    },
    conductor: (server) => clientsOf(server).conductor,
    node: (server) => clientsOf(server).node,
  };
}

/** The time between blocks, as the first op-node that answers says; null while none does. */
export async function blockSecondsOf(access: ClusterAccess, view: ClusterView): Promise<number | null> {
  for (const { config, node } of view.servers) {
    const client = node === null ? null : access.node(config);
    const seconds = (await client?.blockSeconds(ANSWER_MS_MAX).catch(() => null)) ?? null;
    if (seconds !== null) return seconds;
  }
  return null;
}

async function look(config: ServerConfig, clients: Clients): Promise<ServerView> {
  const [conductor, readiness, node, term] = await Promise.all([
    attempt(clients.conductor.state(ANSWER_MS_MAX)),
    attempt(clients.conductor.readiness(ANSWER_MS_MAX)),
    clients.node === null ? null : attempt(clients.node.state(ANSWER_MS_MAX)),
    clients.metrics === null ? null : attempt(readTerm(clients.metrics)),
  ]);
  return {
    id: config.id,
    isNamed: !config.isLearnt,
    config,
    conductor: conductor.value,
    whySilent: conductor.why,
    readiness: readiness.value,
    ...(readiness.failure === null ? {} : { unread: unreadOf(readiness.failure) }),
    node: node === null ? throughProxy(conductor.value) : node.value,
    whyNodeSilent: node?.why ?? '',
    nodeAtMs: (node ?? conductor).atMs,
    term: term?.value ?? null,
  };
}

function unreadOf(failure: unknown): Unread {
  return { why: messageOf(failure), isRefused: !isUnanswered(failure) };
}

/** What a leader's proxy tells about its node. */
function throughProxy(conductor: ConductorState | null): NodeState | null {
  if (conductor === null) return null;
  const { syncStatus, isSequencing } = conductor.proxied;
  const unsafeHead = unsafeHeadOf(syncStatus);
  return unsafeHead === null && isSequencing === null
    ? null
    : { unsafeHead, isSequencing, isConductorEnabled: null, peerCount: null };
}

async function readTerm(metrics: RpcEndpoint): Promise<number | null> {
  const { text } = await metrics.page('/metrics', ANSWER_MS_MAX);
  return parseMetrics(text).values.get(TERM_SAMPLE) ?? null;
}

/** What came of a question, and when, Unix milliseconds. */
interface Attempt<T> {
  readonly value: T | null;
  readonly why: string;
  /** What it failed with; null when it did not. */
  readonly failure: unknown;
  readonly atMs: number;
}

async function attempt<T>(asked: Promise<T>): Promise<Attempt<T>> {
  try {
    const value = await asked;
    return { value, why: '', failure: null, atMs: Date.now() };
  } catch (error) {
    return { value: null, why: messageOf(error), failure: error, atMs: Date.now() };
  }
}

/**
 * Ids for servers that are known by URL only: what was `learnt` before, the leader tells its own, a host that occurs
 * once on both sides is the same server, and where one server and one member are left they belong together.
 */
export function withLearntIds(view: ClusterView, learnt: ReadonlyMap<ServerConfig, string> = new Map()): ClusterView {
  if (view.servers.every(({ isNamed }) => isNamed)) return view;
  const ids = new Map<ServerView, string>();
  for (const server of view.servers) {
    const id = server.isNamed ? server.id : learnt.get(server.config);
    if (id !== undefined) ids.set(server, id);
  }
  const leader = leaderOf(view);
  const leaderId = leader?.conductor?.leaderId ?? '';
  if (leader !== null && leaderId !== '' && !leader.isNamed) ids.set(leader, leaderId);
  const { members } = membershipOf(view);
  const hostOf = (address: string): string => address.slice(0, address.lastIndexOf(':'));
  for (const server of view.servers) {
    const { hostname } = new URL(server.config.conductor);
    const matching = members.filter(({ address }) => hostOf(address) === hostname);
    const isAlone = view.servers.filter(({ config }) => new URL(config.conductor).hostname === hostname).length === 1;
    const [member] = matching;
    if (!ids.has(server) && isAlone && matching.length === 1 && member !== undefined) ids.set(server, member.id);
  }
  const unnamed = view.servers.filter((server) => !ids.has(server));
  const unclaimed = members.filter(({ id }) => ![...ids.values()].includes(id));
  const [server] = unnamed;
  const [member] = unclaimed;
  const isOneLeft = unnamed.length === 1 && unclaimed.length === 1 && view.servers.length === members.length;
  if (isOneLeft && server !== undefined && member !== undefined) ids.set(server, member.id);
  const named = view.servers.map((one): ServerView => {
    const id = ids.get(one);
    return id === undefined ? one : { ...one, id, isNamed: true };
  });
  return { ...view, servers: named };
}
