/** What pages say in prose and by hand about the Superchain registry is what the data taken from it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Chain {
  readonly network: string;
  readonly name: string;
  readonly chainId: number;
  readonly publicRpc: string;
  readonly explorer: string;
  readonly dataAvailability: string;
  readonly governedByOptimism: boolean;
  readonly roles: Readonly<Record<string, string>>;
}

const content = join(import.meta.dirname, '..', '..', 'content');
const text = (path: string): string => readFileSync(join(content, path), 'utf8');
const page = (route: string): string => text(`pages/${route}.mdx`);
const { chains, date } = JSON.parse(text('data/chains.json')) as { chains: readonly Chain[]; date: string };
const on = (network: string): readonly Chain[] => chains.filter((chain) => chain.network === network);
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

describe('what pages say about the registry', () => {
  test('how many chains it has, and which are governed by Optimism', () => {
    const otherLayers = chains.filter(({ dataAvailability }) => dataAvailability !== 'eth-da').length;
    expect(page('stack/components')).toContain(`${otherLayers} of the ${chains.length} chains in the registry`);
    const [mainnet, sepolia] = [on('mainnet'), on('sepolia')];
    expect(page('stack/getting-started')).toContain(
      `On ${date} it held ${mainnet.length} chains on Ethereum mainnet and ${sepolia.length} on Sepolia`,
    );
    const governed = mainnet.filter(({ governedByOptimism }) => governedByOptimism).map(({ name }) => name);
    const names = `${governed.slice(0, -1).join(', ')} and ${governed.at(-1)}`;
    expect(page('stack/explainer')).toContain(
      `On ${date}, ${NUMBERS[governed.length]} of ${mainnet.length} mainnet chains had it: ${names}.`,
    );
  });

  test('as of which day', () => {
    for (const route of ['stack/components', 'stack/interop/explainer', 'stack/interop/devnet']) {
      expect(page(route)).toContain(date);
    }
  });

  test('which devnet it has, and how to reach it', () => {
    const devnets = chains.filter(({ network }) => network !== 'mainnet' && network !== 'sepolia');
    expect(devnets.map(({ name }) => name)).toEqual(['sepolia-devnet-2']);
    for (const { name, chainId, publicRpc } of devnets) {
      expect(page('stack/interop/devnet')).toContain(`| Name | \`${name}\` |\n| Chain ID | \`${chainId}\` |`);
      expect(page('stack/interop/devnet')).toContain(`| Public RPC | \`${publicRpc}\` |`);
    }
  });

  test.each([
    ['OP Mainnet', 'mainnet', 'OP Mainnet'],
    ['OP Sepolia', 'sepolia', 'OP Sepolia Testnet'],
  ])('how to reach %s, and who holds its roles', (heading, network, name) => {
    const chain = on(network).find((one) => one.name === name);
    const [, section = ''] = page('chain/networks').split(`\n## ${heading}\n`);
    const [table = ''] = section.split('\n## ');
    expect(table).toContain(`| Explorer | [${chain?.explorer.replace('https://', '')}](${chain?.explorer}) |`);
    expect(table).toContain(`| Chain ID | \`${chain?.chainId}\` |`);
    expect(table).toContain(`| Public RPC | \`${chain?.publicRpc}\` |`);
    const roles = parse(text('data/privileged-roles-table.yaml')) as {
      groups: readonly { id: string; rows: readonly (readonly [string, string, string])[] }[];
    };
    const shown = (roles.groups.find(({ id }) => id === network)?.rows ?? []).map(
      ([role, address]) => `${role.match(/^\[?([^\],]+)/)?.[1]}: ${address}`,
    );
    const wanted = {
      ProxyAdminOwner: 'L1 proxy admin owner',
      SystemConfigOwner: 'System config owner',
      Guardian: 'Guardian',
      Challenger: 'Challenger',
      Proposer: 'Proposer',
      BatchSubmitter: 'Batcher',
      UnsafeBlockSigner: 'Unsafe block signer',
    };
    for (const [role, label] of Object.entries(wanted)) expect(shown).toContain(`${label}: \`${chain?.roles[role]}\``);
  });
});
