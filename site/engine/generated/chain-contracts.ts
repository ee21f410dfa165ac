/**
 * The L1 contracts and roles of chains as tables. What belongs together stands together, in the order
 * in which readers ask for it: bridge, proofs, settings, roles.
 */
import { chainsOf, filtered, type Chain, type Chains } from './chains.ts';
import { readContentData, sourceNote } from './content-data.ts';
import type { Generator } from './generator.ts';
import { code, prose, table } from './mdx-text.ts';

/** Names that the registry uses, by what they are part of. Whatever else it may name comes last. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  Bridge: [
    'OptimismPortalProxy',
    'L1StandardBridgeProxy',
    'L1CrossDomainMessengerProxy',
    'L1ERC721BridgeProxy',
    'OptimismMintableERC20FactoryProxy',
    'EthLockboxProxy',
  ],
  Proofs: [
    'DisputeGameFactoryProxy',
    'AnchorStateRegistryProxy',
    'DelayedWETHProxy',
    'FaultDisputeGame',
    'PermissionedDisputeGame',
    'MIPS',
    'PreimageOracle',
    'L2OutputOracleProxy',
  ],
  Settings: ['SystemConfigProxy', 'SuperchainConfig', 'ProxyAdmin', 'AddressManager', 'BatchInbox'],
  Roles: [
    'ProxyAdminOwner',
    'SystemConfigOwner',
    'Guardian',
    'Challenger',
    'Proposer',
    'BatchSubmitter',
    'UnsafeBlockSigner',
  ],
};

/** As many characters fit beside an address on a phone. */
const NAME_LENGTH_MAX = 10;

/** In order: the name of each, and its part. */
const KNOWN: readonly (readonly [name: string, part: string])[] = Object.entries(PARTS).flatMap(([part, names]) =>
  names.map((name) => [name, part] as const),
);

/**
 * L1 contracts and roles of every chain of `network`; or of the one that `chain` names, in a table for each part,
 * where each name leads to the explorer of the chain that has the contract.
 */
export const contracts: Generator = ({ network = 'mainnet', chain: only }) => {
  const data = readContentData<Chains>('chains.json');
  const chains = chainsOf(data, network).filter(({ name }) => only === undefined || name === only);
  if (chains.length === 0) throw new Error(`there is no chain ${only ?? ''} in the network ${network}`);
  if (only === undefined) {
    const rows = chains.flatMap((chain) =>
      rowsOf(chain).map(([name, , address]) => [prose(chain.name), breakable(name), code(address)]),
    );
    return filtered('Filter contracts', table(['Chain', 'Contract or role', 'Address'], rows), data, { fold: true });
  }
  const rows = chains.flatMap(rowsOf);
  const explorer = network === 'mainnet' ? 'https://etherscan.io' : 'https://sepolia.etherscan.io';
  const tables = [...Map.groupBy(rows, ([, part]) => part)].map(([part, of]) =>
    table(
      [part, 'Address'],
      of.map(([name, , address]) => [`[${breakable(name)}](${explorer}/address/${address})`, code(address)]),
    ),
  );
  return `${tables.join('\n\n')}\n\n${sourceNote(data)}`;
};

/** A long name may be broken between its words: the address beside it is then seen whole. */
function breakable(name: string): string {
  return name.length > NAME_LENGTH_MAX ? name.replace(/(?<=[a-z0-9])(?=[A-Z][a-z])/g, '<wbr />') : name;
}

function rowsOf({ addresses, roles, batchInbox }: Chain): [name: string, part: string, address: string][] {
  const all: Readonly<Record<string, string>> = { ...addresses, BatchInbox: batchInbox, ...roles };
  const known = KNOWN.flatMap(([name, part]) => (all[name] === undefined ? [] : [[name, part] as const]));
  const names = new Set(KNOWN.map(([name]) => name));
  const others = Object.keys(all).flatMap((name) => (names.has(name) ? [] : [[name, 'Other'] as const]));
  return [...known, ...others].map(([name, part]) => [name, part, all[name] ?? '']);
}
