/** The Job of a sharded soak: known to the API, one shard for each index. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Pod } from './manifests.ts';
import { renderKustomization } from './render.ts';
import { shapeProblems } from './shape.ts';

const resources = renderKustomization(join(import.meta.dirname, 'soak'));
const job = resources.find(({ kind }) => kind === 'Job')!['spec'] as {
  readonly completions: number;
  readonly template: { readonly spec: Pod };
};
const [container] = job.template.spec.containers as [Pod['containers'][number]];
const [line = ''] = container.args ?? [];

describe('a soak over many machines', () => {
  it('is a Job that the API knows, on the volume that is claimed beside it', () => {
    expect(resources.map(({ kind }) => kind)).toEqual(['PersistentVolumeClaim', 'Job']);
    expect(shapeProblems(resources[1]!)).toStrictEqual([]);
    const { volumes } = job.template.spec as unknown as { readonly volumes: readonly object[] };
    expect(volumes).toEqual([{ name: 'corpus', persistentVolumeClaim: { claimName: resources[0]!.metadata.name } }]);
  });

  it('has as many shards as indexes, and gives each its own', () => {
    const shards = [0, job.completions - 1].map((index) => {
      const asked = line.replace(/^exec bun simulator\/main\.ts/, 'printf "%s\\n"');
      return spawnSync('sh', ['-c', asked], { env: { JOB_COMPLETION_INDEX: String(index) }, encoding: 'utf8' }).stdout;
    });
    expect(shards[0]).toContain(`--shard\n1/${job.completions}\n`);
    expect(shards[1]).toContain(`--shard\n${job.completions}/${job.completions}\n`);
  });

  it('keeps what it has done on the volume that all share', () => {
    expect(line).toContain('--corpus /corpus ');
    expect(container.volumeMounts).toEqual([{ name: 'corpus', mountPath: '/corpus' }]);
  });
});
