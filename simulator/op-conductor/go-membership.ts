/** Changes of the members as hashicorp/raft makes them: one at a time, in force once appended, nobody is caught up first. */
import { votersOf } from '#conductor/core/raft/quorum';
import { EntryType, Suffrage, type Server } from '#conductor/core/raft/types';
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import type { Change, Ended, Leading } from './go-leading.ts';
import { append, countVoters } from './go-propose.ts';
import { followMembers } from './go-replication.ts';
import type { GoState } from './go-state.ts';

/** An existing voter stays one: only its address changes. */
export function withServer(server: Server): Change['of'] {
  return (servers) => {
    const at = servers.findIndex(({ id }) => id === server.id);
    const known = servers[at];
    if (known === undefined) return [...servers, server];
    return servers.with(at, known.suffrage === Suffrage.voter ? { ...known, address: server.address } : server);
  };
}

export function withoutServer(gone: string): Change['of'] {
  return (servers) => servers.filter(({ id }) => id !== gone);
}

export function demoted(voter: string): Change['of'] {
  return (servers) =>
    servers.map((server) => (server.id === voter ? { ...server, suffrage: Suffrage.nonvoter } : server));
}

export function appendChange(s: GoState, leading: Leading, { of, previousIndex }: Change, ended: Ended): void {
  const { index, configuration } = s.latest;
  if (previousIndex > 0 && previousIndex !== index)
    return ended(`configuration changed since ${previousIndex} (latest is ${index})`);
  const servers = of(configuration.servers);
  const problem = whyImpossible(servers);
  if (problem !== '') return ended(problem);
  append(s, EntryType.configuration, encodeConfiguration({ servers }), ended);
  s.committed = s.latest;
  s.latest = { index: s.log.lastIndex, configuration: { servers } };
  countVoters(s);
  followMembers(s, leading);
}

function whyImpossible(servers: readonly Server[]): string {
  if (new Set(servers.map(({ address }) => address)).size < servers.length)
    return 'found duplicate address in configuration';
  return votersOf({ servers }).length === 0 ? 'need at least one voter in configuration' : '';
}
