/**
 * Whether a cluster whose servers all run and hear each other can elect a leader at all, by the rules of
 * raft and of rule 9. Some states cannot, and no algorithm that keeps those rules gets out of them.
 */
import { votersOf } from '../quorum.ts';
import type { RaftStatus } from '../status.ts';
import type { TestCluster } from './cluster.ts';

/** Ids of the servers that a majority of their own voters could elect. */
export function electable(cluster: TestCluster): string[] {
  const all = [...cluster.servers.keys()].map((id) => cluster.status(id)!);
  const of = new Map(all.map((status) => [status.id, { status, lastTerm: lastTermOf(cluster, status) }]));
  return all
    .filter((candidate) => {
      const voters = votersOf(candidate.configuration.configuration);
      if (candidate.isRecovering || voters.length === 0) return false;
      const isCommitted = candidate.isConfigurationCommitted;
      if (isCommitted && !voters.includes(candidate.id)) return false;
      const grants = voters.filter((id) => {
        const voter = of.get(id)!;
        const own = of.get(candidate.id)!;
        // A voter with an older configuration that does not count the candidate refuses it, as hashicorp's does.
        const knows = id === candidate.id || votersOf(voter.status.configuration.configuration).includes(candidate.id);
        const isBehind =
          voter.lastTerm < own.lastTerm ||
          (voter.lastTerm === own.lastTerm && voter.status.lastIndex <= own.status.lastIndex);
        return !voter.status.isRecovering && knows && isBehind;
      });
      return grants.length > voters.length / 2;
    })
    .map(({ id }) => id);
}

function lastTermOf(cluster: TestCluster, status: RaftStatus): number {
  const { machine, store } = cluster.servers.get(status.id)!;
  return machine.known.get(status.lastIndex)?.term ?? store.load().snapshot?.term ?? 0;
}
