/** The Job that forms the cluster, against the cluster that it forms. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operatorCommands } from '#conductor/cli/operate/commands';
import { parseClusterFile } from '#conductor/cli/operate/cluster-file';
import { referencesOf, sequencerOf, variablesOf, type Pod } from './manifests.ts';
import { renderKustomization } from './render.ts';
import { shapeProblems } from './shape.ts';

const resources = renderKustomization(join(import.meta.dirname, 'form-cluster'));
const production = renderKustomization(join(import.meta.dirname, 'overlays/production'));
const pod = (resources.find(({ kind }) => kind === 'Job')!['spec'] as { template: { spec: Pod; metadata: unknown } })
  .template;

describe('forming the cluster', () => {
  it('is all known to the API', () => {
    expect(resources.flatMap((resource) => shapeProblems(resource))).toStrictEqual([]);
  });

  it('speaks to the servers of the StatefulSet, by the addresses that they advertise', () => {
    const data = resources.find(({ kind }) => kind === 'ConfigMap')!['data'] as Record<string, string>;
    const { servers } = parseClusterFile(data['conductor.toml']!, '/etc/conductor/cluster/conductor.toml');
    const { set, conductor } = sequencerOf(production);
    const variables = variablesOf(conductor, production);
    const ids = Array.from({ length: set.replicas }, (_none, ordinal) => `sequencer-${ordinal}`);
    expect(servers.map(({ id, consensus }) => `${id} ${consensus}`)).toStrictEqual(
      ids.map((id) => `${id} ${variables['OP_CONDUCTOR_CONSENSUS_ADVERTISED']!.replace('sequencer-0', id)}`),
    );
    expect(servers.map(({ id, conductor: url }) => `${id}=${url}`).join(',')).toBe(
      variables['OP_CONDUCTOR_RAFT_BOOTSTRAP_ONCE'],
    );
  });

  it('runs commands that exist: every other server joins, and only the founder is resumed', () => {
    const steps = [...pod.spec.initContainers, ...pod.spec.containers].map(({ args }) => args!);
    expect(steps).toStrictEqual([
      ['join', 'sequencer-1', '--yes'],
      ['join', 'sequencer-2', '--yes'],
      ['resume', 'sequencer-0', '--yes'],
    ]);
    const known = operatorCommands.map(({ name }) => name);
    expect(steps.map(([command]) => command!).filter((command) => !known.includes(command))).toStrictEqual([]);
  });

  it('is let in by the network policy, and its secret is one that the README tells how to make', () => {
    expect(pod.metadata).toMatchObject({ labels: { 'conductor.access/rpc': 'allowed' } });
    const policy = JSON.stringify(production.find(({ kind }) => kind === 'NetworkPolicy'));
    expect(policy).toContain('"conductor.access/rpc":"allowed"');
    const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
    for (const name of referencesOf(pod.spec).secrets) expect(readme).toContain(`| \`${name}\` |`);
  });
});
