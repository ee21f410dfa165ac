/**
 * The reader's own servers, as they are typed once: what is stored, what may be in it, and what a command says of a
 * server. Everything here is put into commands that readers copy, so nothing that means something to a shell passes.
 */

export interface OwnServer {
  /** Its id in the cluster. */
  readonly id: string;
  /** Names or addresses of machines, without port. */
  readonly conductor: string;
  readonly node: string;
  readonly client: string;
}

/** The programs that commands speak to, with the ports that the pages give them. */
export const usualPorts = { conductor: 8547, consensus: 50050, metrics: 7300, node: 9545, client: 8545 } as const;
export type PortName = keyof typeof usualPorts;

/** Texts that may be empty: what is not known is left as it is on the page. */
export const addressNames = ['sequencer', 'l1', 'beacon'] as const;
export type AddressName = (typeof addressNames)[number];

export interface OwnCluster {
  /** At least one. */
  readonly servers: readonly OwnServer[];
  readonly ports: Readonly<Record<PortName, number>>;
  /** As op-node's --network has it; may be empty. */
  readonly network: string;
  readonly addresses: Readonly<Record<AddressName, string>>;
}

export const SERVERS_MAX = 9;
/** For the fields, too: the pattern of HTML is that of the whole text. */
export const patterns = {
  id: '[A-Za-z0-9][A-Za-z0-9._\\-]{0,62}',
  host: '[A-Za-z0-9][A-Za-z0-9.\\-]{0,252}|\\[[0-9A-Fa-f:]{2,39}\\]',
  network: '[a-z0-9][a-z0-9\\-]{0,62}',
  address: 'https?://[A-Za-z0-9.:\\[\\]\\-]{1,255}(/[A-Za-z0-9._~/\\-]{0,200})?',
} as const;

/** What was stored; null where that is nothing, or nothing that may be put into commands. */
export function readCluster(stored: string | null): OwnCluster | null {
  if (stored === null) return null;
  try {
    return clusterOf(JSON.parse(stored));
  } catch {
    return null;
  }
}

/** Of unknown JSON; null where any part of it is not as it has to be. */
export function clusterOf(value: unknown): OwnCluster | null {
  if (!isRecord(value) || !Array.isArray(value['servers'])) return null;
  const servers = value['servers'].map(serverOf);
  if (servers.length === 0 || servers.length > SERVERS_MAX) return null;
  const ports = mapOf(Object.keys(usualPorts) as PortName[], (name) => recordOf(value['ports'])[name]);
  const addresses = mapOf(addressNames, (name) => recordOf(value['addresses'])[name]);
  const { network } = value;
  const isWhole =
    servers.every((server) => server !== null) &&
    Object.values(ports).every((port) => Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536) &&
    Object.values(addresses).every((address) => address === '' || isText(address, patterns.address)) &&
    (network === '' || isText(network, patterns.network));
  return isWhole ? ({ servers, ports, network, addresses } as OwnCluster) : null;
}

function serverOf(value: unknown): OwnServer | null {
  const { id, conductor, node, client } = recordOf(value);
  const areHosts = [conductor, node, client].every((host) => isText(host, patterns.host));
  return isText(id, patterns.id) && areHosts ? ({ id, conductor, node, client } as OwnServer) : null;
}

function isText(value: unknown, pattern: string): boolean {
  return typeof value === 'string' && new RegExp(`^(?:${pattern})$`).test(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function mapOf<Name extends string>(names: readonly Name[], of: (name: Name) => unknown): Record<Name, unknown> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, unknown>;
}

/**
 * What a shell writes for the server number `$n`: the text itself where only the number differs, else a function's
 * answer, which has to be defined (`byNumber`).
 */
export function numbered(texts: readonly string[], name: string): string {
  for (const first of [0, 1]) {
    const [before = '', ...rest] = (texts[0] ?? '').split(String(first));
    for (let at = 0; at < rest.length; at += 1) {
      const start = [before, ...rest.slice(0, at)].join(String(first));
      const end = rest.slice(at).join(String(first));
      if (texts.every((text, number) => text === `${start}${number + first}${end}`))
        return `${start}${first === 0 ? '${n}' : '$((n + 1))'}${end}`;
    }
  }
  return `$(${name}_of $n)`;
}

/** The function that `numbered` asks. */
export function byNumber(texts: readonly string[], name: string): string {
  return `${name}_of() { case $1 in ${texts.map((text, number) => `${number}) echo ${text};;`).join(' ')} esac; }`;
}
