import { describe, expect, test } from 'vitest';
import { ConfigError } from '#conductor/core/errors';
import { parseFlags } from './flags-parse.ts';
import { UsageError } from './typed-value.ts';
import { flagTable } from './flags.ts';

const required = flagTable.filter((flag) => flag.isRequired).map((flag) => `--${flag.name}=1`);

function read(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return parseFlags([...required, ...args], env).values;
}

describe('the command line, as Go reads it', () => {
  test('one dash or two, with = or the next word', () => {
    for (const args of [['-rpc.port=99'], ['--rpc.port=99'], ['-rpc.port', '99'], ['--rpc.port', '99']])
      expect(read(args)['rpc.port']).toBe(99);
  });
  test('booleans stand alone or take = ; the next word is not theirs', () => {
    expect(read(['--paused'])['paused']).toBe(true);
    expect(read(['--paused=F'])['paused']).toBe(false);
    expect(() => read(['--paused', 'false'])).toThrow(/"false" is neither .* write --paused=false/);
    expect(() => read(['--paused='])).toThrow('invalid boolean value "" for -paused: parse error');
  });
  test('booleans and choices are read in any case', () => {
    expect(read(['--paused=tRUE'])['paused']).toBe(true);
    expect(read(['--log.format=JSON'])['log.format']).toBe('json');
  });
  test('log levels have the short words of op-conductor, too', () => {
    const level = (word: string): unknown => read([`--log.level=${word}`])['log.level'];
    expect(['trce', 'DBUG', 'eror'].map(level)).toEqual(['trace', 'debug', 'error']);
  });
  test('the last of equal flags counts; values may hold = and dashes', () => {
    expect(read(['--raft.storage.dir=a', '--raft.storage.dir=--b=c'])['raft.storage.dir']).toBe('--b=c');
    expect(read(['--raft.storage.dir', '-x'])['raft.storage.dir']).toBe('-x');
  });
  test.each([
    [['-=x'], 'bad flag syntax: -=x'],
    [['---x'], 'bad flag syntax: ---x'],
    [['--consensus.adr=x'], 'flag provided but not defined: -consensus.adr (did you mean --consensus.addr?)'],
    [['--rpc.port'], 'flag needs an argument: -rpc.port'],
    [['--rpc.port=x'], 'invalid value "x" for flag -rpc.port: parse error'],
    [
      ['--rpc.port=99999999999999999999'],
      'invalid value "99999999999999999999" for flag -rpc.port: value out of range',
    ],
    [['--raft.snapshot-interval=3000000h'], '-raft.snapshot-interval: parse error'],
    [['--log.level=loud'], 'invalid value "loud" for flag -log.level: unknown level: loud'],
    [['--log.format=xml'], 'unrecognized log-format: "xml"'],
    [['--pprof.type=x'], 'unknown profile type: "x"'],
    [['stray'], '"stray" is neither a flag nor a command'],
    [['-'], '"-" is neither a flag nor a command'],
    [['--', '--paused'], '"--paused" is neither a flag nor a command'],
  ])('%j is refused', (args, message) => {
    expect(() => read(args)).toThrow(UsageError);
    expect(() => read(args)).toThrow(message);
  });
  test('-- alone ends the flags; a mistyped command is recognised', () => {
    expect(read(['--paused', '--'])['paused']).toBe(true);
    expect(() => parseFlags(['devnt'], {}, ['devnet', 'version'])).toThrow('did you mean devnet?');
  });
  test('help and version are asked for anywhere, whatever is missing', () => {
    expect(parseFlags(['--paused', '-h'], {}).wantsHelp).toBe(true);
    expect(parseFlags(['--version'], {}).wantsVersion).toBe(true);
  });
  test('all missing flags are named at once', () => {
    expect(() => parseFlags([], {})).toThrow(ConfigError);
    expect(() => parseFlags([], {})).toThrow(
      /flag consensus.addr is required .*flag healthcheck.min-peer-count is required/,
    );
  });
});

describe('variables', () => {
  test('an empty one is an empty text, a false boolean, and no number, duration or choice', () => {
    const env = {
      OP_CONDUCTOR_CONSENSUS_ADVERTISED: '',
      OP_CONDUCTOR_RPC_ENABLE_PROXY: '',
      OP_CONDUCTOR_RPC_PORT: '',
      OP_CONDUCTOR_RAFT_HEARTBEAT_TIMEOUT: '',
      OP_CONDUCTOR_LOG_LEVEL: '',
      OP_CONDUCTOR_NETWORK: '',
    };
    const values = read([], env);
    expect(values['rpc.enable-proxy']).toBe(false);
    expect([values['rpc.port'], values['raft.heartbeat-timeout'], values['log.level']]).toEqual([8545, 1000, 'INFO']);
    expect(values['network']).toBe('');
    const others = required.filter((word) => !word.startsWith('--raft.server.id='));
    expect(parseFlags(others, { OP_CONDUCTOR_RAFT_SERVER_ID: '' }).values['raft.server.id']).toBe('');
  });
  test.each([
    [
      'OP_CONDUCTOR_RPC_PORT',
      'abc',
      'as int value from environment variable "OP_CONDUCTOR_RPC_PORT" for flag rpc.port: strconv.ParseInt: parsing "abc": invalid syntax',
    ],
    ['OP_CONDUCTOR_RAFT_TRAILING_LOGS', '-1', 'strconv.ParseUint: parsing "-1": invalid syntax'],
    ['OP_CONDUCTOR_RPC_PORT', '99999999999999999999', 'value out of range'],
    ['OP_CONDUCTOR_PAUSED', 'maybe', 'strconv.ParseBool: parsing "maybe": invalid syntax'],
    ['OP_CONDUCTOR_RAFT_SNAPSHOT_INTERVAL', '10', 'time: missing unit in duration "10"'],
    [
      'OP_CONDUCTOR_LOG_LEVEL',
      'loud',
      'could not parse "loud" from environment variable "OP_CONDUCTOR_LOG_LEVEL" as value for flag log.level: unknown level: loud',
    ],
  ])('%s=%s is refused, even beside a flag', (name, value, message) => {
    expect(() => read([], { [name]: value })).toThrow(UsageError);
    expect(() => read(['--rpc.port=1', '--paused'], { [name]: value })).toThrow(message);
  });
  test('with our prefix and no flag they are noticed', () => {
    const env = { OP_CONDUCTOR_FOO: '1', OTHER: '1', OP_CONDUCTOR_PAUSED: 'true' };
    expect(parseFlags(required, env).unknownVariables).toEqual(['OP_CONDUCTOR_FOO']);
  });
});
