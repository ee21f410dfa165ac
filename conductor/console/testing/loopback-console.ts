/** Settings of a console for one test: on loopback, at a port that is free, without a history, a token or a line of log. */
import type { ClusterConfig } from '#conductor/operate/cluster-config';
import type { ConsoleOptions } from '../console.ts';

/** `more` takes the place of what it names. */
export function loopbackConsole(
  clusters: readonly ClusterConfig[],
  more: Partial<Omit<ConsoleOptions, 'clusters'>> = {},
): ConsoleOptions {
  return {
    clusters,
    ...{ hostname: '127.0.0.1', port: 0, history: ':memory:', tokensFile: '', publicUrl: null, tls: null },
    ...{ mayChange: true, version: 'v0.1.0', logger: { log: () => undefined }, link: () => undefined },
    ...more,
  };
}
