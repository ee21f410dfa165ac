import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { rollupConfig } from '#conductor/dev-sequencer/chain-spec';
import { sections } from './finding.ts';
import { ownRpcUrl, readSettings } from './settings.ts';

function flags(more: Readonly<Record<string, string>> = {}): string[] {
  const file = join(temporaryDirectory(), 'rollup.json');
  const spec = { genesisTime: 1_700_000_000, blockSeconds: 2, chainId: 901 };
  writeFileSync(file, JSON.stringify(rollupConfig(spec, `0x${'a1'.repeat(32)}`)));
  const all = {
    'consensus.addr': '127.0.0.1',
    'consensus.port': '50050',
    'raft.server.id': 'node-1',
    'raft.storage.dir': '/raft',
    'node.rpc': 'http://op-node:9545',
    'execution.rpc': 'http://op-geth:8545',
    'healthcheck.interval': '1',
    'healthcheck.unsafe-interval': '5',
    'healthcheck.min-peer-count': '2',
    'rollup.config': file,
    'rpc.enable-admin': 'true',
    ...more,
  };
  return Object.entries(all).map(([name, value]) => `--${name}=${value}`);
}

const said = (words: readonly string[], environment: Record<string, string> = {}) =>
  readSettings(words, environment).findings.map(({ verdict, says }) => `${verdict}: ${says}`);

test('flags that would do are said to do', () => {
  const { findings, config, blockSeconds } = readSettings(flags(), {});
  expect(findings.map(({ verdict }) => verdict)).toEqual(['good', 'good']);
  expect(config?.serverId).toBe('node-1');
  expect(blockSeconds).toBe(2);
});

test.each([
  ['2', 'bad: --healthcheck.unsafe-interval is 2 s with blocks every 2 s: a sequencer that works'],
  ['3', 'warning: --healthcheck.unsafe-interval is 3 s with blocks every 2 s: one late block'],
  ['4', 'good: --healthcheck.unsafe-interval is 4 s'],
  ['6', 'good: --healthcheck.unsafe-interval is 6 s'],
  ['7', 'warning: --healthcheck.unsafe-interval is 7 s with blocks every 2 s: a stalled'],
])('an unsafe interval of %s s with blocks every 2 s', (seconds, expected) => {
  expect(said(flags({ 'healthcheck.unsafe-interval': seconds })).some((one) => one.startsWith(expected))).toBe(true);
});

test('one mistake does not hide the others: what can be read is used', () => {
  const words = flags({ paused: 'true' }).filter((word) => !word.startsWith('--node.rpc'));
  const { findings, values } = readSettings(words, { OP_CONDUCTOR_RPC_PROT: '1' });
  expect(findings[0]).toMatchObject({
    verdict: 'bad',
    says: expect.stringContaining('node.rpc is required') as string,
  });
  expect(findings[1]).toMatchObject({ verdict: 'warning', says: expect.stringContaining('RPC_PROT') as string });
  expect(values?.['raft.server.id']).toBe('node-1');
  expect(said(flags({ 'rollup.config': '/nowhere.json' }))[0]).toMatch(/^bad: failed to load rollup config/);
});

test('every setting that is wrong is said, and what does not depend on it is looked at', () => {
  const wrong = {
    'rpc.port': '99999',
    'raft.heartbeat-timeout': '10ms',
    'raft.lease-timeout': '5s',
    'healthcheck.min-peer-count': 'some',
    'consensus.tls.cert': 'cert.pem',
  };
  const { config, values } = readSettings([...flags(wrong), '--nonsense', '5', '--nonsens=6'], {
    OP_CONDUCTOR_PAUSED: 'perhaps',
  });
  expect(said([...flags(wrong), '--nonsense', '5', '--nonsens=6'], { OP_CONDUCTOR_PAUSED: 'perhaps' })).toEqual([
    expect.stringMatching(/^bad: flag provided but not defined: -nonsense/),
    expect.stringMatching(/^bad: flag provided but not defined: -nonsens/),
    expect.stringMatching(/^bad: invalid value "some" for flag -healthcheck.min-peer-count/),
    expect.stringMatching(/^bad: could not parse "perhaps"/),
    expect.stringMatching(/^bad: .*--rpc.port is 99999/),
    expect.stringMatching(/^bad: .*must be given together/),
    expect.stringMatching(/^bad: .*LeaderLeaseTimeout \(5s\) cannot be larger/),
  ]);
  expect(config).toMatchObject({ tls: undefined, raft: undefined, consensus: { port: 50050 } });
  expect(values === null || ownRpcUrl(values)).toBeNull();
  expect(said(flags({ 'rollup.config': '/nowhere.json', paused: 'true' }))).toContainEqual(
    expect.stringMatching(/^warning: --paused is set/),
  );
});

test('what is allowed and seldom meant is said', () => {
  expect(said(flags({ paused: 'true', 'rpc.enable-admin': 'false', 'raft.legacy-empty-store': 'true' }))).toEqual([
    expect.stringMatching(/^good/),
    expect.stringMatching(/^good/),
    expect.stringMatching(/^warning: --paused is set/),
    expect.stringMatching(/^warning: admin methods are off/),
    expect.stringMatching(/^warning: --raft.legacy-empty-store/),
  ]);
});

test.each([
  ['0.0.0.0', 'http://127.0.0.1:8545'],
  ['::', 'http://127.0.0.1:8545'],
  ['', 'http://127.0.0.1:8545'],
  ['[::1]', 'http://[::1]:8545'],
  ['node-1', 'http://node-1:8545'],
])('a conductor that listens on %j is asked at %s', (address, url) => {
  const { values } = readSettings(flags({ 'rpc.addr': address }), {});
  if (values === null) throw new Error('these flags can be read');
  expect(ownRpcUrl(values)).toBe(url);
});

test('the headings that advice links to are on the Conductor page', () => {
  const path = '../../../content/pages/builders/chain-operators/tools/op-conductor.mdx';
  const page = readFileSync(join(import.meta.dirname, path), 'utf8');
  const headings = [...page.matchAll(/^#{2,4} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  expect(headings).toEqual(expect.arrayContaining(Object.values(sections)));
});
