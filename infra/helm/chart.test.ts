/** The chart's values against the manifests that the rest of infra/ is tested on; what helm makes of them is in the full test. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { executionNetworkOf } from '../kubernetes/execution-network.ts';
import { sequencerOf } from '../kubernetes/manifests.ts';
import { renderKustomization } from '../kubernetes/render.ts';
import { chart } from './helm.ts';

const base = join(import.meta.dirname, '../kubernetes/base');
const resources = renderKustomization(base);
const { set, pod, conductor } = sequencerOf(resources);
const read = (path: string): string => readFileSync(join(chart, path), 'utf8');
const values = parse(read('values.yaml')) as {
  replicas: number;
  network: string;
  executionNetwork: string;
  conductor: { image: string; variables: Record<string, string> };
  opNode: { image: string; variables: Record<string, string> };
  opReth: { image: string };
};
const dataOf = (name: string): unknown =>
  resources.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)!['data'];

test('values that nobody changes are those of the base: servers, chain, images, variables', () => {
  const { OP_CONDUCTOR_RAFT_BOOTSTRAP_ONCE: list, ...variables } = dataOf('conductor') as Record<string, string>;
  expect(list?.split(',')).toHaveLength(values.replicas);
  expect(values.replicas).toBe(set.replicas);
  expect(values.conductor.variables).toStrictEqual(variables);
  expect(values.opNode.variables).toStrictEqual(dataOf('op-node'));
  const { network, executionNetwork } = values;
  expect(executionNetwork).toBe('');
  expect({ network, 'execution-network': executionNetworkOf(network) }).toStrictEqual(dataOf('chain'));
  const images = Object.fromEntries([...pod.initContainers, conductor].map(({ name, image }) => [name, image]));
  expect(images).toStrictEqual({
    conductor: values.conductor.image,
    'op-node': values.opNode.image,
    'op-reth': values.opReth.image,
  });
});

test('there is a template for every file of the base, and those without values are the same', () => {
  const files = readdirSync(base).filter((name) => name !== 'kustomization.yaml');
  expect(readdirSync(join(chart, 'templates')).toSorted()).toEqual(files.toSorted());
  const fixed = files.filter((name) => !read(`templates/${name}`).includes('{{'));
  expect(fixed).toEqual(expect.arrayContaining(['services.yaml', 'network-policy.yaml', 'disruption-budget.yaml']));
  for (const name of fixed) expect(read(`templates/${name}`)).toBe(readFileSync(join(base, name), 'utf8'));
});

test('the README installs a cluster that form-cluster can form: admin methods behind tokens, in its namespace', () => {
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  const commands = readme.split('```')[1]!.replaceAll(/\\\n\s*/g, '');
  const install = commands.split('\n').find((line) => line.startsWith('helm install '))!;
  const settings = [...install.matchAll(/--set (\S+)/g)].flatMap(([, pairs]) => pairs!.split(','));
  const names = settings.map((pair) => pair.split('=')[0]);
  expect(names.toSorted()).toEqual(['conductor.image', 'network', 'secrets.tokens']);
  const kubernetes = readFileSync(join(base, '../README.md'), 'utf8');
  expect(kubernetes).toContain(`| \`${settings.find((pair) => pair.startsWith('secrets.tokens='))!.split('=')[1]}\` |`);
  const formed = renderKustomization(join(base, '../form-cluster'));
  const namespaces = new Set(formed.map(({ metadata }) => metadata.namespace));
  expect(namespaces).toEqual(new Set([/--namespace (\S+)/.exec(install)![1]]));
});
