/**
 * The packages that the edge bundle has parts of: those whose code the site's build put into scripts, and those whose
 * faces the site's fonts were cut from, which are kept in the repository.
 */
import { basename } from 'node:path';

/** Where `site/styles/fonts/cut-fonts.ts` takes each font of the site from. */
export const fontPackages: Readonly<Record<string, string>> = {
  title: '@fontsource-variable/newsreader',
  body: '@fontsource-variable/source-serif-4',
  slanted: '@fontsource-variable/source-serif-4',
  mono: '@fontsource-variable/jetbrains-mono',
};

/** Folders below node_modules. `files` are the paths of the built site. Throws for a font of which nothing is known. */
export function edgePackages(bundled: readonly string[], files: readonly string[]): string[] {
  const fonts = files.filter((path) => /\.(woff2?|ttf|otf)$/.test(path));
  const cut = fonts.map((path) => {
    const name = /^(.+)-[^.]{8}\.woff2$/.exec(basename(path))?.[1] ?? '';
    const from = fontPackages[name];
    if (from === undefined)
      throw new Error(`nobody says where the font ${path} is from: scripts/release/edge-packages.ts must`);
    return from;
  });
  return [...new Set([...bundled, ...cut])].toSorted();
}
