/** Generated reference texts: complete, unambiguous, and with nothing that MDX would read as markup of its own. */
import { describe, expect, test } from 'vitest';
import { flagTable } from '#conductor/cli/flags';
import { metricTable } from '#conductor/core/metrics';
import { methodTable } from '#conductor/core/rpc/methods';
import { methodOrder } from './conductor-methods.ts';
import { readContentData, type Dated } from './content-data.ts';
import { fence, prose, table } from './mdx-text.ts';
import { generators } from './registry.ts';

function written(from: string, attributes: Record<string, string> = {}): string {
  return generators[from]?.(attributes) ?? '';
}

const headings = (text: string): string[] => [...text.matchAll(/^#### (.+)$/gm)].map(([, heading]) => heading ?? '');

describe('texts of tables', () => {
  test('markup in them is escaped, identifiers are set as code', () => {
    expect(prose('answers {id, addr} to <you> with --rpc.auth.* and -32601, see conductor_pause')).toBe(
      'answers \\{id, addr\\} to \\<you\\> with `--rpc.auth.*` and `-32601`, see `conductor_pause`',
    );
  });

  test('a pipe stays inside of its cell, a fence is longer than those inside of it', () => {
    expect(
      table(['a'], [['x|y']])
        .split('\n')
        .at(-1),
    ).toBe('| x\\|y |');
    expect(fence('text', '```')).toBe('````text\n```\n````');
  });
});

interface Registry extends Dated {
  readonly chains: readonly {
    readonly name: string;
    readonly chainId: number;
    readonly batchInbox: string;
    readonly addresses: Readonly<Record<string, string>>;
    readonly roles: Readonly<Record<string, string>>;
  }[];
}

describe('the tables of chains', () => {
  test('have every chain of the registry data once', () => {
    const rows = ['mainnet', 'sepolia', 'other'].flatMap((network) => [
      ...written('chains/networks', { network }).matchAll(/^\| [^|]+ \| `(\d+)` \|/gm),
    ]);
    const { chains } = readContentData<Registry>('chains.json');
    expect(rows.map(([, id]) => Number(id)).toSorted()).toEqual(chains.map(({ chainId }) => chainId).toSorted());
  });

  test('have every contract and role of every chain, each once', () => {
    const all = ['mainnet', 'sepolia', 'other']
      .map((network) => written('chains/contracts', { network }))
      .join('\n')
      .replaceAll('<wbr />', '');
    const rows = [...all.matchAll(/^\| (.+) \| (\w+) \| `(0x[0-9a-fA-F]{40})` \|$/gm)].map((row) =>
      row.slice(1).join(' '),
    );
    const { chains } = readContentData<Registry>('chains.json');
    const wanted = chains.flatMap(({ name, addresses, roles, batchInbox }) =>
      Object.entries({ ...addresses, ...roles, BatchInbox: batchInbox }).map(
        ([of, at]) => `${prose(name)} ${of} ${at}`,
      ),
    );
    expect(rows.toSorted()).toEqual(wanted.toSorted());
    for (const { addresses } of chains) expect(addresses).toHaveProperty('L1CrossDomainMessengerProxy');
  });

  test('of one chain are a table for each part, in which long names can be broken', () => {
    const text = written('chains/contracts', { network: 'mainnet', chain: 'OP Mainnet' });
    const parts = [...text.matchAll(/^\| (\w+) \| Address \|$/gm)].map(([, part]) => part);
    expect(parts).toEqual(['Bridge', 'Proofs', 'Settings', 'Roles']);
    expect(text).toContain(
      '| [L1<wbr />Cross<wbr />Domain<wbr />Messenger<wbr />Proxy](https://etherscan.io/address/0x25ace71c97B33Cc4729CF772ae268934F7ab5fA1) | `0x25ace71c97B33Cc4729CF772ae268934F7ab5fA1` |',
    );
    expect(text).toMatch(/^\| \[BatchInbox\]\(.+\) \| `0xFF00000000000000000000000000000000000010` \|$/m);
    expect(text).toMatch(
      /Unsafe<wbr \/>Block<wbr \/>Signer\]\(.+\) \| `0xAAAA45d9549EDA09E70937013520214382Ffc4A2` \|$/m,
    );
    expect(written('chains/contracts', { network: 'sepolia', chain: 'OP Sepolia Testnet' })).toContain(
      '(https://sepolia.etherscan.io/address/0x',
    );
    expect(() => written('chains/contracts', { chain: 'No Chain' })).toThrow('No Chain');
  });
});

describe('the reference of the Conductor page', () => {
  test('has every flag once, by its name', () => {
    expect(headings(written('conductor/flags')).toSorted()).toEqual(
      flagTable.map(({ name }) => `\`--${name}\``).toSorted(),
    );
  });

  test('has every method once, by its name', () => {
    expect(headings(written('conductor/methods')).toSorted()).toEqual(
      methodOrder.map((name) => `\`${name}\``).toSorted(),
    );
    expect(methodOrder.toSorted()).toEqual(methodTable.map(({ name }) => name).toSorted());
  });

  test('has every metric in one of its two tables', () => {
    const both = written('conductor/metrics', { which: 'inherited' }) + written('conductor/metrics', { which: 'own' });
    for (const { name } of metricTable) expect(both.split(`\`op_conductor_${name}\``)).toHaveLength(2);
  });

  test('differences keep no references to numbered rules', () => {
    for (const of of ['answers', 'starts', 'behaviour']) {
      const text = written('conductor/differences', { of });
      expect(text.split('\n').length).toBeGreaterThan(5);
      expect(text).not.toMatch(/\(rules? \d/);
    }
  });

  test('a wrong attribute is answered with a sentence', () => {
    expect(() => written('conductor/metrics')).toThrow('which="inherited"');
    expect(() => written('conductor/differences', { of: 'x' })).toThrow('answers, starts, behaviour');
    expect(() => written('recorded/output')).toThrow('needs page and of');
  });
});
