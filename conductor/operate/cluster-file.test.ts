import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseCluster } from './cluster-choice.ts';
import { isHostPort, parseClusterFile } from './cluster-file.ts';

const two = `
name = "prod"
token-file = "token"

[[server]]
id = "node-1"
conductor = "http://node-1:8547"
consensus = "node-1:50050"
node = "http://op-node-1:9545"
execution = "http://op-geth-1:8545"
metrics = "http://node-1:7300"
deploy = "kubectl rollout restart statefulset/$SERVER_ID"

[[server]]
id = "node-2"
conductor = "https://node-2"
token-file = "/elsewhere/token"
`;

describe('a cluster file', () => {
  test('names servers; what it leaves out is not known, paths are relative to it', () => {
    const { name, path, servers } = parseClusterFile(two, '/etc/conductor/prod.toml');
    expect({ name, path }).toEqual({ name: 'prod', path: '/etc/conductor/prod.toml' });
    expect(servers[0]).toMatchObject({
      id: 'node-1',
      isLearnt: false,
      conductor: 'http://node-1:8547',
      consensus: 'node-1:50050',
      node: 'http://op-node-1:9545',
      deploy: 'kubectl rollout restart statefulset/$SERVER_ID',
      credentials: { tokenFile: '/etc/conductor/token', caFile: null },
    });
    expect(servers[1]).toMatchObject({ consensus: null, node: null, credentials: { tokenFile: '/elsewhere/token' } });
  });

  test('is called as its file when it has no name', () => {
    const text = '[[server]]\nid = "a"\nconductor = "http://a:1"\n';
    expect(parseClusterFile(text, '/x/mainnet.toml').name).toBe('mainnet');
  });

  const server = (rest: string): string => `[[server]]\nid = "a"\nconductor = "http://a:1"\n${rest}\n`;
  test.each([
    ['', 'there is no [[server]]'],
    ['server = []', 'there is no [[server]]'],
    ['server = ["a"]', 'server 1 is not a table'],
    ['[[server]', 'is not TOML'],
    ['[[server]]\nconductor = "http://a:1"', 'server 1: "id" is missing; write id = "node-1"'],
    ['[[server]]\nid = "a"', 'server 1 (a): "conductor" is missing'],
    ['[[server]]\nid = 7\nconductor = "http://a:1"', 'server 1: "id" must be a text'],
    ['[[server]]\nid = ""\nconductor = "http://a:1"', '"id" must be a text that is not empty'],
    [String.raw`name = "a\u001B[2J"` + '\n' + server(''), '"name" must not contain control characters'],
    [
      String.raw`[[server]]${'\n'}id = "a\u001Bb"${'\n'}conductor = "http://a:1"`,
      'server 1 (a b): "id" must not contain',
    ],
    [server(String.raw`"\u001B[2J" = 1`), '" [2J" is not a key'],
    [server('nodes = "http://a:2"'), 'server 1 (a): "nodes" is not a key; did you mean "node"?'],
    [server('zzz = 1'), '"zzz" is not a key; known are id, conductor,'],
    [server('node = "a:8545"'), '"node" must be a URL'],
    [server('node = "ftp://a"'), '"node" must be a URL'],
    [server('consensus = "a"'), '"consensus" must be host:port'],
    [server('consensus = "a:70000"'), '"consensus" must be host:port'],
    [server('consensus = "http://a:1"'), '"consensus" must be host:port'],
    [server('client-cert-file = "a.pem"'), '"client-cert-file" and "client-key-file" only work together'],
    [server('') + server(''), 'the servers a and a have the same "id", a'],
    [server('') + '[[server]]\nid = "b"\nconductor = "http://a:1"', 'have the same "conductor", http://a:1'],
    [`servers = 1\n${server('')}`, '"servers" is not a key; did you mean "server"?'],
    [`name = 3\n${server('')}`, '"name" must be a text'],
    [server(`deploy = "${'x'.repeat(5000)}"`), '"deploy" is longer than 4096 characters'],
    [
      Array.from({ length: 65 }, (_, at) => `[[server]]\nid = "${at}"\nconductor = "http://h${at}:1"\n`).join(''),
      'more than 64 servers',
    ],
  ])('is refused with the place and the key: %#', (text, sentence) => {
    expect(() => parseClusterFile(text, '/etc/c.toml')).toThrow(/^\/etc\/c\.toml/);
    expect(() => parseClusterFile(text, '/etc/c.toml')).toThrow(sentence);
  });

  test.each(['a:1', 'node-1.example.com:50050', '10.0.0.1:65535', '[::1]:50050'])('%s is host:port', (text) =>
    expect(isHostPort(text)).toBe(true),
  );
  test.each(['', 'a', ':1', 'a:', 'a:0', 'a:65536', 'a:1:2', 'a b:1', '::1:5', 'u@a:1'])('%j is not', (text) =>
    expect(isHostPort(text)).toBe(false),
  );
});

describe('the cluster of a command', () => {
  test('is that of --rpc, of --cluster, or of the environment, in this order of precedence', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
    try {
      const file = (name: string): string => {
        const path = join(folder, `${name}.toml`);
        writeFileSync(path, `name = "${name}"\n[[server]]\nid = "a"\nconductor = "http://a:1"\n`);
        return path;
      };
      const environment = { CONDUCTOR_CLUSTER: file('variable') };
      expect(chooseCluster({ cluster: file('flag') }, environment).name).toBe('flag');
      expect(chooseCluster({}, environment).name).toBe('variable');
      const learnt = chooseCluster({ rpc: 'http://a:1,https://b', tokenFile: '/t' }, environment);
      expect(learnt.path).toBe(null);
      expect(learnt.servers.map(({ id, isLearnt }) => [id, isLearnt])).toEqual([
        ['a:1', true],
        ['b', true],
      ]);
      const named = chooseCluster({ rpc: 'node-1=http://a:1, http://me:p=w@b/x=y' }, environment);
      expect(named.servers.map(({ id, isLearnt, conductor }) => [id, isLearnt, conductor])).toEqual([
        ['node-1', false, 'http://a:1'],
        ['b', true, 'http://me:p=w@b/x=y'],
      ]);
      expect(learnt.servers[0]?.credentials.tokenFile).toBe('/t');
      expect(() => chooseCluster({ cluster: join(folder, 'none.toml') }, environment)).toThrow('cannot be read');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([
    [{ rpc: 'a:1' }, '"a:1" is not an http or https URL'],
    [{ rpc: 'http://a:1,' }, '"" is not an http'],
    [{ rpc: 'http://a:1,http://a:1/' }, '--rpc names a:1 twice'],
    [{ rpc: 'x=http://a:1,x=http://a:2' }, '--rpc names x twice'],
    [{ rpc: '=http://a:1' }, 'is not an http or https URL'],
    [{ rpc: 'http://a:1', cluster: 'x' }, 'give one of them'],
    [{ rpc: 'ftp://me:secret@a' }, '"ftp://a" is not'],
    [{}, 'which cluster? Give --rpc'],
  ])('is missing or wrong: %j', (flags, sentence) => {
    expect(() => chooseCluster(flags, {})).toThrow(sentence);
  });
});
