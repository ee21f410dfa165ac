/** A view of the cluster as the JSON that `--json` prints; names stay what they are, for scripts depend on them. */
import { describeCluster, troubles } from './cluster-summary.ts';
import { leaderOf, memberOf, membershipOf, type ClusterView } from './cluster-view.ts';
import { leaderNodes, standingOf } from './disputes.ts';
import { programOf } from './program.ts';
import { quorumOf, sparesOf } from './quorum.ts';

/** Plain JSON; null for what is not known. */
export function viewDocument(view: ClusterView): Record<string, unknown> {
  const leader = leaderOf(view);
  const { members, version } = membershipOf(view);
  const quorum = quorumOf(view);
  return {
    ...standingDocument(view),
    summary: describeCluster(view),
    troubles: troubles(view),
    leader: leader?.id ?? null,
    term: leader?.term ?? null,
    membership: {
      version,
      servers: members.map(({ id, address, isVoter }) => ({ id, address, suffrage: isVoter ? 'voter' : 'nonvoter' })),
    },
    quorum: { ...quorum, mayFail: Math.max(0, sparesOf(view)) },
    servers: view.servers.map((server) => {
      const { id, isNamed, conductor, node, readiness, term } = server;
      const suffrage = memberOf(view, id);
      return {
        id,
        isIdKnown: isNamed,
        conductor: new URL(server.config.conductor).host,
        reachable: conductor !== null,
        reason: server.whySilent,
        role: roleOf(view, id),
        suffrage: suffrage === null ? null : suffrage.isVoter ? 'voter' : 'nonvoter',
        software: programOf(server),
        version: conductor?.version ?? null,
        term,
        leader: conductor?.leaderId ?? null,
        paused: conductor?.isPaused ?? null,
        stopped: conductor?.isStopped ?? null,
        active: conductor?.isActive ?? null,
        healthy: conductor?.isHealthy ?? null,
        overridden: conductor?.isOverridden ?? null,
        ready: readiness?.isReady ?? null,
        node: {
          reachable: node !== null,
          reason: server.whyNodeSilent,
          sequencing: node?.isSequencing ?? null,
          conductorEnabled: node?.isConductorEnabled ?? null,
          peers: node?.peerCount ?? null,
          unsafeHead: node?.unsafeHead ?? null,
        },
        standing: standingOf(view, server),
      };
    }),
  };
}

/** The newest committed block and those that some node speaks against, as the leader knows them. */
function standingDocument(view: ClusterView): Record<string, unknown> {
  const nodes = leaderNodes(view);
  return { committed: nodes?.committed ?? null, disputed: nodes?.disputed ?? [] };
}

/** What a server is in the cluster, in a word. */
export function roleOf(
  view: ClusterView,
  id: string,
): 'leader' | 'follower' | 'nonvoter' | 'outside' | 'silent' | 'unknown' {
  const server = view.servers.find((one) => one.id === id);
  if (server === undefined || server.conductor === null) return 'silent';
  if (server === leaderOf(view)) return 'leader';
  if (!server.isNamed) return 'follower';
  if (membershipOf(view).members.length === 0) return 'unknown';
  const member = memberOf(view, id);
  return member === null ? 'outside' : member.isVoter ? 'follower' : 'nonvoter';
}
