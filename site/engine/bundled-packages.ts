/**
 * Which packages the browsers' part of the site has code of: asked of the bundler while it writes, so what was shaken
 * off is not named, and what it put in by itself is. Workers are bundled apart, and count as well.
 */
import { sep } from 'node:path';
import type { Plugin } from 'vite';

/** A Vite plugin for a build and for its workers that adds folders below node_modules to `folders`. */
export function noteBundledPackages(folders: Set<string>): Plugin {
  return {
    name: 'bundled-packages',
    generateBundle(_options, bundle) {
      for (const item of Object.values(bundle)) {
        const files = item.type === 'chunk' ? item.moduleIds : item.originalFileNames;
        for (const folder of files.map(packageFolder)) if (folder !== null) folders.add(folder);
      }
    },
  };
}

/** `react`, `@scope/name`, `outer/inner` for a package inside of another's folder; null for our own modules. */
export function packageFolder(id: string): string | null {
  // Helpers of the bundlers have no files.
  const helper = /^\0(vite|rolldown)\//.exec(id)?.[1];
  if (helper !== undefined) return helper;
  const names = [
    ...id
      .split(sep)
      .join('/')
      .matchAll(/\bnode_modules\/((?:@[^/]+\/)?[^/@.][^/]*)/g),
  ];
  return names.length === 0 ? null : names.map(([, name]) => name).join('/');
}
