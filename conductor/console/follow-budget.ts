/**
 * Which clusters are followed and which are only asked: the runtime has room for so many requests at once, and a stream
 * takes one for as long as it lasts. Without a bound the streams of a large fleet would leave none for questions.
 */
import type { ClusterConfig } from '#conductor/operate/cluster-config';

/** The runtime's own bound, and the variable that moves it; it is read when the process starts. */
const requestsMax = 256;
const requestsVariable = 'BUN_CONFIG_MAX_HTTP_REQUESTS';
/** Kept for questions. */
const questions = 64;

/** Names of the clusters that are followed, in the order given, each with all its servers. */
export function followedClusters(
  configs: readonly ClusterConfig[],
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlySet<string> {
  const given = Number(environment[requestsVariable]);
  let left = (given > questions ? given : requestsMax) - questions;
  const followed = new Set<string>();
  for (const { name, servers } of configs) {
    if (servers.length > left) break;
    left -= servers.length;
    followed.add(name);
  }
  return followed;
}

/** From one question to the next where events are not followed, milliseconds: a large fleet is asked less often. */
export function askEveryMs(configs: readonly ClusterConfig[]): number {
  const servers = configs.reduce((sum, config) => sum + config.servers.length, 0);
  return Math.max(1000, servers * 10);
}
