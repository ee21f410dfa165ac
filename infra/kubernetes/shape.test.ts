import { describe, expect, it } from 'vitest';
import type { Resource } from './render.ts';
import { shapeProblems } from './shape.ts';

const budget = (spec: Record<string, unknown>): Resource => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'sequencer' },
  spec,
});
const claim = (storage: unknown): Resource => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'sequencer' },
  spec: {
    selector: { matchLabels: {} },
    template: {},
    volumeClaimTemplates: [{ metadata: { name: 'raft' }, spec: { resources: { requests: { storage } } } }],
  },
});

describe('the kept schemas of the API', () => {
  it('take what the API takes', () => {
    expect(shapeProblems(budget({ maxUnavailable: 1 }))).toStrictEqual([]);
    expect(shapeProblems(budget({ maxUnavailable: '34%' }))).toStrictEqual([]);
    expect(shapeProblems(claim('20Gi'))).toStrictEqual([]);
  });

  it.each<readonly [Resource, RegExp]>([
    [budget({ maxUnavailible: 1 }), /maxUnavailible is no field/],
    [budget({ maxUnavailable: true }), /none of the types/],
    [budget({ selector: [] }), /\/spec\/selector: \[\] is no object/],
    [claim('20 GB'), /is no quantity/],
    [{ apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', metadata: { name: 'a' } }, /no kind/],
    [{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'a' }, spec: {} }, /selector is missing/],
  ])('refuse what it does not', (resource, why) => {
    expect(shapeProblems(resource).join('\n')).toMatch(why);
  });
});
