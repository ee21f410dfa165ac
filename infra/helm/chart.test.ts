/** The chart's values against the manifests that the rest of infra/ is tested on; what helm makes of them is in the full test. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
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
  expect({ network: values.network }).toStrictEqual(dataOf('chain'));
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
