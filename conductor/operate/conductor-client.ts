/**
 * What the tool asks of one conductor and tells it to do, ours or op-conductor: both answer the same methods.
 * Reads come in one request, so that they belong to one moment; a method that one of them lacks is unknown (null).
 */
import type { ServerConfig } from './cluster-config.ts';
import { readClusterNodes, type Block, type ClusterNodes } from './cluster-nodes.ts';
import { printable } from './printable.ts';
import { RpcCallError, RpcEndpoint, type Answer } from './rpc-endpoint.ts';

/** Longest wait for a change, milliseconds; servers give up after 5 s themselves. */
const CHANGE_MS_MAX = 8000;
/** Members, and characters of a name, that are believed. */
const MEMBERS_MAX = 1000;
const NAME_LENGTH_MAX = 256;

/** One server of the membership. */
export interface Member {
  readonly id: string;
  /** "host:port" of raft. */
  readonly address: string;
  readonly isVoter: boolean;
}

export interface Membership {
  readonly members: readonly Member[];
  /** What preconditions compare with; always 0 on op-conductor, where it means whatever it is. */
  readonly version: number;
}

/** One moment of a conductor; null for what it does not tell. */
export interface ConductorState {
  readonly version: string | null;
  /** What it answers to conductor_leader: also true under override. */
  readonly claimsLeader: boolean | null;
  /** Id of the leader it knows; '' when it knows none. */
  readonly leaderId: string | null;
  readonly isPaused: boolean | null;
  readonly isStopped: boolean | null;
  readonly isActive: boolean | null;
  readonly isHealthy: boolean | null;
  readonly isOverridden: boolean | null;
  readonly membership: Membership | null;
  /** Who stands where, as it knows it; null on op-conductor. */
  readonly nodes: ClusterNodes | null;
  /** Answers of the proxied node methods, which only a leader gives. */
  readonly proxied: { readonly syncStatus: unknown; readonly isSequencing: boolean | null };
}

/** /readyz of ours; op-conductor has no such page. */
export interface Readiness {
  readonly isReady: boolean;
  /** '' when ready. */
  readonly reason: string;
}

/** Changes throw RpcCallError with the server's words. */
export interface ConductorClient {
  /** Rejects with RpcCallError, also where somebody answers who is no conductor. */
  state(timeoutMs: number): Promise<ConductorState>;
  /** Null where there is no such page: the conductor is not ours. */
  readiness(timeoutMs: number): Promise<Readiness | null>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the process, after its answer. */
  stop(): Promise<void>;
  /** Whether it answers that it leads, whoever does. */
  override(isOn: boolean): Promise<void>;
  transferTo(member: Member): Promise<void>;
  addNonvoter(member: Pick<Member, 'id' | 'address'>, version: number): Promise<void>;
  addVoter(member: Pick<Member, 'id' | 'address'>, version: number): Promise<void>;
  demote(id: string, version: number): Promise<void>;
  remove(id: string, version: number): Promise<void>;
  /** The leader is to build in the place of a committed block, and of all above it. */
  giveUp(block: Block): Promise<void>;
}

const reads = [
  'health_status',
  'conductor_leader',
  'conductor_leaderWithID',
  'conductor_paused',
  'conductor_stopped',
  'conductor_active',
  'conductor_sequencerHealthy',
  'conductor_leaderOverridden',
  'conductor_clusterMembership',
  'conductor_clusterNodes',
  'optimism_syncStatus',
  'admin_sequencerActive',
] as const;

/** A client for one server; throws ClusterConfigError when its credentials cannot be read. */
export function createConductorClient(server: ServerConfig): ConductorClient {
  const endpoint = new RpcEndpoint(server.conductor, server.credentials);
  // The proxy is needed where the node cannot be asked itself.
  const methods = server.node === null ? reads : reads.slice(0, -2);
  const change = async (method: string, ...params: readonly unknown[]): Promise<void> => {
    await endpoint.call(method, params, CHANGE_MS_MAX);
  };
  return {
    async state(timeoutMs) {
      const answers = await endpoint.batch(methods, timeoutMs);
      const state = readState(answers, methods);
      if (isConductor(state)) return state;
      const why = answers.find((answer) => answer.kind !== 'result')?.message;
      const { host } = new URL(server.conductor);
      throw new RpcCallError(`what answers at ${host} is no conductor${why === undefined ? '' : ` (${why})`}`, -32000);
    },
    readiness: async (timeoutMs) => readReadiness(await endpoint.page('/readyz', timeoutMs)),
    pause: () => change('conductor_pause'),
    resume: () => change('conductor_resume'),
    stop: () => change('conductor_stop'),
    override: (isOn) => change('conductor_overrideLeader', isOn),
    transferTo: ({ id, address }) => change('conductor_transferLeaderToServer', id, address),
    addNonvoter: ({ id, address }, version) => change('conductor_addServerAsNonvoter', id, address, version),
    addVoter: ({ id, address }, version) => change('conductor_addServerAsVoter', id, address, version),
    demote: (id, version) => change('conductor_demoteVoter', id, version),
    remove: (id, version) => change('conductor_removeServer', id, version),
    giveUp: ({ number, hash }) => change('conductor_giveUpBlock', number, hash),
  };
}

function readState(answers: readonly Answer[], methods: readonly string[]): ConductorState {
  const result = (method: (typeof reads)[number]): unknown => {
    const answer = answers[methods.indexOf(method)];
    return answer?.kind === 'result' ? answer.result : null;
  };
  return {
    version: asText(result('health_status')),
    claimsLeader: asBoolean(result('conductor_leader')),
    leaderId: asText((result('conductor_leaderWithID') as { id?: unknown } | null)?.id),
    isPaused: asBoolean(result('conductor_paused')),
    isStopped: asBoolean(result('conductor_stopped')),
    isActive: asBoolean(result('conductor_active')),
    isHealthy: asBoolean(result('conductor_sequencerHealthy')),
    isOverridden: asBoolean(result('conductor_leaderOverridden')),
    membership: readMembership(result('conductor_clusterMembership')),
    nodes: readClusterNodes(result('conductor_clusterNodes')),
    proxied: {
      syncStatus: result('optimism_syncStatus'),
      isSequencing: asBoolean(result('admin_sequencerActive')),
    },
  };
}

/** Whether it told anything that only a conductor tells. */
function isConductor(state: ConductorState): boolean {
  const { claimsLeader, leaderId, isPaused, isStopped, isActive, membership } = state;
  return [claimsLeader, leaderId, isPaused, isStopped, isActive, membership].some((value) => value !== null);
}

/** An answer of conductor_clusterMembership; an empty cluster is null on op-conductor. Null for nonsense. */
function readMembership(answer: unknown): Membership | null {
  const { servers, version } = (answer ?? {}) as { servers?: unknown; version?: unknown };
  if (typeof version !== 'number' || !Number.isSafeInteger(version)) return null;
  if (servers === null) return { members: [], version };
  if (!Array.isArray(servers) || servers.length > MEMBERS_MAX) return null;
  const members: Member[] = [];
  for (const server of servers as ({ id?: unknown; addr?: unknown; suffrage?: unknown } | null)[]) {
    const id = asText(server?.id);
    const address = asText(server?.addr);
    if (id === null || address === null) return null;
    members.push({ id, address, isVoter: server?.suffrage === 0 });
  }
  return { members, version };
}

function readReadiness({ status, text }: { readonly status: number; readonly text: string }): Readiness | null {
  if (status === 200 && text === 'ready\n') return { isReady: true, reason: '' };
  const reason = /^not ready: (.*)\n$/s.exec(text)?.[1];
  return status === 503 && reason !== undefined ? { isReady: false, reason: printable(reason) } : null;
}

function asText(value: unknown): string | null {
  return typeof value === 'string' && value.length <= NAME_LENGTH_MAX ? printable(value) : null;
}

function asBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
