import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { billOfMaterials, type BillOptions } from './bill-of-materials.ts';
import { edgePackages, fontPackages } from './edge-packages.ts';
import { packagesIn, runtimePackages } from './lock-file.ts';

const root = join(import.meta.dirname, '../..');
const lock = readFileSync(join(root, 'bun.lock'), 'utf8');

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

// The schema has keywords of its own, for people; the formats it asks for are looked at below.
const ajv = new Ajv({ strict: false, validateFormats: false });
const schema = (name: string): object => read(join(import.meta.dirname, 'testdata', name)) as object;
for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
  ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}`);
const isBill = ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'));

const options: BillOptions = {
  name: 'conductor',
  version: '1.2.3',
  commit: 'ab'.repeat(20),
  commitSeconds: 1_700_000_000,
  file: { name: 'conductor-linux-x64', target: 'linux-x64', sha256: 'cd'.repeat(32) },
  packages: runtimePackages(lock),
  manifestOf: (folder) => read(join(root, 'node_modules', folder, 'package.json')) as { license?: unknown },
  runtime: {
    package: '@oven/bun-linux-x64',
    version: '1.4.5',
    integrity: `sha512-${'A'.repeat(86)}==`,
    parts: process.versions,
  },
};

interface Bill {
  readonly serialNumber: string;
  readonly metadata: { readonly timestamp: string };
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly group?: string;
    readonly name: string;
    readonly licenses?: unknown;
    readonly components?: readonly { readonly name: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const bill = JSON.parse(billOfMaterials(options)) as Bill;

describe('a bill of materials', () => {
  test('is one by the schema of CycloneDX 1.6, which notices what is not', () => {
    isBill(bill);
    expect(isBill.errors).toBe(null);
    expect(isBill({ ...bill, components: [{ type: 'library' }] })).toBe(false);
  });

  test('names every package that is compiled in, each with its licence', async () => {
    const built = await Bun.build({
      entrypoints: [join(root, 'conductor/cli/main.ts')],
      target: 'bun',
      metafile: true,
    });
    const files = Object.keys((built.metafile as { inputs: object }).inputs);
    const compiledIn = files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
    const named = bill.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    expect(compiledIn.length).toBeGreaterThan(0);
    expect(named).toEqual(expect.arrayContaining([...new Set(compiledIn)]));
    for (const one of bill.components) expect(one.licenses, one.name).toBeDefined();
  });

  test('names what the runtime is made of, and not what it only claims', () => {
    const parts = bill.components.find(({ group }) => group === '@oven')?.components?.map(({ name }) => name);
    expect(parts).toEqual(expect.arrayContaining(['boringssl', 'sqlite', 'webkit']));
    expect(parts).not.toContain('v8');
  });

  test('refers to nothing that it does not name', () => {
    const known = new Set(['conductor@1.2.3', ...bill.components.map((one) => one['bom-ref'])]);
    const meant = bill.dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn]);
    expect(meant.filter((ref) => !known.has(ref))).toEqual([]);
    expect(new Set(bill.dependencies.map(({ ref }) => ref))).toEqual(known);
  });

  test('is the same bytes each time; another file has another serial number', () => {
    expect(billOfMaterials(options)).toBe(billOfMaterials(options));
    expect(bill.metadata.timestamp).toBe('2023-11-14T22:13:20.000Z');
    expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    const other = billOfMaterials({ ...options, file: { ...options.file, sha256: 'ef'.repeat(32) } });
    expect((JSON.parse(other) as Bill).serialNumber).not.toBe(bill.serialNumber);
  });
});

describe('a bill of the edge bundle', () => {
  const files = [
    'index.html',
    'assets/title-rPJ4zvSr.woff2',
    'assets/body-BH-M_nZ1.woff2',
    'assets/slanted-BQ5vyMi5.woff2',
  ];
  const bundled = ['react', 'react-dom', 'scheduler', 'vite'];
  const edge = JSON.parse(
    billOfMaterials({
      ...options,
      name: 'conductor-edge',
      packages: packagesIn(lock, edgePackages(bundled, files)),
      runtime: null,
    }),
  ) as Bill;

  test('names the packages that scripts have code of and those that fonts are cut from, and no runtime', () => {
    isBill(edge);
    expect(isBill.errors).toBe(null);
    const named = edge.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    expect(named).toEqual(['@fontsource-variable/newsreader', '@fontsource-variable/source-serif-4', ...bundled]);
    for (const one of edge.components) expect(one.licenses, one.name).toBeDefined();
  });

  test('says who brings whom, among what is in it', () => {
    const root = edge.dependencies.find(({ ref }) => ref === 'conductor-edge@1.2.3')?.dependsOn ?? [];
    const names = root.map((ref) => ref.replace(/^pkg:npm\/(.*)@.*$/, '$1'));
    expect(names).toEqual([
      '%40fontsource-variable/newsreader',
      '%40fontsource-variable/source-serif-4',
      'react-dom',
      'react',
      'vite',
    ]);
    const dom = edge.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/react-dom@'));
    expect(dom?.dependsOn).toEqual([expect.stringMatching(/^pkg:npm\/scheduler@/)]);
  });

  test('takes each font from where the site cuts it, and no font from nowhere', () => {
    const cut = readFileSync(join(root, 'site/styles/fonts/cut-fonts.ts'), 'utf8');
    const sources = new Map(
      [...cut.matchAll(/const (\w+) = '(@[^/]+\/[^/]+)\//g)].map(([, name, from]) => [name, from]),
    );
    const found = [...cut.matchAll(/name: '(\w+)',\s*source: `\$\{(\w+)\}/g)].map(([, font, source = '']) => [
      font,
      sources.get(source),
    ]);
    const whole = [...cut.matchAll(/name: '(\w+)',\s*source: (\w+),/g)].map(([, font, source = '']) => [
      font,
      sources.get(source),
    ]);
    expect(Object.fromEntries([...found, ...whole])).toEqual(fontPackages);
    expect(() => edgePackages([], ['assets/new-rPJ4zvSr.woff2'])).toThrow('nobody says where the font');
  });
});

describe('packages of a lock file', () => {
  const sha = 'sha512-AAEC';
  const locked = (packages: object): string =>
    JSON.stringify({ workspaces: { '': { dependencies: { a: '1', '@s/b': '1' } } }, packages });

  test('are those that each one finds: its own copy before a shared one', () => {
    const { direct, all } = runtimePackages(
      locked({
        a: ['a@1.0.0', '', { dependencies: { c: '^1' } }, sha],
        c: ['c@1.0.0', '', {}, sha],
        '@s/b': ['@s/b@1.0.0', '', { dependencies: { c: '^2' } }, sha],
        '@s/b/c': ['c@2.0.0', '', { dependencies: { a: '^1' } }, sha],
        'not-used': ['not-used@1.0.0', '', {}, sha],
      }),
    );
    expect(direct).toEqual(['a', '@s/b']);
    expect(all.map(({ name, version, dependsOn }) => [name, version, ...dependsOn])).toEqual([
      ['@s/b', '1.0.0', '@s/b/c'],
      ['c', '2.0.0', 'a'],
      ['a', '1.0.0', 'c'],
      ['c', '1.0.0'],
    ]);
  });

  test('without an entry or a checksum are refused', () => {
    expect(() => runtimePackages(locked({}))).toThrow('no package a');
    expect(() => runtimePackages(locked({ a: ['a@1', '', {}, ''], '@s/b': ['b@1', '', {}, sha] }))).toThrow(
      'no sha-512',
    );
  });
});
