/**
 * Refreshes content/data/chains.json and tokens.json, from which the address pages are built:
 * chain configurations and addresses from a clone of the superchain-registry, at its newest commit;
 * tokens from the npm package @eth-optimism/tokenlist. Run it by hand when either has news, and
 * commit what it writes; the site itself is built without network. The same commit gives the same file.
 *
 *     bun scripts/refresh-chain-data.ts [clone of the superchain-registry]
 *
 * Without an argument the registry is cloned.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tokenlist from '@eth-optimism/tokenlist';
import { strFromU8, unzipSync } from 'fflate';

const REGISTRY = 'github.com/ethereum-optimism/superchain-registry';
const CONFIGS = 'superchain/configs';
/** By chain ID, what the registry reads from L1 once a day: it is newer than the configurations, which have four contracts. */
const ADDRESSES = 'superchain/extra/addresses/addresses.json';
/** Those of its names that are accounts with a task; all others are contracts. */
const ROLES: readonly string[] = [
  'ProxyAdminOwner',
  'SystemConfigOwner',
  'Guardian',
  'Challenger',
  'Proposer',
  'BatchSubmitter',
  'UnsafeBlockSigner',
];
const FILE_BYTES_MAX = 1024 * 1024;
const ARCHIVE_BYTES_MAX = 16 * 1024 * 1024;
const root = join(import.meta.dirname, '..');

/** The parts of a chain's TOML file that pages show; every chain has them but where marked. */
interface ChainConfig {
  readonly name: string;
  readonly chain_id: number;
  readonly public_rpc: string;
  readonly sequencer_rpc: string;
  readonly explorer: string;
  readonly block_time: number;
  readonly max_sequencer_drift: number;
  readonly seq_window_size: number;
  readonly batch_inbox_addr: string;
  readonly data_availability_type: string;
  readonly governed_by_optimism?: boolean;
  readonly hardforks?: Readonly<Record<string, number | boolean>>;
  readonly genesis: { readonly l2_time: number };
  readonly roles: Readonly<Record<string, string>>;
  readonly addresses: Readonly<Record<string, string>>;
}

interface SuperchainConfig {
  readonly name: string;
  readonly superchain_config_addr?: string;
  readonly l1: { readonly chain_id: number; readonly explorer: string };
}

type AddressBook = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface ChainFiles {
  readonly network: string;
  /** Name of its file. */
  readonly id: string;
  readonly config: ChainConfig;
  /** Its entry in the book of addresses. */
  readonly read: Readonly<Record<string, string>>;
}

const registry = readRegistry(process.argv[2]);
const configs = readConfigs(registry.files);
writeData('chains.json', {
  source: `${REGISTRY} at commit ${registry.commit.slice(0, 8)}`,
  date: registry.date,
  superchains: configs.superchains,
  chains: configs.chains,
});
writeData('tokens.json', {
  source: `npm package @eth-optimism/tokenlist ${packageVersion('@eth-optimism/tokenlist')}, list of ${tokenlist.timestamp.slice(0, 10)}`,
  date: today(),
  tokens: readTokens(),
});

/** The files that matter of the newest commit in `clone`, which may have no work tree. */
function readRegistry(clone: string | undefined): { commit: string; date: string; files: Record<string, Uint8Array> } {
  const folder = clone ?? mkdtempSync(join(tmpdir(), 'superchain-registry-'));
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['-C', folder, ...args], { maxBuffer: ARCHIVE_BYTES_MAX });
  try {
    if (clone === undefined) git('clone', '--quiet', '--depth', '1', `https://${REGISTRY}`, '.');
    const [commit = '', date = ''] = git('log', '-1', '--format=%H %cs').toString().trim().split(' ');
    const zip = git('archive', '--format=zip', commit, CONFIGS, ADDRESSES);
    return { commit, date, files: unzipSync(zip, { filter: ({ originalSize }) => originalSize <= FILE_BYTES_MAX }) };
  } finally {
    if (clone === undefined) rmSync(folder, { recursive: true });
  }
}

function readConfigs(files: Readonly<Record<string, Uint8Array>>) {
  const addressesOf = JSON.parse(strFromU8(files[ADDRESSES] ?? new Uint8Array())) as AddressBook;
  const superchains = new Map<string, SuperchainConfig>();
  const chains: ChainFiles[] = [];
  for (const [path, bytes] of Object.entries(files)) {
    const [, network = '', id = ''] = path.match(/\/configs\/([^/]+)\/([^/]+)\.toml$/) ?? [];
    if (id === '') continue;
    const toml: unknown = Bun.TOML.parse(strFromU8(bytes));
    if (id === 'superchain') {
      superchains.set(network, toml as SuperchainConfig);
      continue;
    }
    const config = toml as ChainConfig;
    chains.push({ network, id, config, read: addressesOf[config.chain_id] ?? {} });
  }
  return {
    superchains: [...superchains].toSorted(byText(([network]) => network)).map(([network, config]) => ({
      network,
      name: config.name,
      l1ChainId: config.l1.chain_id,
      l1Explorer: config.l1.explorer,
      superchainConfig: config.superchain_config_addr ?? null,
    })),
    chains: chains.toSorted(byText(({ network, config }) => `${network} ${config.name}`)).map(describeChain),
  };
}

function describeChain({ network, id, config, read }: ChainFiles) {
  const addresses = Object.entries({ ...config.addresses, ...config.roles, ...read });
  const all = (wanted: (name: string) => boolean) =>
    Object.fromEntries(addresses.filter(([name]) => wanted(name)).toSorted(byText(([name]) => name)));
  return {
    id,
    network,
    name: config.name,
    chainId: config.chain_id,
    publicRpc: config.public_rpc,
    sequencerRpc: config.sequencer_rpc,
    explorer: config.explorer,
    blockTimeSeconds: config.block_time,
    maxSequencerDriftSeconds: config.max_sequencer_drift,
    sequencingWindowBlocks: config.seq_window_size,
    batchInbox: config.batch_inbox_addr,
    dataAvailability: config.data_availability_type,
    governedByOptimism: config.governed_by_optimism ?? false,
    genesisTime: config.genesis.l2_time,
    hardforkTimes: Object.fromEntries(
      Object.entries(config.hardforks ?? {}).filter(([name]) => name.endsWith('_time')),
    ),
    roles: all((name) => ROLES.includes(name)),
    addresses: all((name) => !ROLES.includes(name)),
  };
}

/** One row per token and layer-2 chain: where it is bridged from, and to. */
function readTokens() {
  const layerOne = new Map<string, { chainId: number; address: string }>();
  for (const token of tokenlist.tokens) {
    const id = token.extensions?.opTokenId;
    if (id !== undefined && isLayerOne(token.chainId)) layerOne.set(`${token.chainId} ${id}`, token);
  }
  const l1OfL2 = new Map(configs.chains.map(({ chainId, network }) => [chainId, l1ChainId(network)]));
  return tokenlist.tokens
    .filter(({ chainId }) => !isLayerOne(chainId))
    .map((token) => ({
      chainId: token.chainId,
      symbol: token.symbol,
      name: token.name,
      decimals: token.decimals,
      address: token.address,
      l1Address: layerOne.get(`${l1OfL2.get(token.chainId) ?? 1} ${token.extensions?.opTokenId}`)?.address ?? null,
    }))
    .toSorted(byText(({ chainId, symbol, address }) => `${String(chainId).padStart(12, '0')} ${symbol} ${address}`));
}

function l1ChainId(network: string): number {
  return configs.superchains.find((superchain) => superchain.network === network)?.l1ChainId ?? 1;
}

function isLayerOne(chainId: number): boolean {
  return configs.superchains.some((superchain) => superchain.l1ChainId === chainId);
}

function packageVersion(name: string): string {
  const text = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function writeData(name: string, data: unknown): void {
  writeFileSync(join(root, 'content', 'data', name), `${JSON.stringify(data, null, 1)}\n`);
}

function byText<T>(key: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b)));
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
