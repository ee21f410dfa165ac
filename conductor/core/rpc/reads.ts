/** The methods that only say how things are; answered at once from this node's own state. */
import type { RaftPosition, RaftStatus } from '../raft/status.ts';
import type { Outcome } from './message.ts';
import type { MethodName } from './methods.ts';
import { clusterNodesAnswer, type ClusterNodes } from './cluster-nodes.ts';
import { result } from './outcomes.ts';

export interface ReadHost {
  readonly version: string;
  readonly control: { readonly isPaused: boolean; readonly isStopped: boolean };
  /** The part of the status that is cheap. */
  position(): RaftPosition;
  status(): RaftStatus;
  isHealthy(): boolean;
  isOverridden(): boolean;
  /** Who stands where. */
  clusterNodes(): ClusterNodes;
}

/** The answer, or null for a method that does more than read. */
export function read(method: MethodName, host: ReadHost): Outcome | null {
  switch (method) {
    case 'conductor_leader':
      return result(host.isOverridden() || isLeading(host.position()));
    case 'conductor_leaderWithID':
      return result(leaderOf(host.status(), host.isOverridden()));
    case 'conductor_active':
      return result(!host.control.isPaused && !host.control.isStopped);
    case 'conductor_paused':
      return result(host.control.isPaused);
    case 'conductor_stopped':
      return result(host.control.isStopped);
    case 'conductor_sequencerHealthy':
      return result(host.isHealthy());
    case 'conductor_leaderOverridden':
      return result(host.isOverridden());
    case 'conductor_clusterNodes':
      return result(clusterNodesAnswer(host.clusterNodes()));
    case 'conductor_clusterMembership':
      return result(membershipOf(host.status()));
    case 'health_status':
      return result(host.version);
    default:
      return null;
  }
}

/** After a stall a leader may have been replaced: until a quorum has answered it anew, it does not say that it leads. */
function isLeading({ role, isSure }: RaftPosition): boolean {
  return role === 'leader' && isSure;
}

function leaderOf(status: RaftStatus, isOverridden: boolean): Record<string, unknown> {
  if (isOverridden) return { id: 'N/A (Leader overridden)', addr: 'N/A', suffrage: 0 };
  return { id: status.leaderId ?? '', addr: status.leaderAddress ?? '', suffrage: 0 };
}

function membershipOf(status: RaftStatus): Record<string, unknown> {
  const { index, configuration } = status.configuration;
  return {
    servers: configuration.servers.map(({ id, address, suffrage }) => ({ id, addr: address, suffrage })),
    version: index,
  };
}
