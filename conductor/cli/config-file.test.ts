import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseConfig, readConfigFile } from './config-file.ts';
import { envNameOf, type FlagType } from './flags/definition.ts';
import { flagTable } from './flags.ts';
import { parseFlags } from './flags-parse.ts';

const folder = mkdtempSync(join(tmpdir(), 'conductor-config-'));
afterAll(() => rmSync(folder, { recursive: true }));
const names = flagTable.map(({ name }) => name);
let files = 0;

function write(content: string | Uint8Array): string {
  const path = join(folder, `${(files += 1)}.yaml`);
  writeFileSync(path, content);
  return path;
}

const parse = (text: string) => parseConfig(text, 'c.yaml', names);
const texts = (text: string): Record<string, string> =>
  Object.fromEntries([...parse(text).entries].map(([name, entry]) => [name, entry.text]));

describe('the file of --config', () => {
  test('has options by their names, as they would be written on a command line', () => {
    const text = `# ours\nrpc.port: 8545\nconsensus.port: 0xC381\nraft.heartbeat-timeout: 1.5s\npaused: true\nnetwork: "op-mainnet"\nwebsocket.server-addr: ""\n`;
    expect(parse(text).faults).toEqual([]);
    expect(texts(text)).toEqual({
      'rpc.port': '8545',
      'consensus.port': '0xC381',
      'raft.heartbeat-timeout': '1.5s',
      paused: 'true',
      network: 'op-mainnet',
      'websocket.server-addr': '',
    });
  });

  test.each(['', '\n', '# nothing yet\n', '---\n'])('may say nothing: %j', (text) => {
    expect(parse(text)).toEqual({ entries: new Map(), faults: [] });
  });

  test.each<[string, string, RegExp]>([
    ['an unknown name', 'paused: true\nrpc.prot: 1', /line 2: unknown option "rpc.prot" \(did you mean rpc.port\?\)/],
    ['a name with dashes', '--rpc.port: 1', /line 1: unknown option "--rpc.port" \(did you mean rpc.port\?\)/],
    ['a name like no other', '\n\nzzzzzzzz: 1', /line 3: unknown option "zzzzzzzz"; conductor --help/],
    ['a mapping of parts', 'rpc:\n  port: 1', /line 1: names are written in one piece: "rpc\.…: value"/],
    ['a list', 'network: [a, b]', /line 1: network takes one value; a list of several is one text with commas/],
    ['no value', 'network:\nrpc.port: 1', /line 1: network has no value: write ""/],
    ['itself', 'config: b.yaml', /line 1: config names this file/],
    ['a name twice', 'rpc.port: 1\nrpc.port: 2', /line 2: Map keys must be unique/],
    [
      'an alias',
      'rpc.port: &a 1\nmetrics.port: *a',
      /line 2: metrics.port is an alias of another value: write the value itself/,
    ],
    ['two documents', 'rpc.port: 1\n---\nrpc.port: 2', /line 2: .*multiple documents/],
    ['a bracket that stays open', 'rpc.port: [1', /line 1: /],
    ['a list instead of a mapping', '- rpc.port', /line 1: it is not a mapping/],
    ['a text instead of a mapping', 'rpc.port=1', /line 1: it is not a mapping/],
    ['a name that is no word', '[a, b]: 1', /line 1: a name is a word/],
  ])('with %s is refused with the line', (_, text, sentence) => {
    const { faults } = parse(text);
    expect(faults.join('\n')).toMatch(sentence);
    expect(faults[0]).toMatch(/^--config: c\.yaml, line \d+: /);
  });

  test('tells all its mistakes, and keeps what can be read', () => {
    const { entries, faults } = parse('rpc.prot: 1\nrpc.port: 2\nnetwork: [a]\n');
    expect(faults).toHaveLength(2);
    expect([...entries.keys()]).toEqual(['rpc.port']);
  });

  test.each<[string, () => string, RegExp]>([
    ['nowhere', () => join(folder, 'nowhere'), /cannot be read: .*ENOENT/],
    ['a folder', () => folder, /cannot be read: it is not a file/],
    ['too large', () => write('#'.repeat(64 * 1024 + 1)), /it has 65537 bytes, at most 65536 are read/],
    ['not UTF-8', () => write(new Uint8Array([0xff, 0xfe])), /cannot be read/],
  ])('that is %s is refused with its path', (_, make, sentence) => {
    const path = make();
    const { faults } = readConfigFile(path, names);
    expect(faults).toEqual([expect.stringMatching(sentence)]);
    expect(faults[0]).toContain(`--config: ${path} `);
  });
});

/** Three texts of a type that mean different values. */
function samples(type: FlagType, choices: readonly string[] = []): readonly [string, string, string] {
  if (choices.length > 0) return [choices[0]!, choices.at(-1)!, choices[1]!];
  if (type === 'string') return ['a', 'b', 'c'];
  return type === 'duration' ? ['1m30s', '250ms', '7s'] : ['17', '18', '19'];
}

describe('of file, variable and flag', () => {
  const required = flagTable.filter((flag) => flag.isRequired);
  const needed = (without: string): string[] =>
    required.filter(({ name }) => name !== without).map(({ name }) => `--${name}=1`);
  const others = flagTable.filter(({ name, type }) => name !== 'config' && type !== 'bool');

  test.each(others)('$name: the flag wins over the variable, that over the file, that over the default', (flag) => {
    const [a, b, c] = samples(flag.type, flag.choices);
    const path = write(`${flag.name}: "${a}"\n`);
    const read = (words: readonly string[], env: Record<string, string>): unknown =>
      parseFlags([`--config=${path}`, ...needed(flag.name), ...words], env).values[flag.name];
    const direct = (text: string): unknown =>
      parseFlags([...needed(flag.name), `--${flag.name}=${text}`], {}).values[flag.name];
    const variable = { [envNameOf(flag.name)]: b };
    expect(read([], {})).toEqual(direct(a));
    expect(read([], variable)).toEqual(direct(b));
    expect(read([`--${flag.name}=${c}`], variable)).toEqual(direct(c));
    expect(direct(a)).not.toEqual(direct(b));
  });

  test('a boolean of the file is undone by the variable and by the flag', () => {
    const path = write('paused: true\n');
    const read = (words: readonly string[], env: Record<string, string> = {}): unknown =>
      parseFlags([`--config=${path}`, ...needed(''), ...words], env).values.paused;
    expect([read([]), read(['--paused=false']), read([], { OP_CONDUCTOR_PAUSED: 'false' })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('the file may be named by a variable, and what it says counts as given', () => {
    const path = write(required.map(({ name }) => `${name}: 1\n`).join(''));
    expect(parseFlags([], { OP_CONDUCTOR_CONFIG: path }).values['raft.server.id']).toBe('1');
    expect(() => parseFlags([], {})).toThrow(/missing required flags/);
  });

  test('what does not count, because a flag or a variable gives it, too, is named', () => {
    const path = write('rpc.port: 9\nlog.level: debug\npaused: true\nmetrics.port: 7');
    const env = { OP_CONDUCTOR_LOG_LEVEL: 'info', OP_CONDUCTOR_METRICS_PORT: '' };
    const { overridden, values } = parseFlags([`--config=${path}`, ...needed(''), '--rpc.port=1'], env);
    expect(overridden.toSorted()).toEqual(['log.level', 'rpc.port']);
    expect(values).toMatchObject({ 'rpc.port': 1, 'log.level': 'info', paused: true, 'metrics.port': 7 });
  });

  test('what cannot be read is refused with the line, also where a flag wins', () => {
    const path = write('network: x\nrpc.port: many\n');
    const read = (): unknown => parseFlags([`--config=${path}`, ...needed(''), '--rpc.port=1'], {});
    expect(read).toThrow(
      `--config: ${path}, line 2: invalid value "many" for flag -rpc.port: parse error, want a whole`,
    );
  });
});
