/**
 * What only the operator can know: that the sequencer of a server that does not answer has stopped, because its op-node
 * was seen to have ended. Without it nothing is started beside such a server, however long it is silent.
 */
import type { ClusterAccess } from './observe.ts';
import { memberOf, serverOf } from './cluster-view.ts';
import { findServer } from './server-names.ts';

/** Of every procedure; ids or host:port with commas between. */
export const idleOption = {
  flags: '--idle <ids>',
  doc: 'servers that do not answer whether they sequence, and certainly do not: you have seen them stopped',
} as const;

/**
 * The same access, whose views say of the named servers that they are idle unless they answer something else; members
 * without a URL among them. Views reject with OperatorUsageError for a name of no server.
 */
export function withKnownIdle(access: ClusterAccess, names: readonly string[]): ClusterAccess {
  if (names.length === 0) return access;
  return {
    ...access,
    async observe() {
      const view = await access.observe();
      const hasNameless = view.servers.some(({ isNamed }) => !isNamed);
      const isAbsent = (name: string): boolean =>
        !hasNameless && memberOf(view, name) !== null && serverOf(view, name) === null;
      const idle = new Set(names.filter((name) => !isAbsent(name)).map((name) => findServer(view, name)));
      return {
        ...view,
        knownIdle: names.filter(isAbsent),
        servers: view.servers.map((server) => (idle.has(server) ? { ...server, isKnownIdle: true } : server)),
      };
    },
  };
}

/** The names in the text of the option; none where it was not given. */
export function namesIn(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
