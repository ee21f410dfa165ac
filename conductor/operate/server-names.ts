/** Which server an operator means: by its id, or by the host:port or URL of its RPC. */
import { memberOf, type ClusterView, type ServerView } from './cluster-view.ts';
import { OperatorUsageError } from './operator-errors.ts';

/** The server; throws OperatorUsageError with the names that are known. */
export function findServer(view: ClusterView, name: string): ServerView {
  const found = view.servers.find(
    ({ id, config }) => id === name || config.conductor === name || new URL(config.conductor).host === name,
  );
  if (found !== undefined) return found;
  // No guesses: ids differ by a digit, and the nearest is another server.
  const list = (servers: readonly ServerView[]): string => servers.map(({ id }) => id).join(', ');
  if (memberOf(view, name) === null)
    throw new OperatorUsageError(`there is no server "${name}" here; known are ${list(view.servers)}`);
  const unnamed = view.servers.filter(({ isNamed }) => !isNamed);
  throw new OperatorUsageError(
    unnamed.length === 0
      ? `${name} is a member of the cluster and has no URL here; known are ${list(view.servers)}`
      : `${name} is one of ${list(unnamed)}, and the cluster does not tell which; write the ids before the URLs, --rpc ${name}=http://…, or name a server by its host:port`,
  );
}
