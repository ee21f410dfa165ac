/**
 * What Vite has to know of the site: pages are modules that the engine compiled already, and the
 * stylesheet is the base styles followed by those of all static components.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Plugin } from 'vite';

export const BODIES = 'virtual:site/bodies';
export const STYLES = 'virtual:site/styles';
/** Modules of single pages, by file: `site-body:content/pages/index.mdx`. */
export const BODY_PREFIX = 'site-body:';

/** First and last in the cascade; other files of site/styles stand between them by name. */
const FIRST_STYLES = 'site/styles/tokens.css';
const LAST_STYLES = 'site/styles/print.css';

/** The module of a part of a page: `site-part:0123456789abcdef`. */
const PART_PREFIX = 'site-part:';

export interface BodySource {
  /** Files of all pages. */
  files(): Iterable<string>;
  /** Ids of the parts of a page, in order; undefined when there is no such page. */
  parts(file: string): Iterable<string> | undefined;
  /** The compiled module of a part. */
  code(id: string): string | undefined;
}

/** `root` is the repository. */
export function sitePlugin(root: string, bodies: BodySource): Plugin {
  return {
    name: 'site',
    enforce: 'pre',
    resolveId(id) {
      return id === BODIES || id === STYLES || id.startsWith(BODY_PREFIX) || id.startsWith(PART_PREFIX)
        ? `\0${id}`
        : null;
    },
    load(id) {
      if (id === `\0${BODIES}`) return bodiesModule(bodies.files());
      if (id === `\0${STYLES}`) return stylesModule(styleFiles(root));
      if (id.startsWith(`\0${BODY_PREFIX}`)) return bodyModule(bodies.parts(id.slice(BODY_PREFIX.length + 1)) ?? []);
      return id.startsWith(`\0${PART_PREFIX}`) ? (bodies.code(id.slice(PART_PREFIX.length + 1)) ?? null) : null;
    },
    generateBundle(_options, bundle) {
      for (const [name, item] of Object.entries(bundle)) {
        if (item.type === 'chunk' && item.facadeModuleId === `\0${STYLES}`) delete bundle[name];
      }
    },
  };
}

/** A page is its parts, one after the other. */
function bodyModule(parts: Iterable<string>): string {
  const ids = [...parts];
  const imports = ids.map((id, index) => `import P${index} from ${JSON.stringify(PART_PREFIX + id)};`);
  const names = ids.map((_, index) => `P${index}`).join(', ');
  return `import { jsx } from 'react/jsx-runtime';
${imports.join('\n')}
const parts = [${names}];
export default function Body(props) { return parts.map((Part, index) => jsx(Part, { ...props }, index)); }
`;
}

function bodiesModule(files: Iterable<string>): string {
  const entries = Array.from(files, (file) => {
    const id = JSON.stringify(BODY_PREFIX + file);
    return `${JSON.stringify(file)}: () => import(${id})`;
  });
  return `export const bodies = {\n${entries.join(',\n')}\n};\n`;
}

/** No page loads this script; using the names of the classes is what keeps the styles in the bundle. */
function stylesModule(files: readonly string[]): string {
  const imports = files.map((file, index) => `import * as s${index} from ${JSON.stringify(`/${file}`)};`);
  return `${imports.join('\n')}\nglobalThis.styles = [${files.map((_, index) => `s${index}`).join(', ')}];\n`;
}

/** Files of the one stylesheet in the order of the cascade: tokens, base styles, components, print. */
export function styleFiles(root: string): string[] {
  const below = (folder: string, suffix: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(suffix))
      .sort()
      .map((name) => `${folder}/${name.split(sep).join('/')}`);
  const base = below('site/styles', '.css').filter((file) => file !== FIRST_STYLES && file !== LAST_STYLES);
  const ends = [FIRST_STYLES, LAST_STYLES].map((file) => (existsSync(join(root, file)) ? [file] : []));
  return [
    ...(ends[0] ?? []),
    ...base,
    ...below('site/layout', '.module.css'),
    ...below('site/mdx', '.module.css'),
    ...(ends[1] ?? []),
  ];
}
