/**
 * The bill of materials of one file, CycloneDX 1.6: the packages of the lock file that are in it and, of a binary, the
 * runtime with what that was made of. Nothing of the machine or the hour is in it: the same commit gives the same bytes.
 */
import { createHash } from 'node:crypto';
import { hexOf, type BilledPackages } from './lock-file.ts';

export interface BillOptions {
  /** Of what the file is. */
  readonly name: string;
  /** Of the release, without v. */
  readonly version: string;
  /** The full hash, or '' outside of a repository. */
  readonly commit: string;
  readonly commitSeconds: number;
  /** The file that the bill is of. */
  readonly file: { readonly name: string; readonly target: string; readonly sha256: string };
  readonly packages: BilledPackages;
  /** What package.json of a package says; `folder` is below node_modules. */
  readonly manifestOf: (folder: string) => { readonly license?: unknown; readonly description?: unknown };
  /** What it is compiled into; null for what brings none. */
  readonly runtime: BilledRuntime | null;
}

export interface BilledRuntime {
  readonly package: string;
  readonly version: string;
  /** sha-512 of the package, as npm writes it. */
  readonly integrity: string;
  /** Its own parts: `process.versions` of it. */
  readonly parts: Readonly<Record<string, string | undefined>>;
}

/** Versions that the runtime claims for the sake of programs that ask, of what is not in it. */
const CLAIMED = new Set(['bun', 'node', 'v8', 'modules', 'napi', 'openssl', 'unicode', 'typescript']);

/** The document, ending in a line feed. */
export function billOfMaterials(options: BillOptions): string {
  const { name, version, commit, commitSeconds, file, packages, runtime } = options;
  const root = `${name}@${version}`;
  const runtimeRefs = runtime === null ? [] : [reference(runtime.package, runtime.version)];
  const refOf = new Map(packages.all.map((one) => [one.folder, reference(one.name, one.version)]));
  const refs = (folders: readonly string[]): string[] => folders.map((folder) => refOf.get(folder)!).sort();
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(`${file.name} ${file.sha256} ${commit}`)}`,
    version: 1,
    metadata: {
      timestamp: new Date(commitSeconds * 1000).toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: {
        ...{ type: 'application', 'bom-ref': root, name, version },
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-256', content: file.sha256 }],
        properties: [
          { name: 'conductor:file', value: file.name },
          { name: 'conductor:target', value: file.target },
          { name: 'conductor:commit', value: commit },
        ],
      },
    },
    components: [
      ...packages.all.map((one) => packageComponent(one, options)),
      ...(runtime === null ? [] : [runtimeComponent(runtime)]),
    ],
    dependencies: [
      { ref: root, dependsOn: [...refs(packages.direct), ...runtimeRefs].sort() },
      ...packages.all.map(({ folder, dependsOn }) => ({ ref: refOf.get(folder)!, dependsOn: refs(dependsOn) })),
      ...runtimeRefs.map((ref) => ({ ref })),
    ],
    compositions: [
      { aggregate: 'complete', assemblies: [root] },
      // It names its parts, but does not claim to name all.
      ...runtimeRefs.map((ref) => ({ aggregate: 'incomplete', assemblies: [ref] })),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function packageComponent(one: BillOptions['packages']['all'][number], { manifestOf }: BillOptions): object {
  const { license, description } = manifestOf(one.folder);
  const purl = reference(one.name, one.version);
  const scope = one.name.startsWith('@') ? one.name.split('/')[0] : undefined;
  return {
    ...{ type: 'library', 'bom-ref': purl },
    ...(scope === undefined ? {} : { group: scope }),
    ...{ name: one.name.slice(scope === undefined ? 0 : scope.length + 1), version: one.version },
    ...(typeof description === 'string' ? { description } : {}),
    ...{ scope: 'required', hashes: [{ alg: 'SHA-512', content: one.sha512 }] },
    ...(typeof license === 'string' ? { licenses: [licenseOf(license)] } : {}),
    purl,
  };
}

function runtimeComponent(runtime: BilledRuntime): object {
  const purl = reference(runtime.package, runtime.version);
  const [group, name] = runtime.package.split('/');
  const parts = Object.entries(runtime.parts)
    .filter(([part, version]) => !CLAIMED.has(part) && version !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...{ type: 'platform', 'bom-ref': purl, group, name, version: runtime.version, scope: 'required' },
    hashes: [{ alg: 'SHA-512', content: hexOf(runtime.integrity, runtime.package) }],
    licenses: [{ license: { id: 'MIT' } }],
    purl,
    components: parts.map(([part, version]) => ({
      ...{ type: 'library', 'bom-ref': `${purl}#${part}`, name: part, version },
    })),
  };
}

/** An identifier of SPDX, or an expression of several. */
function licenseOf(text: string): object {
  return /^[A-Za-z0-9.+-]+$/.test(text) ? { license: { id: text } } : { expression: text };
}

/** The package's URL, by which tools look for what is known of it. */
function reference(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** A UUID (version 8) that stands for the text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex').slice(0, 32);
  const marked = `${hex.slice(0, 12)}8${hex.slice(13, 16)}a${hex.slice(17)}`;
  return marked.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
