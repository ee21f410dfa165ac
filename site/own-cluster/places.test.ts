import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clusterOf, numbered, readCluster, usualPorts, type OwnCluster } from './cluster.ts';
import { filledIn, hasPlaces, placesIn, type Setting } from './places.ts';

const server = (id: string, host: string) => ({ id, conductor: host, node: `${host}-n`, client: `${host}-c` });
const addresses = { sequencer: '', l1: '', beacon: '' };
const odd: OwnCluster = {
  servers: [server('paris', 'par.example'), server('rome', '10.0.0.7'), server('oslo', 'osl.example')],
  ports: { ...usualPorts, conductor: 18_547, node: 19_545 },
  network: 'unichain-mainnet',
  addresses,
};
const even: OwnCluster = {
  ...odd,
  servers: [0, 1, 2, 3, 4].map((number) => server(`seq-a${number}`, `c-${number}.prod`)),
};
const ROUTE = '/builders/chain-operators/tools/op-conductor';

function fill(text: string, setting: Partial<Setting> = {}): string {
  return filledIn(text, { cluster: odd, at: 0, route: ROUTE, kind: 'command', ...setting });
}

describe('the reader’s servers in the commands of a page', () => {
  it('take the places of those that the page names, with their ports', () => {
    expect(
      fill('cast rpc conductor_addServerAsVoter sequencer-0 conductor-0:50050 0 --rpc-url http://conductor-1:8547'),
    ).toBe('cast rpc conductor_addServerAsVoter paris par.example:50050 0 --rpc-url http://10.0.0.7:18547');
    expect(fill("OP_CONDUCTOR_CONSENSUS_ADVERTISED: '<conductor>:50050'", { at: 2 })).toContain("'osl.example:50050'");
    expect(fill('ssh sequencer-1 journalctl')).toBe('ssh 10.0.0.7 journalctl');
    expect(fill('http://conductor-0:8547,http://conductor-1:8547,http://conductor-2:8547', { cluster: even })).toBe(
      [0, 1, 2, 3, 4].map((number) => `http://c-${number}.prod:18547`).join(','),
    );
  });

  it('are gone through by number, by a function where their names have no order', () => {
    const loop = 'for n in 0 1 2; do cast rpc conductor_paused --rpc-url http://conductor-$n:8547; done';
    expect(fill(loop, { cluster: even })).toBe(
      'for n in 0 1 2 3 4; do cast rpc conductor_paused --rpc-url http://c-${n}.prod:18547; done',
    );
    expect(fill(loop)).toBe(
      'conductor_of() { case $1 in 0) echo par.example;; 1) echo 10.0.0.7;; 2) echo osl.example;; esac; }\n' +
        'for n in 0 1 2; do cast rpc conductor_paused --rpc-url http://$(conductor_of $n):18547; done',
    );
    expect(numbered(['n1', 'n2'], 'x')).toBe('n$((n + 1))');
    expect(numbered(['10.0.0.10', '10.1.0.10'], 'x')).toBe('10.${n}.0.10');
  });

  it('stand for a loopback address where the page is about running a server, the chosen one first', () => {
    expect(fill('http://127.0.0.1:8547 http://127.0.0.1:8548', { at: 1 })).toBe(
      'http://10.0.0.7:18547 http://osl.example:18547',
    );
    const route = '/builders/node-operators/json-rpc';
    expect(fill('--rpc-url http://127.0.0.1:9545', { route })).toBe('--rpc-url http://par.example-n:19545');
    expect(fill('http://127.0.0.1:8547', { route: '/stack/interop/supersim' })).toBe('http://127.0.0.1:8547');
  });

  it('are the chosen one alone where a page is gone through on each', () => {
    const command = 'conductor import --raft.server.id=sequencer-1';
    expect(fill(command, { route: '/conductor/migration', at: 2 })).toBe('conductor import --raft.server.id=oslo');
  });

  it('are named by the first command of a runbook, which knows them from a file elsewhere', () => {
    const route = '/conductor/runbooks/leadership';
    const asked = fill('conductor status\nconductor status | grep x\nconductor status-page', { route });
    const servers = 'paris=http://par.example:18547,rome=http://10.0.0.7:18547,oslo=http://osl.example:18547';
    expect(asked).toBe(
      `conductor status --rpc ${servers}\nconductor status --rpc ${servers} | grep x\nconductor status-page`,
    );
    expect(fill('conductor status', { route: '/conductor/operators-tool' })).toBe('conductor status');
    expect(fill('--data-dir /var/lib/conductor/sequencer-1', { route, kind: 'name' })).toBe(
      '--data-dir /var/lib/conductor/rome',
    );
  });

  it('keep network and sequencer together: both are filled in, or neither', () => {
    const command = 'op-reth node --chain=op-mainnet --rollup.sequencer=https://mainnet-sequencer.optimism.io';
    const route = '/builders/node-operators/configuration/base-config';
    expect(fill(command, { route })).toBe(command);
    expect(
      fill(command, { route, cluster: { ...odd, addresses: { ...addresses, sequencer: 'https://s.example' } } }),
    ).toBe('op-reth node --chain=unichain-mainnet --rollup.sequencer=https://s.example');
    expect(fill(command, { route, cluster: { ...odd, network: 'op-sepolia' } })).toBe(
      'op-reth node --chain=op-sepolia --rollup.sequencer=https://sepolia-sequencer.optimism.io',
    );
    expect(fill('op-node --network=op-mainnet', { route: '/builders/node-operators/tutorials/mainnet' })).toContain(
      'op-mainnet',
    );
  });

  it('leave what they do not know, and what only looks like a name', () => {
    expect(fill('cast rpc x --rpc-url http://conductor-7:8547')).toContain('conductor-7:8547');
    for (const text of ['op-conductor-0', 'conductor-0.conductor.svc', 'xnode-1', 'conductor-$node'])
      expect(fill(text)).toBe(text);
    expect(fill('for each `conductor-$n`', { kind: 'name' })).toContain('conductor-$n');
  });

  it('are valid shell in every command of the site, and no name of the page is left', () => {
    const blocks = shellBlocks();
    const filled = blocks.flatMap(({ route, text }) => {
      return [odd, even].flatMap((cluster) => {
        const setting: Setting = { cluster, at: 0, route, kind: 'command' };
        return placesIn(text, setting).length === 0 ? [] : [filledIn(text, setting)];
      });
    });
    expect(filled.length).toBeGreaterThan(80);
    for (const text of filled)
      expect(text).not.toMatch(/\b(?:op-node|op-geth|(?<!op-)conductor)-(?:[0-2]|\$n)(?![\w-])/);
    // One shell reads them all, each as a function of its own.
    const functions = filled.map((text, at) => `f${at}() {\n:\n${text}\n}`).join('\n');
    const parsed = Bun.spawnSync(['bash', '-n'], { stdin: new TextEncoder().encode(functions) });
    expect(parsed.stderr.toString()).toBe('');
    expect(hasPlaces(['npm start'], ROUTE)).toBe(false);
  });
});

describe('what is kept of the reader’s servers', () => {
  it('is read back as it was stored', () => {
    expect(readCluster(JSON.stringify(even))).toEqual(even);
  });

  it.each([
    ['a shell’s words', { ...odd, servers: [{ ...server('a', 'h'), conductor: 'h;reboot' }] }],
    ['a substitution', { ...odd, servers: [{ ...server('a', 'h'), id: '$(id)' }] }],
    ['a quote', { ...odd, addresses: { ...addresses, l1: "http://a'" } }],
    ['no server', { ...odd, servers: [] }],
    ['no port', { ...odd, ports: { ...usualPorts, node: 70_000 } }],
    ['a line feed', { ...odd, network: 'op\nmainnet' }],
    ['text', 'servers'],
  ])('is nothing where it holds %s', (_, value) => {
    expect(clusterOf(value)).toBeNull();
    expect(readCluster('{')).toBeNull();
  });
});

function shellBlocks(): { readonly route: string; readonly text: string }[] {
  const files = readdirSync('content/pages', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.mdx'),
  );
  return files.flatMap((name) => {
    const route = `/${name.replace(/(\/?index)?\.mdx$/, '')}`;
    const text = readFileSync(`content/pages/${name}`, 'utf8');
    return [...text.matchAll(/^( *)```sh(?! output)[^\n]*\n([\s\S]*?)^ *```$/gm)].map(([, , code = '']) => ({
      route,
      text: code,
    }));
  });
}
