/**
 * Bootstrapping by a setting that may stay (--raft.bootstrap-once): all servers of the new cluster have the same list,
 * the first of it founds the cluster, and only after every other one has answered that it belongs to none. So a first
 * server whose disk was replaced finds the cluster it belonged to, or silence, and never founds a second one (rule 24).
 */
import type { CallResult } from '#conductor/core/node/calls';
import type { Logger } from '#conductor/core/ports';
import { invalid } from './settings/config-values.ts';

/** A server of the cluster to be. */
export interface InitialMember {
  readonly id: string;
  /** JSON-RPC URL of this one conductor. */
  readonly url: string;
}

export interface BootstrapOnceHost {
  readonly logger: Logger;
  /** False once the own store holds anything of a cluster. */
  isNew(): boolean;
  /** Asks a conductor for its membership; never rejects. */
  ask(url: string): Promise<CallResult>;
  bootstrap(): void;
  sleep(ms: number): Promise<void>;
  /** The conductor ends. */
  isOver(): boolean;
}

/** From one round of questions to the next. */
const pauseMs = 1000;
const serversMax = 64;

/** Reads "id=url,id=url"; null when empty. Throws ConfigError for a list that does not name this server, or a server twice. */
export function initialMembersOf(text: string, serverId: string): readonly InitialMember[] | null {
  if (text.trim() === '') return null;
  const initialMembers = text.split(',').map((item): InitialMember => {
    const at = item.indexOf('=');
    const [id, url] = [item.slice(0, at).trim(), item.slice(at + 1).trim()];
    if (at < 1 || id === '' || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      invalid(`--raft.bootstrap-once: "${item.trim()}" is not <server id>=<JSON-RPC URL>`);
    return { id, url };
  });
  if (initialMembers.length > serversMax) invalid(`--raft.bootstrap-once names more than ${serversMax} servers`);
  for (const key of ['id', 'url'] as const) {
    const seen = new Set(initialMembers.map((initialMember) => initialMember[key]));
    if (seen.size < initialMembers.length)
      invalid(`--raft.bootstrap-once names one ${key} twice: each server has its own, a shared address says nothing`);
  }
  if (!initialMembers.some(({ id }) => id === serverId))
    invalid(
      `--raft.bootstrap-once does not name this server, "${serverId}": give the same list to all, with all in it`,
    );
  return initialMembers;
}

/** Ends when the cluster is founded, or found to exist; until then it asks again. Only the first of the list asks at all. */
export async function bootstrapOnce(
  host: BootstrapOnceHost,
  initialMembers: readonly InitialMember[],
  serverId: string,
): Promise<void> {
  const [first, ...others] = initialMembers;
  if (first?.id !== serverId) return;
  let said = '';
  while (host.isNew() && !host.isOver()) {
    const objections = await Promise.all(others.map((other) => objectionOf(host, other)));
    const objection = objections.find((one) => one !== '') ?? '';
    if (host.isOver() || !host.isNew()) return;
    if (objection === '') {
      host.logger.log('info', 'no server belongs to a cluster yet: bootstrapping it', {
        servers: initialMembers.length,
      });
      return host.bootstrap();
    }
    if (objection !== said) host.logger.log('warn', 'not bootstrapping a cluster', { reason: objection });
    said = objection;
    await host.sleep(pauseMs);
  }
}

/** Why no cluster may be founded; '' when this server has said that it belongs to none. */
async function objectionOf(host: BootstrapOnceHost, { id, url }: InitialMember): Promise<string> {
  const answer = await host.ask(url);
  if (answer.kind !== 'result') return `${id} has not said that it belongs to no cluster: ${answer.message}`;
  const servers = (answer.value as { servers?: unknown } | null)?.servers;
  // op-conductor's empty list is null.
  if (servers === null || (Array.isArray(servers) && servers.length === 0)) return '';
  if (!Array.isArray(servers)) return `${id} has not said that it belongs to no cluster: its answer is no membership`;
  const names = servers.map((server: { id?: unknown } | null) => String(server?.id)).join(', ');
  return `${id} belongs to a cluster already (${names}): add this server to it`;
}
