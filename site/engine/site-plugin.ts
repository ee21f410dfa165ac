/**
 * What Vite has to know of the site: the stylesheet is the base styles followed by those of all static components.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Plugin } from 'vite';

export const STYLES = 'virtual:site/styles';
const VIRTUAL = /^\0?virtual:site\/styles$/;
/** First and last in the cascade; other files of site/styles stand between them by name. */
const FIRST_STYLES = 'site/styles/tokens.css';
const LAST_STYLES = 'site/styles/print.css';

/** `root` is the repository. */
export function sitePlugin(root: string): Plugin {
  return {
    name: 'site',
    enforce: 'pre',
    resolveId: { filter: { id: VIRTUAL }, handler: () => `\0${STYLES}` },
    load: { filter: { id: VIRTUAL }, handler: () => stylesModule(styleFiles(root)) },
    generateBundle(_options, bundle) {
      for (const [name, item] of Object.entries(bundle)) {
        if (item.type === 'chunk' && item.facadeModuleId === `\0${STYLES}`) delete bundle[name];
      }
    },
  };
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
