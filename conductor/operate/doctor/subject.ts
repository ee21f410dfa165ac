/** The one node that is examined: its settings, and what the three processes it is made of say. */
import { text, type Values } from '#conductor/host/settings/config-values';
import type { WorkingConfig } from '#conductor/host/settings/flags-config';
import { hostAndPort } from '#conductor/host/settings/listen-address';
import { ask, type Asked } from './asked.ts';
import { ownRpcUrl, type Settings } from './settings.ts';

export interface Subject {
  /** null where no flags are known. */
  readonly values: Values | null;
  /** What of them can work. */
  readonly config: WorkingConfig | null;
  readonly blockSeconds: number | null;
  readonly conductor: Asked;
  readonly node: Asked;
  readonly execution: Asked;
  /** Variables of op-node, where a file with them was named. */
  readonly nodeEnvironment: Readonly<Record<string, string>> | null;
}

/** URLs that win over those of the flags. */
export interface Urls {
  readonly conductor?: string | undefined;
  readonly node?: string | undefined;
  readonly execution?: string | undefined;
}

/** Asks all three at once. Never rejects. */
export async function gather(
  { values, config, blockSeconds }: Settings,
  urls: Urls,
  nodeEnvironment: Subject['nodeEnvironment'],
): Promise<Subject> {
  const [conductor, node, execution] = await Promise.all([
    ask(urls.conductor ?? (values === null ? null : ownRpcUrl(values)), [
      ['health_status'],
      ['conductor_leader'],
      ['conductor_leaderWithID'],
      ['conductor_paused'],
      ['conductor_stopped'],
      ['conductor_sequencerHealthy'],
      ['conductor_leaderOverridden'],
      ['conductor_clusterMembership'],
      ['conductor_clusterNodes'],
    ]),
    ask(urls.node ?? (values === null ? null : text(values, 'node.rpc')), [
      ['optimism_syncStatus'],
      ['admin_sequencerActive'],
      ['admin_conductorEnabled'],
      ['opp2p_peerStats'],
      ['optimism_rollupConfig'],
      ['optimism_version'],
    ]),
    ask(urls.execution ?? (values === null ? null : text(values, 'execution.rpc')), [
      ['eth_chainId'],
      ['eth_syncing'],
      ['web3_clientVersion'],
      ['eth_getBlockByNumber', ['latest', false]],
    ]),
  ]);
  return { values, config, blockSeconds, conductor, node, execution, nodeEnvironment };
}

/** `suffrage` is 0 for voters. */
export interface ToldMember {
  readonly id: string;
  readonly addr: string;
  readonly suffrage?: unknown;
}

/** The membership that the running conductor tells; null when it does not. */
export function membershipOf({ answers }: Asked): readonly ToldMember[] | null {
  const answer = answers.get('conductor_clusterMembership');
  const { servers } = ((answer?.kind === 'result' ? answer.result : null) ?? {}) as { servers?: unknown };
  if (!Array.isArray(servers)) return null;
  return servers.filter(
    (one: { id?: unknown; addr?: unknown } | null): one is ToldMember =>
      typeof one?.id === 'string' && typeof one.addr === 'string',
  );
}

/** Where the others dial this server; null where the flags do not tell. */
export function ownAddress(config: Subject['config']): string | null {
  if (config?.consensus === undefined) return null;
  const { hostname, port, advertised } = config.consensus;
  return advertised === '' ? hostAndPort(hostname, port) : advertised;
}
