/** What the image promises, read from its recipe: tables of the program and the recipe must agree. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { flagTable } from '#conductor/cli/flags';
import { envNameOf } from '#conductor/cli/flags/definition';
import { parseFlags } from '#conductor/cli/flags-parse';
import { runConfig } from '#conductor/host/settings/flags-config';
import { sequencerOf, variablesOf } from '../kubernetes/manifests.ts';
import { renderKustomization } from '../kubernetes/render.ts';
import { execForm, parseContainerfile } from './containerfile.ts';

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly environment?: Readonly<Record<string, string>>;
        readonly secrets: readonly unknown[];
        readonly volumes?: readonly string[];
        readonly ports?: readonly string[];
        readonly restart: string;
        readonly command?: readonly string[];
      }
    >
  >;
}

const text = readFileSync(join(import.meta.dirname, 'Containerfile'), 'utf8');
const instructions = parseContainerfile(text);
const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const restOf = (name: string): string => last.find((one) => one.name === name)?.rest ?? '';
const fallbackOf = (name: string): string => flagTable.find((flag) => flag.name === name)!.fallback;

describe('the container image', () => {
  it('is nothing but what is copied into it: no base image, no download, no shell', () => {
    expect(last[0]!.rest).toBe('scratch');
    expect(instructions.map(({ name }) => name)).not.toContain('ADD');
    expect(last.map(({ name }) => name)).not.toContain('RUN');
  });

  it('runs as a user with a number, so that a supervisor can see it is not root', () => {
    const [user, group] = restOf('USER').split(':').map(Number);
    expect(user).toBeGreaterThan(0);
    expect(group).toBeGreaterThan(0);
    const layout = instructions.find(({ name }) => name === 'RUN')!.rest;
    expect(execForm(layout)!.at(-1)).toBe(String(user));
  });

  it('signals reach the program: exec forms everywhere', () => {
    expect(execForm(restOf('ENTRYPOINT'))).toStrictEqual(['/conductor']);
    expect(execForm(/CMD (.*)$/.exec(text.split('HEALTHCHECK')[1]!.split('\n')[0]!)![1]!)).toStrictEqual([
      '/conductor',
      'healthcheck',
    ]);
    expect(restOf('STOPSIGNAL')).toBe('SIGTERM');
  });

  it('keeps its state in a volume of the user that it runs as', () => {
    const folder = restOf('WORKDIR');
    expect(execForm(restOf('VOLUME'))).toStrictEqual([folder]);
    const owned = last.find(({ name, options }) => name === 'COPY' && options['chown'] !== undefined)!;
    expect(owned.options['chown']).toBe(restOf('USER'));
    // Copied as a new folder: builders leave the owner of one that is there already.
    expect(owned.rest.split(' ')).toStrictEqual(['/image/state/', `${dirname(folder)}/`]);
    expect(restOf('ENV')).toContain(`OP_CONDUCTOR_RAFT_STORAGE_DIR=${folder}`);
  });

  it('sets only variables that the program or its runtime knows, and no secret', () => {
    const known = new Set(['PATH', ...flagTable.map(({ name }) => envNameOf(name))]);
    const names = restOf('ENV')
      .split(' ')
      .map((pair) => pair.split('=')[0]!);
    expect(names.filter((name) => !known.has(name))).toStrictEqual([]);
    expect(names.filter((name) => /TOKEN|SECRET|KEY/.test(name))).toStrictEqual([]);
  });

  const compose = parse(readFileSync(join(import.meta.dirname, 'compose.yaml'), 'utf8')) as Compose;

  it('the example for compose is a configuration that works, with validated commits and the secret in all three', () => {
    const { conductor, ...others } = compose.services;
    const filled: Record<string, string> = {
      ...{ SERVER_ID: 'sequencer-1', ADVERTISED: 'sequencer-1.example.org:50050', CHAIN: 'op-mainnet' },
      SERVERS: 'sequencer-1=http://10.0.0.1:8545,sequencer-2=http://10.0.0.2:8545',
    };
    const variables = Object.entries(conductor!.environment!).map(([name, value]): [string, string] => [
      name,
      value.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => filled[key]!),
    ]);
    const ofImage = [...restOf('ENV').matchAll(/(OP_\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]);
    const parsed = parseFlags([], Object.fromEntries([...ofImage, ...variables]) as Record<string, string>, []);
    expect(parsed.unknownVariables).toStrictEqual([]);
    const config = runConfig(parsed.values);
    expect(config).toMatchObject({ validation: 'quorum' });
    const engine = { source: 'engine', target: config.engine!.jwtSecretFile };
    for (const { secrets } of Object.values(others)) expect(secrets).toStrictEqual([engine]);
    const tokens = { source: 'tokens', target: parsed.values['rpc.auth.tokens-file'] };
    expect(conductor!.secrets).toStrictEqual([engine, tokens]);
    expect(conductor!.volumes).toStrictEqual([`conductor:${restOf('WORKDIR')}`]);
  });

  it('the example for compose makes a cluster that can be formed and comes back, by the settings of the manifests', () => {
    const { 'op-reth': client, 'op-node': node, conductor } = compose.services;
    for (const { restart } of Object.values(compose.services)) expect(restart).toBe('unless-stopped');
    expect(client!.command).toContain('--chain=${EL_CHAIN}');
    const base = renderKustomization(join(import.meta.dirname, '../kubernetes/base'));
    const { pod, conductor: inPod } = sequencerOf(base);
    const nodeInPod = pod.initContainers.find(({ name }) => name === 'op-node')!;
    const names = (variables: Readonly<Record<string, string>>): string[] => Object.keys(variables).toSorted();
    expect(names(node!.environment!)).toStrictEqual(names(variablesOf(nodeInPod, base)));
    const paths = Object.entries(node!.environment!).filter(([name]) => name.endsWith('_PATH'));
    for (const [, path] of paths) expect(path).toMatch(/^\/var\/lib\/op-node\//);
    expect(node!.volumes).toStrictEqual(['op-node:/var/lib/op-node']);
    expect(node!.ports).toEqual(expect.arrayContaining(['9222:9222/tcp', '9222:9222/udp']));
    expect(conductor!.ports!.filter((port) => port.includes('8545'))).toStrictEqual([
      expect.stringMatching(/^\$\{RPC_BIND\b.*:8545:8545$/),
    ]);
    // The image sets some already; tokens are a component there, and containers of a pod share their loopback address.
    const ofImage = [...restOf('ENV').matchAll(/(OP_\w+)=/g)].map(([, name]) => name!);
    const inPodOnly = [...ofImage, 'OP_CONDUCTOR_LOG_FORMAT'];
    const here = ['OP_CONDUCTOR_RPC_ADDR', 'OP_CONDUCTOR_RPC_ENABLE_ADMIN', 'OP_CONDUCTOR_RPC_AUTH_TOKENS_FILE'];
    const known = names(variablesOf(inPod, base)).filter((name) => name.startsWith('OP_'));
    expect(names(conductor!.environment!)).toStrictEqual(
      [...known.filter((name) => !inPodOnly.includes(name)), ...here].toSorted(),
    );
  });

  it('names the ports that the program listens on by default', () => {
    const ports = ['rpc.port', 'websocket.server-port', 'consensus.port', 'metrics.port'];
    expect(restOf('EXPOSE').split(' ').toSorted()).toStrictEqual(
      ports.map((name) => `${fallbackOf(name)}/tcp`).toSorted(),
    );
    expect(restOf('ENV')).toContain(`OP_CONDUCTOR_CONSENSUS_PORT=${fallbackOf('consensus.port')}`);
  });

  it('the builder is given what the recipe copies, and nothing else of the checkout', () => {
    const given = readFileSync(join(import.meta.dirname, 'Containerfile.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = instructions
      .filter(({ name, options }) => name === 'COPY' && options['from'] === undefined)
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
    expect(given.toSorted()).toStrictEqual(copied.toSorted());
  });
});

describe('layout.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-layout-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.runIf(process.platform === 'linux')(
    'the binary is also where manifests of op-conductor look for that name',
    () => {
      const work = mkdtempSync(join(tmpdir(), 'conductor-names-'));
      onTestFinished(() => rmSync(work, { recursive: true, force: true }));
      // Any program with libraries will do.
      for (const machine of ['x64', 'arm64']) copyFileSync('/bin/true', join(work, `conductor-linux-${machine}`));
      const image = join(work, 'image');
      const { status, stderr } = spawnSync('sh', [join(import.meta.dirname, 'layout.sh'), work, image], {
        encoding: 'utf8',
      });
      expect([status, stderr]).toStrictEqual([0, '']);
      const paths = / PATH=(\S+)/.exec(` ${restOf('ENV')}`)![1]!.split(':');
      const found = paths.map((path) => join(image, 'root', path, 'op-conductor'));
      expect(found.map((path) => readlinkSync(path))).toStrictEqual(execForm(restOf('ENTRYPOINT')));
    },
  );

  it.each<readonly [string, readonly string[], RegExp]>([
    ['nothing', [], /^usage: /],
    ['a folder without a binary', [folder, join(folder, 'root')], /missing or not executable: npm run build/],
  ])('given %s says what it needs, and makes nothing', (_what, words, why) => {
    const { status, stderr } = spawnSync('sh', [join(import.meta.dirname, 'layout.sh'), ...words], {
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(why);
    expect(readdirSync(folder)).toStrictEqual([]);
  });
});
