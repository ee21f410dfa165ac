import { beforeEach, describe, expect, test } from 'vitest';
import { parseFlags } from '#conductor/cli/flags-parse';
import { ConfigError } from '#conductor/core/errors';
import { Reload } from './reload.ts';
import type { Values } from './settings/config-values.ts';

const needed = [
  '--consensus.addr=127.0.0.1',
  '--consensus.port=0',
  '--raft.server.id=a',
  '--raft.storage.dir=/nowhere',
  '--node.rpc=http://127.0.0.1:1',
  '--execution.rpc=http://127.0.0.1:2',
  '--healthcheck.interval=1',
  '--healthcheck.unsafe-interval=5',
  '--healthcheck.min-peer-count=1',
  '--network=op-mainnet',
];
const values = (...words: string[]): Values => parseFlags([...needed, ...words], {}).values;
/** As with a file, which is not read here. */
const withFile = (...words: string[]): Values => ({ ...values(...words), config: 'c.yaml' });

let lines: string[] = [];
beforeEach(() => void (lines = []));

function reload(before: Values, read: () => Values): () => void {
  const logger = {
    log: (level: string, message: string, fields = {}) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
  };
  const setLevel = (level: string): void => void lines.push(`level ${level}`);
  const holder = { reload: () => void lines.push('files') };
  const one = new Reload({ values: before, logger, read, setLevel });
  return () => one.run([null, holder]);
}

describe('SIGHUP', () => {
  test('without a file of options has the other files read, and nothing else', () => {
    reload(values(), () => expect.fail('there is nothing to read'))();
    expect(lines).toEqual(['files', expect.stringMatching(/^info received SIGHUP: .*"config":"none"/)]);
  });

  test.each([
    ['INFO', 'debug', ['level debug', 'info the log level has changed {"from":"info","to":"debug"}']],
    ['DEBUG', 'warn', ['info the log level has changed {"from":"debug","to":"warn"}', 'level warn']],
  ])('takes another log level at once, %s to %s, in a line that is seen, and once', (from, to, said) => {
    const again = reload(withFile(`--log.level=${from}`), () => withFile(`--log.level=${to}`));
    again();
    expect(lines.slice(0, 2)).toEqual(said);
    lines = [];
    again();
    expect(lines).toEqual(['files', expect.stringMatching(/^info received SIGHUP/)]);
  });

  test('names what needs a restart, every time', () => {
    const again = reload(withFile(), () => withFile('--rpc.port=9999', '--paused'));
    for (let each = 0; each < 2; each += 1) {
      lines = [];
      again();
      expect(lines[0]).toMatch(
        /^warn options have changed .*restart to apply them .*"(paused rpc\.port|rpc\.port paused)"/,
      );
    }
  });

  test.each<[string, () => Values]>([
    [
      'cannot be read',
      () => {
        throw new ConfigError('line 3: no');
      },
    ],
    ['cannot work', () => withFile('--log.level=debug', '--rpc.port=99999')],
  ])('takes nothing of a file that %s, and says why', (_, read) => {
    reload(withFile(), read)();
    expect(lines).toEqual([
      expect.stringMatching(
        /^warn the configuration cannot be used as it is now.*"err":"(line 3|invalid config: .*99999)/,
      ),
      'files',
      expect.stringMatching(/^info received SIGHUP/),
    ]);
  });
});
