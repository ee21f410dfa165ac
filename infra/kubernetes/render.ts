/**
 * Renders a kustomization as `kubectl kustomize` does, for the tests, which must not need kubectl: resources,
 * components, namespace, images and patches. Anything else of the format is refused, never ignored;
 * `render.full.test.ts` compares with the real one.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';

export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

type Tree = Record<string, unknown>;

interface Patch {
  readonly patch: string;
  readonly target: { readonly kind: string; readonly name: string };
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

interface Image {
  readonly name: string;
  readonly newName?: string;
  readonly newTag?: string;
}

/** What kubectl reads: 0440 is octal, and `on` is a boolean. */
const yaml = { version: '1.1' } as const;
const known = ['apiVersion', 'kind', 'resources', 'components', 'namespace', 'images', 'patches'];
/** What lives outside of namespaces, among what is used here. */
const clusterWide = new Set(['Namespace']);

/** All resources of a folder with a kustomization.yaml, in order. Throws for what kubectl refuses, and for what is not known here. */
export function renderKustomization(folder: string): Resource[] {
  return build(resolve(folder), []) as unknown as Resource[];
}

function build(folder: string, inherited: Tree[]): Tree[] {
  const file = join(folder, 'kustomization.yaml');
  const settings = parse(readFileSync(file, 'utf8'), yaml) as Tree;
  const unknown = Object.keys(settings).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw new Error(`${file}: ${unknown.join(', ')} cannot be rendered here`);
  const list = <Item>(key: string): Item[] => (settings[key] ?? []) as Item[];
  let resources = [...inherited, ...list<string>('resources').flatMap((path) => load(join(folder, path)))];
  for (const path of list<string>('components')) resources = build(join(folder, path), resources);
  for (const patch of list<Patch>('patches')) applyPatch(resources, patch, file);
  const namespace = settings['namespace'];
  if (typeof namespace === 'string') for (const resource of resources) place(resource, namespace);
  for (const image of list<Image>('images')) for (const resource of resources) retag(resource, image);
  refuseTwins(resources, file);
  return resources;
}

function load(path: string): Tree[] {
  if (statSync(path).isDirectory()) return build(path, []);
  return parseAllDocuments(readFileSync(path, 'utf8'), yaml).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]!.message}`);
    return document.toJS() as Tree;
  });
}

function metadataOf(resource: Tree): Tree {
  return resource['metadata'] as Tree;
}

function place(resource: Tree, namespace: string): void {
  const metadata = metadataOf(resource);
  if (resource['kind'] === 'Namespace') metadata['name'] = namespace;
  if (!clusterWide.has(resource['kind'] as string)) metadata['namespace'] = namespace;
}

function refuseTwins(resources: readonly Tree[], file: string): void {
  const names = resources.map((resource) => `${String(resource['kind'])} ${String(metadataOf(resource)['name'])}`);
  const twin = names.find((name, at) => names.indexOf(name) < at);
  if (twin !== undefined) throw new Error(`${file}: ${twin} is there twice`);
}

function retag(value: unknown, image: Image): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const isImage = (key === 'containers' || key === 'initContainers') && Array.isArray(inner);
    if (!isImage) retag(inner, image);
    else for (const container of inner as Tree[]) container['image'] = tagged(String(container['image']), image);
  }
}

function tagged(text: string, { name, newName, newTag }: Image): string {
  const [, repository = '', tag = ''] = /^(.*?)((?::[^:/]+)?(?:@.*)?)$/.exec(text)!;
  return repository === name ? `${newName ?? name}${newTag === undefined ? tag : `:${newTag}`}` : text;
}

function applyPatch(resources: Tree[], { patch, target }: Patch, file: string): void {
  const hit = resources.filter(
    (resource) => resource['kind'] === target.kind && metadataOf(resource)['name'] === target.name,
  );
  const what = `${file}: the patch of ${target.kind} ${target.name}`;
  if (hit.length === 0) throw new Error(`${what} finds nothing`);
  const change = parse(patch, yaml) as Tree | Operation[];
  for (const resource of hit) {
    if (Array.isArray(change)) for (const operation of change) operate(resource, operation, what);
    else merge(resource, change, what);
  }
}

/** A merge of maps; lists would need to know their keys, so they are changed by operations. */
function merge(into: Tree, change: Tree, what: string): void {
  for (const [key, value] of Object.entries(change)) {
    const present = into[key];
    if (value === null) delete into[key];
    else if (Array.isArray(value)) throw new Error(`${what} merges the list ${key}: change it by operations`);
    else if (typeof value !== 'object') into[key] = value;
    else merge((into[key] = (present as Tree | undefined) ?? {}) as Tree, value as Tree, what);
  }
}

/** RFC 6902: add, remove, replace, test. */
function operate(document: Tree, { op, path, value }: Operation, what: string): void {
  const keys = path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop()!;
  let parent: unknown = document;
  for (const key of keys) parent = (parent as Tree | undefined)?.[key];
  if (typeof parent !== 'object' || parent === null) throw new Error(`${what}: there is no ${dirname(path)}`);
  const isPresent = Object.hasOwn(parent, last);
  const copy = structuredClone(value);
  if (op === 'add' && Array.isArray(parent)) parent.splice(last === '-' ? parent.length : Number(last), 0, copy);
  else if (op === 'add') (parent as Tree)[last] = copy;
  else if (!isPresent) throw new Error(`${what}: there is no ${path}`);
  else if (op === 'replace') (parent as Tree)[last] = copy;
  else if (op === 'remove' && Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (op === 'remove') delete (parent as Tree)[last];
  else if (op !== 'test') throw new Error(`${what}: ${op} cannot be done here`);
  else if (!isDeepStrictEqual((parent as Tree)[last], value)) throw new Error(`${what}: ${path} is something else`);
}
