/** Which server an operator means: by its id, or by the host:port or URL of its RPC. */
import { nearest } from '../nearest.ts';
import type { ClusterView, ServerView } from './cluster-view.ts';
import { OperatorUsageError } from './operator-command.ts';

/** The server; throws OperatorUsageError with the names that are known. */
export function findServer(view: ClusterView, name: string): ServerView {
  const found = view.servers.find(
    ({ id, config }) => id === name || config.conductor === name || new URL(config.conductor).host === name,
  );
  if (found !== undefined) return found;
  const known = view.servers.map(({ id }) => id);
  const meant = nearest(name, known);
  const advice = meant === null ? `known are ${known.join(', ')}` : `did you mean ${meant}?`;
  throw new OperatorUsageError(`there is no server "${name}" here; ${advice}`);
}
