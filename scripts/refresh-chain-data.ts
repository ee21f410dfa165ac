/**
 * Refreshes content/data/chains.json and tokens.json, from which the address pages are built:
 * chain configurations from the superchain bundle inside the op-geth Go module, tokens from the
 * npm package @eth-optimism/tokenlist. Run it by hand when either has a new release, and commit
 * what it writes; the site itself is built without network.
 *
 *     bun scripts/refresh-chain-data.ts [superchain-configs.zip]
 *
 * Without an argument the module is fetched with Go.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tokenlist from '@eth-optimism/tokenlist';
import { strFromU8, unzipSync } from 'fflate';

const OP_GETH = 'github.com/ethereum-optimism/op-geth@v1.101702.3-rc.7';
const CONFIG_BYTES_MAX = 256 * 1024;
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
  readonly hardforks?: Readonly<Record<string, number>>;
  readonly genesis: { readonly l2_time: number; readonly system_config: { readonly batcherAddress: string } };
  readonly roles: Readonly<Record<string, string>>;
  readonly addresses: Readonly<Record<string, string>>;
}

interface SuperchainConfig {
  readonly name: string;
  readonly protocol_versions_addr?: string;
  readonly superchain_config_addr?: string;
  readonly l1: { readonly chain_id: number; readonly explorer: string };
}

const zipFile = process.argv[2] ?? join(goModuleFolder(OP_GETH), 'superchain', 'superchain-configs.zip');
const configs = readConfigs(zipFile);
writeData('chains.json', {
  source: `superchain-configs.zip of the Go module ${OP_GETH}`,
  date: today(),
  superchains: configs.superchains,
  chains: configs.chains,
});
writeData('tokens.json', {
  source: `npm package @eth-optimism/tokenlist ${packageVersion('@eth-optimism/tokenlist')}, list of ${tokenlist.timestamp.slice(0, 10)}`,
  date: today(),
  tokens: readTokens(),
});

function readConfigs(file: string) {
  const entries = unzipSync(readFileSync(file), {
    filter: ({ name, originalSize }) => /^configs\/[^/]+\/[^/]+\.toml$/.test(name) && originalSize <= CONFIG_BYTES_MAX,
  });
  const superchains = new Map<string, SuperchainConfig>();
  const chains: { network: string; id: string; config: ChainConfig }[] = [];
  for (const [path, bytes] of Object.entries(entries)) {
    const [, network = '', fileName = ''] = path.split('/');
    const id = fileName.replace(/\.toml$/, '');
    const config: unknown = Bun.TOML.parse(strFromU8(bytes));
    if (id === 'superchain') superchains.set(network, config as SuperchainConfig);
    else chains.push({ network, id, config: config as ChainConfig });
  }
  return {
    superchains: [...superchains].toSorted(byText(([network]) => network)).map(([network, config]) => ({
      network,
      name: config.name,
      l1ChainId: config.l1.chain_id,
      l1Explorer: config.l1.explorer,
      superchainConfig: config.superchain_config_addr ?? null,
      protocolVersions: config.protocol_versions_addr ?? null,
    })),
    chains: chains.toSorted(byText(({ network, config }) => `${network} ${config.name}`)).map(describeChain),
  };
}

function describeChain({ network, id, config }: { network: string; id: string; config: ChainConfig }) {
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
    batcher: config.genesis.system_config.batcherAddress,
    dataAvailability: config.data_availability_type,
    governedByOptimism: config.governed_by_optimism ?? false,
    genesisTime: config.genesis.l2_time,
    hardforkTimes: config.hardforks ?? {},
    roles: config.roles,
    addresses: config.addresses,
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

function goModuleFolder(module: string): string {
  const output = execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' });
  return (JSON.parse(output) as { Dir: string }).Dir;
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
