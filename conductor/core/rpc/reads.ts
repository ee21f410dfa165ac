/** What the methods say that only tell how things are; answered at once from this node's own state. */
import type { RaftPosition } from '../raft/status.ts';
import type { Result } from './method.ts';
import type { ServiceHost } from './service-host.ts';

/** After a stall a leader may have been replaced: until a quorum has answered it anew, it does not say that it leads. */
export function saysItLeads(host: ServiceHost): boolean {
  return host.override.isOn || isLeading(host.raft.position());
}

function isLeading({ role, isSure }: RaftPosition): boolean {
  return role === 'leader' && isSure;
}

const server = {
  type: 'object',
  required: ['id', 'addr', 'suffrage'],
  properties: {
    id: { type: 'string' },
    addr: { type: 'string' },
    suffrage: { type: 'integer', enum: [0, 1], description: '0 voter, 1 nonvoter' },
  },
};

export const leaderResult: Result = { words: '{id, addr, suffrage}', schema: server };

export function leaderOf(host: ServiceHost): Record<string, unknown> {
  if (host.override.isOn) return { id: 'N/A (Leader overridden)', addr: 'N/A', suffrage: 0 };
  const { leaderId, leaderAddress } = host.raft.status();
  return { id: leaderId ?? '', addr: leaderAddress ?? '', suffrage: 0 };
}

export const membershipResult: Result = {
  words: '{servers: [{id, addr, suffrage}], version}',
  schema: {
    type: 'object',
    required: ['servers', 'version'],
    properties: { servers: { type: 'array', items: server }, version: { type: 'integer', minimum: 0 } },
  },
};

export function membershipOf(host: ServiceHost): Record<string, unknown> {
  const { index, configuration } = host.raft.position().configuration;
  return {
    servers: configuration.servers.map(({ id, address, suffrage }) => ({ id, addr: address, suffrage })),
    version: index,
  };
}
