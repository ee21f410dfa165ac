/** What the methods say that only tell how things are; answered at once from this node's own state. */
import type { RaftPosition, RaftStatus } from '../raft/status.ts';
import type { ClusterNodes } from './cluster-nodes.ts';

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

/** After a stall a leader may have been replaced: until a quorum has answered it anew, it does not say that it leads. */
export function saysItLeads(host: ReadHost): boolean {
  return host.isOverridden() || isLeading(host.position());
}

function isLeading({ role, isSure }: RaftPosition): boolean {
  return role === 'leader' && isSure;
}

export function leaderOf(host: ReadHost): Record<string, unknown> {
  if (host.isOverridden()) return { id: 'N/A (Leader overridden)', addr: 'N/A', suffrage: 0 };
  const { leaderId, leaderAddress } = host.status();
  return { id: leaderId ?? '', addr: leaderAddress ?? '', suffrage: 0 };
}

export function membershipOf(host: ReadHost): Record<string, unknown> {
  const { index, configuration } = host.position().configuration;
  return {
    servers: configuration.servers.map(({ id, address, suffrage }) => ({ id, addr: address, suffrage })),
    version: index,
  };
}
