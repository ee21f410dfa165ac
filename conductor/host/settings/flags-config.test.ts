import { describe, expect, test } from 'vitest';
import { parseFlags } from '#conductor/cli/flags-parse';
import { runConfig, type RunConfig } from './flags-config.ts';

const needed = {
  'consensus.addr': '127.0.0.1',
  'consensus.port': '0',
  'raft.server.id': 'a',
  'raft.storage.dir': 'd',
  'node.rpc': 'http://n',
  'execution.rpc': 'http://e',
  'healthcheck.interval': '1',
  'healthcheck.unsafe-interval': '1',
  'healthcheck.min-peer-count': '1',
  network: 'op-mainnet',
};

function config(flags: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}): RunConfig {
  const words = Object.entries({ ...needed, ...flags }).map(([name, value]) => `--${name}=${value}`);
  return runConfig(parseFlags(words, env).values);
}

describe('addresses to listen on', () => {
  test('an empty --rpc.addr or variable is every interface', () => {
    for (const { rpc } of [config({ 'rpc.addr': '' }), config({}, { OP_CONDUCTOR_RPC_ADDR: '' })])
      expect(['::', '0.0.0.0']).toContain(rpc.hostname);
  });

  test('--consensus.addr takes an IPv6 address in brackets, as in Go', () => {
    expect(config({ 'consensus.addr': '[::1]' }).consensus.hostname).toBe('::1');
    expect(() => config({ 'consensus.addr': '[::]' })).toThrow(/not advertisable/);
  });
});

describe('URLs of the node', () => {
  test.each(['HTTP://127.0.0.1:1', 'Https://n'])('%s: schemes are read in any case', (url) => {
    expect(config({ 'node.rpc': url }).nodeUrl).toBe(url);
  });

  const peers = { 'healthcheck.execution-p2p-enabled': 'true', 'healthcheck.execution-p2p-min-peer-count': '1' };
  const names = ['node.rpc', 'execution.rpc', 'healthcheck.execution-p2p-rpc-url'];

  test.each(['ws://n', 'WSS://n'])('%s: a websocket is refused, naming what to give', (url) => {
    for (const name of names)
      expect(() => config({ ...peers, [name]: url })).toThrow(
        /websockets are not dialled here: give the HTTP endpoint/,
      );
  });

  test('a path of an IPC socket is, too', () => {
    for (const name of names)
      expect(() => config({ ...peers, [name]: '/data/geth.ipc' })).toThrow(
        /IPC is not dialled here: give the HTTP endpoint/,
      );
  });

  test('that of the execution client’s peers is its own or the client’s, and of no concern where nobody asks', () => {
    const url = 'healthcheck.execution-p2p-rpc-url';
    expect(config({ ...peers, [url]: 'http://p:1' }).executionPeersUrl).toBe('http://p:1');
    expect(config(peers).executionPeersUrl).toBe('http://e');
    expect(config({ [url]: 'ws://p:1' }).executionPeersUrl).toBe('http://e');
  });
});

test.each(['net', 'admin', ''])('peers of the execution client are counted by the API %j; none named is net', (api) => {
  const peers = { 'healthcheck.execution-p2p-enabled': 'true', 'healthcheck.execution-p2p-min-peer-count': '3' };
  const counted = { minCount: 3, api: api || 'net' };
  const name = 'healthcheck.execution-p2p-check-api';
  expect(config({ ...peers, [name]: api }).health.executionPeers).toEqual(counted);
  const env = { OP_CONDUCTOR_HEALTHCHECK_EXECUTION_P2P_CHECK_API: api };
  expect(config(peers, env).health.executionPeers).toEqual(counted);
  expect(() => config({ ...peers, [name]: 'eth' })).toThrow(/invalid el p2p check api: "eth"/);
});

test('a health check waits for an answer as long as its interval, and at least a second', () => {
  const timeoutMs = (interval: string): number => config({ 'healthcheck.interval': interval }).health.timeoutMs;
  expect(['1', '2', '10'].map(timeoutMs)).toEqual([1000, 2000, 10_000]);
});

describe('--rpc.body-limit', () => {
  test('has a least value, below which no call fits', () => {
    expect(config({ 'rpc.body-limit': '1024' }).rpc.bodyBytesMax).toBe(1024);
    for (const bytes of ['0', '1', '1023'])
      expect(() => config({ 'rpc.body-limit': bytes })).toThrow(`is ${bytes} bytes, want 1024 to 1073741824`);
  });

  test('has a largest, which is named without a number nobody wrote', () => {
    const largest = (): RunConfig => config({ 'rpc.body-limit': '18446744073709551615' });
    expect(largest).toThrow('--rpc.body-limit is above the largest, 1073741824 bytes');
    expect(largest).not.toThrow(/1844/);
  });
});

describe('the engine API', () => {
  const engine = { 'execution.engine-rpc': 'http://e:8551', 'execution.jwt-secret': '/jwt' };

  test('is off unless it is given, and then the leader validates', () => {
    expect(config({})).toMatchObject({ engine: null, validation: 'off', recoverMode: 'auto', l1Url: '' });
    expect(config(engine)).toMatchObject({
      engine: { url: 'http://e:8551', jwtSecretFile: '/jwt' },
      validation: 'leader',
    });
  });

  test('is given by variables, too', () => {
    const env = {
      OP_CONDUCTOR_EXECUTION_ENGINE_RPC: 'https://e',
      OP_CONDUCTOR_EXECUTION_JWT_SECRET: '/jwt',
      OP_CONDUCTOR_CONSENSUS_VALIDATE: 'Leader',
      OP_CONDUCTOR_SEQUENCER_RECOVER_MODE: 'off',
      OP_CONDUCTOR_L1_RPC: 'http://l1',
    };
    expect(config({}, env)).toMatchObject({
      engine: { url: 'https://e', jwtSecretFile: '/jwt' },
      validation: 'leader',
      recoverMode: 'off',
      l1Url: 'http://l1',
    });
    expect(config({}, { OP_CONDUCTOR_CONSENSUS_VALIDATE: '' }).validation).toBe('off');
  });

  test.each(['off', 'leader'])('--consensus.validate=%s is taken with it', (validation) => {
    expect(config({ ...engine, 'consensus.validate': validation }).validation).toBe(validation);
  });

  test('half of it is refused, with the other half named', () => {
    const { 'execution.engine-rpc': rpc, 'execution.jwt-secret': secret } = engine;
    expect(() => config({ 'execution.engine-rpc': rpc })).toThrow('needs --execution.jwt-secret');
    expect(() => config({ 'execution.jwt-secret': secret })).toThrow('needs --execution.engine-rpc');
  });

  test.each(['leader'])('--consensus.validate=%s without it is refused', (validation) => {
    expect(() => config({ 'consensus.validate': validation })).toThrow(
      `--consensus.validate=${validation} needs --execution.engine-rpc and --execution.jwt-secret`,
    );
    expect(config({ 'consensus.validate': 'off' }).validation).toBe('off');
  });

  test('addresses that cannot be dialled are refused, as the others', () => {
    expect(() => config({ ...engine, 'execution.engine-rpc': 'ws://e' })).toThrow(/websockets are not dialled here/);
    expect(() => config({ 'l1.rpc': 'l1:8545' })).toThrow(/failed to create l1 rpc client/);
  });

  test.each([
    'wss://l1.example/v3/secret',
    'wss://user:secret@l1.example',
    'http://l1.example:x/secret',
    'l1:8545/secret',
  ])('what may be secret in a URL that is refused, %s, is not printed', (url) => {
    expect(() => config({ 'l1.rpc': url })).toThrow(/l1/);
    expect(() => config({ 'l1.rpc': url })).not.toThrow(/secret/);
  });

  test.each(['consensus.validate', 'sequencer.recover-mode'])('--%s takes its words only', (name) => {
    expect(() => config({ ...engine, [name]: 'always' })).toThrow(/want one of /);
  });
});
