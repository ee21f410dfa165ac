/**
 * What one conductor tells of itself, ours or op-conductor, read with care: the methods that are asked, and what their answers
 * say. A method that one of them lacks is unknown (null).
 */
import { readClusterNodes, type ClusterNodes } from './cluster-nodes.ts';
import { printable } from './printable.ts';

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

/** What is asked, in one request, so that the answers belong to one moment; the last two of the node behind it. */
export const conductorReads = [
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

export type ConductorRead = (typeof conductorReads)[number];

/** What the results say; `result` gives null for a method that was not asked or not answered. */
export function readConductorState(result: (method: ConductorRead) => unknown): ConductorState {
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
export function isConductor(state: ConductorState): boolean {
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

function asText(value: unknown): string | null {
  return typeof value === 'string' && value.length <= NAME_LENGTH_MAX ? printable(value) : null;
}

export function asBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
