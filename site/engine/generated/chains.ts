/** Chains, predeploys and tokens as tables: what readers look up, filter and copy. Contracts on L1: chain-contracts.ts. */
import { readContentData, sourceNote, type Dated } from './content-data.ts';
import type { Generator } from './generator.ts';
import { code, prose, table } from './mdx-text.ts';

export interface Chain {
  readonly network: string;
  readonly name: string;
  readonly chainId: number;
  readonly publicRpc: string;
  readonly explorer: string;
  readonly blockTimeSeconds: number;
  readonly dataAvailability: string;
  readonly batchInbox: string;
  readonly roles: Readonly<Record<string, string>>;
  readonly addresses: Readonly<Record<string, string>>;
}

export interface Chains extends Dated {
  readonly chains: readonly Chain[];
}

interface Predeploys extends Dated {
  readonly predeploys: readonly {
    readonly name: string;
    readonly address: string;
    readonly since: string;
    readonly status: string;
    readonly purpose: string;
  }[];
  readonly preinstalls: readonly { readonly name: string; readonly address: string; readonly purpose: string }[];
}

interface Tokens extends Dated {
  readonly tokens: readonly {
    readonly chainId: number;
    readonly symbol: string;
    readonly name: string;
    readonly decimals: number;
    readonly address: string;
    readonly l1Address: string | null;
  }[];
}

/** Chains that the token list knows and the registry does not. */
const OTHER_CHAINS: Readonly<Record<number, string>> = { 1923: 'Swellchain', 8453: 'Base', 84532: 'Base Sepolia' };

/** Networks that pages name; all others together are `other`. */
const NAMED_NETWORKS: readonly string[] = ['mainnet', 'sepolia'];

/** The chains of a network, or of all that no page names. */
export function chainsOf({ chains }: Chains, network: string): Chain[] {
  return chains.filter((chain) =>
    network === 'other' ? !NAMED_NETWORKS.includes(chain.network) : chain.network === network,
  );
}

/** All chains of `network`: ids, endpoints, explorer. */
const networks: Generator = ({ network = 'mainnet' }) => {
  const data = readContentData<Chains>('chains.json');
  const rows = chainsOf(data, network).map((chain) => [
    prose(chain.name),
    code(String(chain.chainId)),
    chain.publicRpc === '' ? 'none' : code(chain.publicRpc),
    explorerLink(chain.explorer),
    `${chain.blockTimeSeconds} s`,
    dataAvailabilityName(chain.dataAvailability),
  ]);
  return filtered(
    'Filter chains',
    table(['Chain', 'Chain ID', 'Public RPC', 'Explorer', 'Block time', 'Data'], rows),
    data,
  );
};

/** Predeploys of one `status`: active, legacy, experimental or optional. */
const predeploys: Generator = ({ status = 'active' }) => {
  const data = readContentData<Predeploys>('predeploys.json');
  const rows = data.predeploys
    .filter((one) => one.status === status)
    .map(({ name, address, since, purpose }) => [code(name), code(address), since, prose(purpose)]);
  return `${table(['Contract', 'Address', 'Since', 'What it does'], rows)}\n\n${sourceNote(data)}`;
};

const preinstalls: Generator = () => {
  const data = readContentData<Predeploys>('predeploys.json');
  const rows = data.preinstalls.map(({ name, address, purpose }) => [prose(name), code(address), prose(purpose)]);
  return `${table(['Contract', 'Address', 'What it does'], rows)}\n\n${sourceNote(data)}`;
};

/** Tokens of the list, with their addresses on both layers. */
const tokens: Generator = () => {
  const data = readContentData<Tokens>('tokens.json');
  const { chains } = readContentData<Chains>('chains.json');
  const nameOf = new Map(chains.map(({ chainId, name }) => [chainId, name]));
  const rows = data.tokens.map(({ chainId, symbol, name, decimals, address, l1Address }) => [
    symbol === name ? `**${prose(symbol)}**` : `**${prose(symbol)}** ${prose(name)}`,
    prose(nameOf.get(chainId) ?? OTHER_CHAINS[chainId] ?? `Chain ${chainId}`),
    code(address),
    l1Address === null ? 'none' : code(l1Address),
    String(decimals),
  ]);
  const header = ['Token', 'Chain', 'Address there', 'Address on L1', 'Decimals'];
  return filtered('Filter tokens', table(header, rows), data);
};

export const chainGenerators: Readonly<Record<string, Generator>> = {
  'chains/networks': networks,
  'chains/predeploys': predeploys,
  'chains/preinstalls': preinstalls,
  'chains/tokens': tokens,
};

/** A table to filter; `fold` gathers the rows that begin alike. */
export function filtered(label: string, rows: string, data: Dated, { fold = false } = {}): string {
  return `<TableFilter label="${label}"${fold ? ' fold' : ''}>\n\n${rows}\n\n</TableFilter>\n\n${sourceNote(data)}`;
}

/** Some configurations leave out the scheme. */
function explorerLink(explorer: string): string {
  if (explorer === '') return 'none';
  return `[${prose(explorer.replace(/^https?:\/\//, ''))}](${explorer.replace(/^(?!https?:)/, 'https://')})`;
}

function dataAvailabilityName(kind: string): string {
  return kind === 'eth-da' ? 'Ethereum' : 'Alt-DA';
}
