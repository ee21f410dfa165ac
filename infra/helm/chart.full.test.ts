/** The chart as helm renders it: without values of one's own it is the base of infra/kubernetes, to the field. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { beforeAll, expect, onTestFinished, test, type TestContext } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { initialMembersOf } from '#conductor/host/bootstrap-once';
import { executionNetworkOf } from '../kubernetes/execution-network.ts';
import { sequencerOf, variablesOf } from '../kubernetes/manifests.ts';
import { renderKustomization, type Resource } from '../kubernetes/render.ts';
import { shapeProblems } from '../kubernetes/shape.ts';
import { chart, needHelm } from './helm.ts';

const TOOL_MS_MAX = 30 * 60_000;
let tool: Awaited<ReturnType<typeof needHelm>>;
beforeAll(async () => {
  tool = await needHelm();
}, TOOL_MS_MAX);

/** What helm says, which ends with 0. */
function helm(context: TestContext, ...words: string[]): string {
  if ('missing' in tool) return context.skip(tool.missing);
  const { status, stdout, stderr } = spawnSync(tool.path, words, { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

function rendered(context: TestContext, ...settings: string[]): Resource[] {
  const words = [
    'template',
    'sequencer',
    chart,
    '--kube-version',
    '1.33.0',
    ...settings.flatMap((one) => ['--set', one]),
  ];
  const documents = parseAllDocuments(helm(context, ...words));
  return documents.map((document) => document.toJS() as Resource | null).filter((one) => one !== null);
}

const named = (resources: readonly Resource[]): Record<string, Resource> =>
  Object.fromEntries(resources.map((one) => [`${one.kind} ${one.metadata.name}`, one]));

test('helm lint has nothing to say', (context) => {
  expect(helm(context, 'lint', '--strict', chart)).toMatch(/1 chart\(s\) linted, 0 chart\(s\) failed/);
});

test('without values of one’s own it is the base', (context) => {
  const base = renderKustomization(join(import.meta.dirname, '../kubernetes/base'));
  expect(named(rendered(context))).toStrictEqual(named(base));
});

test.for<[string, string[]]>([
  ['admin-tokens', ['secrets.tokens=conductor-tokens']],
  ['mutual-tls', ['secrets.tls=conductor-tls']],
  ['admin-tokens mutual-tls', ['secrets.tokens=conductor-tokens', 'secrets.tls=conductor-tls']],
])('with the values for them it is the base with its components: %s', ([components, settings], context) => {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-chart-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const kubernetes = join(import.meta.dirname, '../kubernetes');
  const paths = components.split(' ').map((name) => relative(folder, join(kubernetes, 'components', name)));
  const lists = { resources: [relative(folder, join(kubernetes, 'base'))], components: paths };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(lists));
  expect(named(rendered(context, ...settings))).toStrictEqual(named(renderKustomization(folder)));
});

test('five servers know each other, and values reach what they name', (context) => {
  const resources = rendered(
    ...([context, 'replicas=5', 'storage.className=fast', 'conductor.image=r/c@sha256:00'] as const),
    'conductor.variables.OP_CONDUCTOR_LOG_LEVEL=debug',
    'secrets.engine=mine',
  );
  expect(resources.flatMap((resource) => shapeProblems(resource))).toStrictEqual([]);
  const { set, pod, conductor } = sequencerOf(resources);
  const variables = variablesOf(conductor, resources);
  expect(initialMembersOf(variables['OP_CONDUCTOR_RAFT_BOOTSTRAP_ONCE']!, 'sequencer-4')).toHaveLength(set.replicas);
  expect([set.replicas, conductor.image, variables['OP_CONDUCTOR_LOG_LEVEL']]).toStrictEqual([
    5,
    'r/c@sha256:00',
    'debug',
  ]);
  expect(
    set.volumeClaimTemplates.map(({ spec }) => (spec as { storageClassName?: string }).storageClassName),
  ).toStrictEqual(Array(3).fill('fast'));
  expect(pod.volumes.map(({ secret }) => secret?.secretName)).toContain('mine');
});

test('numbers, booleans and nothing reach a variable as they were written, and a list of servers of one’s own is the only one', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-chart-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'values.yaml');
  const own = { A: 67_108_864, B: true, C: 0.25, D: null, OP_CONDUCTOR_RAFT_BOOTSTRAP_ONCE: 'a=http://a:1' };
  writeFileSync(file, JSON.stringify({ conductor: { variables: own }, opNode: { variables: { A: 10_000_000 } } }));
  const words = ['template', 'sequencer', chart, '--kube-version', '1.33.0', '--values', file];
  const documents = parseAllDocuments(helm(context, ...words));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const resources = documents.map((document) => document.toJS() as Resource | null).filter((one) => one !== null);
  const data = (name: string): unknown => named(resources)[`ConfigMap ${name}`]?.['data'];
  const { D: nothing, ...texts } = { ...own, A: '67108864', B: 'true', C: '0.25' };
  expect(data('conductor')).toMatchObject(texts);
  expect(data('conductor')).not.toHaveProperty('D', expect.anything() as unknown);
  expect([nothing, data('op-node')]).toMatchObject([null, { A: '10000000' }]);
});

test('op-reth is told the chain by its own name, or by the one that is given for it', (context) => {
  const nameOf = (...settings: string[]): unknown => named(rendered(context, ...settings))['ConfigMap chain']?.['data'];
  for (const network of ['ink-mainnet', 'settlus-mainnet-mainnet', 'op-mainnet', 'mode-sepolia'])
    expect(nameOf(`network=${network}`)).toEqual({ network, 'execution-network': executionNetworkOf(network) });
  expect(nameOf('network=base-mainnet', 'executionNetwork=/genesis.json')).toMatchObject({
    'execution-network': '/genesis.json',
  });
});

test('a chart without a chain is refused, and told why', (context) => {
  if ('missing' in tool) return context.skip(tool.missing);
  const words = ['template', 'sequencer', chart, '--kube-version', '1.33.0', '--set', 'network='];
  const { status, stderr } = spawnSync(tool.path, words, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('network: name a chain of the superchain registry')]);
});
