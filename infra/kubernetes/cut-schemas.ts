/**
 * Writes testdata/schemas.json anew: the schemas of the kinds that are used here, out of the OpenAPI documents of the
 * k8s.io/kubernetes module. `.tools/bun infra/kubernetes/cut-schemas.ts`, with Go and a network; the version is that
 * of testdata/tools/go.mod.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Tree = Record<string, unknown>;

const testdata = join(import.meta.dirname, 'testdata');
const documents = ['api__v1', 'apis__apps__v1', 'apis__batch__v1', 'apis__networking.k8s.io__v1', 'apis__policy__v1'];
const kinds = [
  'ConfigMap',
  'Job',
  'Namespace',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Service',
  'ServiceAccount',
  'StatefulSet',
];
/** What a check of shapes has no use for. */
const dropped = /^(description|default|example|x-kubernetes-.*)$/;

const module = /k8s\.io\/kubernetes (v[\d.]+)/.exec(readFileSync(join(testdata, 'tools/go.mod'), 'utf8'))![1]!;
const downloaded = Bun.spawnSync(['go', 'mod', 'download', '-json', `k8s.io/kubernetes@${module}`]);
const { Dir: folder } = JSON.parse(downloaded.stdout.toString()) as { Dir: string };
const all: Record<string, Tree> = {};
for (const name of documents) {
  const text = readFileSync(join(folder, 'api/openapi-spec/v3', `${name}_openapi.json`), 'utf8');
  Object.assign(all, (JSON.parse(text) as { components: { schemas: Record<string, Tree> } }).components.schemas);
}

const names: Record<string, string> = {};
const kept: Record<string, unknown> = {};
for (const [name, schema] of Object.entries(all)) {
  const [identity] = (schema['x-kubernetes-group-version-kind'] ?? []) as {
    group: string;
    version: string;
    kind: string;
  }[];
  if (identity === undefined || !kinds.includes(identity.kind)) continue;
  const { group, version, kind } = identity;
  names[`${group === '' ? '' : `${group}/`}${version} ${kind}`] = name;
  keep(name);
}
const source = `api/openapi-spec/v3 of k8s.io/kubernetes ${module}, Apache-2.0, cut by cut-schemas.ts`;
const sorted = Object.fromEntries(Object.entries(kept).toSorted());
writeFileSync(
  join(testdata, 'schemas.json'),
  `${JSON.stringify({ source, kinds: names, schemas: sorted }, null, 1)}\n`,
);

/** A schema, and those that it refers to. */
function keep(name: string): void {
  if (name in kept) return;
  kept[name] = {};
  kept[name] = cut(all[name]!, false);
}

/** `isNamed`: the keys are names of fields, not words of the schema language. */
function cut(value: unknown, isNamed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => cut(item, false));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => isNamed || !dropped.test(key));
  for (const [key, inner] of entries) if (key === '$ref') keep(String(inner).split('/').at(-1)!);
  return Object.fromEntries(entries.map(([key, inner]) => [key, cut(inner, !isNamed && key === 'properties')]));
}
