import { describe, expect, test } from 'vitest';
import { ConfigError } from '#conductor/core/errors';
import type { Values } from './config-values.ts';
import { parseFlags } from '#conductor/cli/flags-parse';
import { flashblocksConfig, rollupBoostOptions, rollupBoostUrl } from './rollup-boost-config.ts';

const limit = '--healthcheck.rollup-boost-partial-healthiness-tolerance-limit';
const window = '--healthcheck.rollup-boost-partial-healthiness-tolerance-interval-seconds';

function values(...words: string[]): Values {
  return parseFlags(['--consensus.addr=x', ...needed, ...words], {}).values;
}
const needed = [
  '--consensus.port=1',
  '--raft.server.id=a',
  '--raft.storage.dir=d',
  '--node.rpc=http://n',
  '--execution.rpc=http://user:pw@e:8551/',
  '--healthcheck.interval=1',
  '--healthcheck.unsafe-interval=1',
  '--healthcheck.min-peer-count=1',
];

describe('the health check of rollup-boost', () => {
  test('is off by default', () => {
    expect(rollupBoostOptions(values())).toBeNull();
    expect(rollupBoostUrl(values())).toBe('');
  });

  test('by status at the execution URL plus /healthz', () => {
    const on = values('--rollup-boost.enabled');
    expect(rollupBoostOptions(on)).toEqual({
      kind: 'status',
      timeoutMs: 5000,
      toleratedPartials: 0,
      toleranceWindowSeconds: 0,
    });
    expect(rollupBoostUrl(on)).toBe('http://user:pw@e:8551/healthz');
  });

  test('by field at its own URL, with timeout and tolerance', () => {
    const url = 'https://boost/health?x=1';
    const on = values(
      '--rollup-boost.next-enabled',
      `--rollup-boost.next-healthcheck-url=${url}`,
      '--rollup-boost.healthcheck-timeout=300ms',
      `${limit}=3`,
      `${window}=60`,
    );
    expect(rollupBoostOptions(on)).toEqual({
      kind: 'next',
      timeoutMs: 300,
      toleratedPartials: 3,
      toleranceWindowSeconds: 60,
    });
    expect(rollupBoostUrl(on)).toBe(url);
  });

  test('a timeout of 0, which is none in Go, is a minute; a negative one is refused', () => {
    const on = (timeout: string): Values =>
      values('--rollup-boost.enabled', `--rollup-boost.healthcheck-timeout=${timeout}`);
    expect(rollupBoostOptions(on('0s'))).toMatchObject({ timeoutMs: 60_000 });
    expect(rollupBoostOptions(on('10us'))).toMatchObject({ timeoutMs: 1 });
    expect(() => rollupBoostOptions(on('-1s'))).toThrow(ConfigError);
  });

  test('limit and window of the tolerance come together, also while the check is off', () => {
    expect(() => rollupBoostOptions(values(`${limit}=1`))).toThrow(/Either define both of them or none/);
    expect(() => rollupBoostOptions(values(`${window}=1`))).toThrow(/Either define both of them or none/);
  });

  test.each(['', 'boost:8080', 'ftp://boost/x', 'http://'])('the URL %j is refused', (url) => {
    const on = values('--rollup-boost.next-enabled', `--rollup-boost.next-healthcheck-url=${url}`);
    expect(() => rollupBoostUrl(on)).toThrow(ConfigError);
  });
});

describe('flashblocks', () => {
  test('are off without a source; the port is then not looked at', () => {
    expect(flashblocksConfig(values('--websocket.server-port=70000'))).toBeNull();
  });

  test('source, port and address', () => {
    expect(flashblocksConfig(values('--rollupboost.ws-url=wss://boost/ws'))).toEqual({
      sourceUrl: 'wss://boost/ws',
      hostname: '0.0.0.0',
      port: 8546,
    });
  });

  test.each(['ws', 'wss', 'http', 'https', 'HTTP'])(
    'the scheme %s is taken, as by the library of op-conductor',
    (scheme) => {
      const sourceUrl = `${scheme}://user:secret@boost:1111/ws`;
      expect(flashblocksConfig(values(`--rollupboost.ws-url=${sourceUrl}`))).toMatchObject({ sourceUrl });
    },
  );

  test.each(['boost:1111', 'ws://', 'ftp://x', 'http://', 'wshttp://boost'])('the source %j is refused', (url) => {
    expect(() => flashblocksConfig(values(`--rollupboost.ws-url=${url}`))).toThrow(
      /want a URL with ws, wss, http or https/,
    );
  });

  test('a refused source shows no credentials', () => {
    expect(() => flashblocksConfig(values('--rollupboost.ws-url=ftp://user:secret@x/'))).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') as string }),
    );
  });

  test.each(['-1', '65536'])('the port %s is refused', (port) => {
    const words = ['--rollupboost.ws-url=ws://x', `--websocket.server-port=${port}`];
    expect(() => flashblocksConfig(values(...words))).toThrow(/WebSocket server port invalid/);
  });
});
