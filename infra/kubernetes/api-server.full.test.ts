/**
 * A real kube-apiserver and a real kustomize judge the overlays: rendered the same, accepted field by field, allowed
 * under the restricted pod security, and applied one over the other.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { freePorts } from '../../tests/cluster/free-ports.ts';
import { waitFor } from '../../tests/cluster/wait.ts';
import { ApiServer } from './api-server.ts';
import { renderKustomization, type Resource } from './render.ts';
import { needTool, toolBuildMsMax } from './tools.ts';

const START_MS_MAX = 180_000;
const JUDGE_MS_MAX = 120_000;
const overlays = readdirSync(join(import.meta.dirname, 'overlays')).map((name) => join('overlays', name));
const folders = [...overlays, 'form-cluster'];
const render = (folder: string): Resource[] => renderKustomization(join(import.meta.dirname, folder));

describe('the renderer of the tests', () => {
  it.for(folders)('renders %s as kustomize does', { timeout: toolBuildMsMax }, async (folder, context) => {
    const kustomize = await needTool('kustomize');
    if ('missing' in kustomize) return context.skip(kustomize.missing);
    const real = spawnSync(kustomize.path, ['build', join(import.meta.dirname, folder)], { encoding: 'utf8' });
    expect(real.stderr).toBe('');
    const byName = (resources: readonly Resource[]): Record<string, Resource> =>
      Object.fromEntries(resources.map((one) => [`${one.kind} ${one.metadata.name}`, one]));
    const documents = parseAllDocuments(real.stdout).map((document) => document.toJS() as Resource);
    expect(byName(render(folder))).toStrictEqual(byName(documents));
  });
});

describe('a kube-apiserver', () => {
  const work = mkdtempSync(join(tmpdir(), 'conductor-api-server-'));
  const server = new ApiServer(work, freePorts(3) as [number, number, number]);
  let obstacle: string | null = null;

  beforeAll(
    async () => {
      const etcd = await needTool('etcd');
      const apiServer = await needTool('kube-apiserver');
      if ('missing' in etcd) obstacle = etcd.missing;
      else if ('missing' in apiServer) obstacle = apiServer.missing;
      if ('missing' in etcd || 'missing' in apiServer) return;
      server.start({ etcd: etcd.path, apiServer: apiServer.path });
      await waitFor('kube-apiserver to be ready', START_MS_MAX, async () => ((await server.isReady()) ? true : null));
    },
    toolBuildMsMax + START_MS_MAX + JUDGE_MS_MAX,
  );

  afterAll(async () => {
    await server.stop();
    rmSync(work, { recursive: true, force: true });
  }, JUDGE_MS_MAX);

  it('refuses a field that it does not know', { timeout: JUDGE_MS_MAX }, async (context) => {
    if (obstacle !== null) return context.skip(obstacle);
    const wrong = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, dates: {} };
    const verdict = await server.apply(wrong, true);
    expect(verdict).toMatchObject({ status: 500, body: { message: expect.stringContaining('dates') as string } });
  });

  it.for(folders)('accepts all of %s, and lets its pods in', { timeout: JUDGE_MS_MAX }, async (folder, context) => {
    if (obstacle !== null) return context.skip(obstacle);
    const resources = render(folder);
    await accept(resources);
    for (const resource of resources) {
      if (resource.kind === 'StatefulSet' || resource.kind === 'Job') await admitPod(resource);
      // The claims of a set cannot be changed.
      if (resource.kind === 'StatefulSet') await server.remove(resource);
    }
  });

  it('changes a running production to flashblocks, and back', { timeout: JUDGE_MS_MAX }, async (context) => {
    if (obstacle !== null) return context.skip(obstacle);
    for (const overlay of ['production', 'flashblocks', 'production']) await accept(render(`overlays/${overlay}`));
  });

  /** Applies all, twice: the second time nothing is left to do. */
  async function accept(resources: readonly Resource[]): Promise<void> {
    for (const resource of resources) {
      const about = `${resource.kind} ${resource.metadata.name}`;
      const { status, body, warning } = await server.apply(resource);
      expect({ about, status: Math.floor(status / 100), message: body.message, warning }).toStrictEqual({
        about,
        status: 2,
        message: undefined,
        warning: null,
      });
      const again = await server.apply(resource);
      expect(again.body.metadata?.resourceVersion, `${about} again`).toBe(body.metadata?.resourceVersion);
    }
  }

  /** Admission of the pod itself, which is where pod security is enforced. */
  async function admitPod(workload: Resource): Promise<void> {
    const { template } = workload['spec'] as { template: { metadata: object; spec: object } };
    const { namespace = '' } = workload.metadata;
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
    await server.apply(account);
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...template.metadata, name: 'tried', namespace } };
    const admitted = await server.tryCreate({ ...pod, spec: withVolumes(workload, template.spec) });
    expect(admitted.body.message).toBeUndefined();
    expect(admitted.status).toBe(201);
    const asRoot = { ...withVolumes(workload, template.spec), securityContext: { runAsUser: 0 } };
    const refused = await server.tryCreate({ ...pod, spec: asRoot });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain('violates PodSecurity "restricted');
  }
});

/** The pod as the StatefulSet's controller would make it: with its claims as volumes. */
function withVolumes(workload: Resource, spec: object): Record<string, unknown> {
  const { volumeClaimTemplates = [] } = workload['spec'] as { volumeClaimTemplates?: { metadata: { name: string } }[] };
  const claims = volumeClaimTemplates.map(({ metadata: { name } }) => ({
    name,
    persistentVolumeClaim: { claimName: name },
  }));
  return { ...spec, volumes: [...(spec as { volumes: unknown[] }).volumes, ...claims] };
}
