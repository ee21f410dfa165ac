import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { renderKustomization } from './render.ts';

const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  kept: x\n  gone: q\n';
const pod = [
  'apiVersion: v1',
  'kind: Pod',
  'metadata: { name: p }',
  'spec:',
  '  containers: [{ name: c, image: "registry:5000/tool:1" }, { name: d, image: conductor@sha256:00 }]',
  '  volumes: [{ secret: { defaultMode: 0440 } }]',
].join('\n');

function render(files: Readonly<Record<string, string>>): ReturnType<typeof renderKustomization> {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-render-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return renderKustomization(join(folder, 'top'));
}

describe('rendering a kustomization', () => {
  it('reads YAML as kubectl does, places, retags, and merges maps', () => {
    const [map, rendered] = render({
      'base/kustomization.yaml': 'resources: [a.yaml, pod.yaml]',
      'base/a.yaml': settings,
      'base/pod.yaml': pod,
      'part/kustomization.yaml':
        'patches:\n- target: { kind: ConfigMap, name: a }\n  patch: "data: { gone: null, new: z }"\n',
      'top/kustomization.yaml':
        'namespace: here\nresources: [../base]\ncomponents: [../part]\nimages:\n- { name: "registry:5000/tool", newTag: "2" }\n- { name: conductor, newName: r/c, newTag: "3" }\n',
    });
    expect(map).toMatchObject({ metadata: { name: 'a', namespace: 'here' }, data: { kept: 'x', new: 'z' } });
    expect(map!['data']).not.toHaveProperty('gone');
    expect(rendered!['spec']).toMatchObject({
      containers: [{ image: 'registry:5000/tool:2' }, { image: 'r/c:3' }],
      volumes: [{ secret: { defaultMode: 0o440 } }],
    });
  });

  it('carries out operations, and refuses those that do not fit', () => {
    const top = (operations: string): Record<string, string> => ({
      'base/kustomization.yaml': 'resources: [pod.yaml]',
      'base/pod.yaml': pod,
      'top/kustomization.yaml': `resources: [../base]\npatches:\n- target: { kind: Pod, name: p }\n  patch: |-\n    ${operations}\n`,
    });
    const [rendered] = render(
      top(
        '[{op: test, path: /spec/containers/0/name, value: c}, {op: remove, path: /spec/containers/0}, {op: add, path: /spec/containers/-, value: {name: e, image: i}}, {op: replace, path: /spec/volumes, value: []}]',
      ),
    );
    expect(rendered!['spec']).toMatchObject({ containers: [{ name: 'd' }, { name: 'e' }], volumes: [] });
    expect(() => render(top('[{op: test, path: /spec/containers/0/name, value: d}]'))).toThrow(/something else/);
    expect(() => render(top('[{op: remove, path: /spec/nothing}]'))).toThrow(/there is no \/spec\/nothing/);
    expect(() => render(top('[{op: add, path: /no/thing, value: 1}]'))).toThrow(/there is no \/no/);
    expect(() => render(top('spec: { containers: [] }'))).toThrow(/merges the list containers/);
  });

  it('refuses what it would have to ignore', () => {
    expect(() => render({ 'top/kustomization.yaml': 'namePrefix: x-' })).toThrow(/namePrefix cannot be rendered here/);
    const twice = { 'top/a.yaml': settings, 'top/b.yaml': settings };
    expect(() => render({ ...twice, 'top/kustomization.yaml': 'resources: [a.yaml, b.yaml]' })).toThrow(/there twice/);
    const lost = 'resources: [a.yaml]\npatches:\n- target: { kind: ConfigMap, name: z }\n  patch: "data: {}"\n';
    expect(() => render({ ...twice, 'top/kustomization.yaml': lost })).toThrow(/finds nothing/);
  });
});
