/** The Job that forms the cluster, against the cluster that it forms. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operatorCommands } from '#conductor/operate/commands';
import { parseClusterFile } from '#conductor/operate/cluster-file';
import { referencesOf, sequencerOf, variablesOf, type Pod } from './manifests.ts';
import { renderKustomization } from './render.ts';
import { shapeProblems } from './shape.ts';

const resources = renderKustomization(join(import.meta.dirname, 'form-cluster'));
const production = renderKustomization(join(import.meta.dirname, 'overlays/production'));
const job = resources.find(({ kind }) => kind === 'Job')!['spec'] as {
  backoffLimit: number;
  activeDeadlineSeconds: number;
  template: { spec: Pod; metadata: unknown };
};
const pod = job.template;
const data = resources.find(({ kind }) => kind === 'ConfigMap')!['data'] as Record<string, string>;
const { servers } = parseClusterFile(data['conductor.toml']!, '/etc/conductor/cluster/conductor.toml');
const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
/** The kubelet's longest pause before it starts a container again. */
const PAUSE_SECONDS_MAX = 300;

/** Manifests that have the pattern outside of their comments. */
function filesWith(pattern: RegExp): string[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.yaml'))
    .filter((name) => pattern.test(readFileSync(join(import.meta.dirname, name), 'utf8').replace(/^ *#.*$/gm, '')));
}

describe('forming the cluster', () => {
  it('is all known to the API', () => {
    expect(resources.flatMap((resource) => shapeProblems(resource))).toStrictEqual([]);
  });

  it('speaks to the servers of the StatefulSet, by the addresses that they advertise', () => {
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

  it('runs commands that exist: every other server of the cluster file joins, and only the founder is resumed', () => {
    const steps = [...pod.spec.initContainers, ...pod.spec.containers].map(({ args }) => args!);
    const [founder, ...others] = servers.map(({ id }) => id);
    expect(steps).toStrictEqual([...others.map((id) => ['join', id, '--yes']), ['resume', founder, '--yes']]);
    const known = operatorCommands.map(({ name }) => name);
    expect(steps.map(([command]) => command!).filter((command) => !known.includes(command))).toStrictEqual([]);
  });

  it('is let in by the network policy, and its secret is one that the README tells how to make', () => {
    expect(pod.metadata).toMatchObject({ labels: { 'conductor.access/rpc': 'allowed' } });
    const policy = JSON.stringify(production.find(({ kind }) => kind === 'NetworkPolicy'));
    expect(policy).toContain('"conductor.access/rpc":"allowed"');
    for (const name of referencesOf(pod.spec).secrets) expect(readme).toContain(`| \`${name}\` |`);
  });

  it('runs the image of the overlays: each takes it from the one place that names it', () => {
    const overlays = readdirSync(join(import.meta.dirname, 'overlays')).map(
      (overlay) => sequencerOf(renderKustomization(join(import.meta.dirname, 'overlays', overlay))).conductor,
    );
    const images = [...overlays, ...pod.spec.initContainers, ...pod.spec.containers].map(({ image }) => image);
    expect(new Set(images)).toStrictEqual(new Set(['registry.example.org/conductor:0.1.0']));
    // The simulator's is an image of its own.
    expect(filesWith(/newName: \S+\/conductor$/m)).toStrictEqual(['components/image/kustomization.yaml']);
    expect(readme).toContain('components/image/kustomization.yaml');
  });

  it('leaves a new node a day to sync, and is not given up on before by its retries', () => {
    expect(job.activeDeadlineSeconds).toBeGreaterThanOrEqual(86_400);
    expect(job.backoffLimit * PAUSE_SECONDS_MAX).toBeGreaterThanOrEqual(job.activeDeadlineSeconds);
  });

  it('names servers in files that the README lists for those who change their number or names', () => {
    const naming = filesWith(/sequencer-\d|\.sequencers\.|replicas:/);
    expect(naming.length).toBeGreaterThan(3);
    const section = readme.split('## Other numbers and names')[1]!.split('\n## ')[0]!;
    for (const name of naming) expect(section).toContain(`| \`${name}\` |`);
  });
});
