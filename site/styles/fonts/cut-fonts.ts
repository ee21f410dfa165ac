/**
 * Cuts the installed faces to the characters and weights the site uses and writes them beside this file:
 * `npm run docs:fonts`. The results are kept in the repository, for cutting takes seconds and changes only when
 * a face or `CHARACTERS` does. The optical size is fixed: 72 pt for headings, 14 pt for prose.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { CHARACTERS, TYPED_CHARACTERS } from './characters.ts';

type Axis = number | { readonly min: number; readonly max: number };

interface Cut {
  /** Written as `<name>.woff2`. */
  readonly name: string;
  /** A file of an installed package. */
  readonly source: string;
  readonly axes: Readonly<Record<string, Axis>>;
  readonly characters: string;
  /** OpenType features kept; code has no ligatures, for `!=` must look as typed. */
  readonly features?: readonly string[];
}

const NEWSREADER = '@fontsource-variable/newsreader/files/newsreader-latin-standard';
const SOURCE_SERIF = '@fontsource-variable/source-serif-4/files/source-serif-4-latin-standard';
const JETBRAINS_MONO = '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght';

const cuts: readonly Cut[] = [
  { name: 'title', source: `${NEWSREADER}-normal.woff2`, axes: { opsz: 72, wght: 460 }, characters: CHARACTERS },
  {
    name: 'body',
    source: `${SOURCE_SERIF}-normal.woff2`,
    axes: { opsz: 14, wght: { min: 400, max: 650 } },
    characters: CHARACTERS,
  },
  { name: 'slanted', source: `${SOURCE_SERIF}-italic.woff2`, axes: { opsz: 14, wght: 400 }, characters: CHARACTERS },
  {
    name: 'mono',
    source: `${JETBRAINS_MONO}-normal.woff2`,
    axes: { wght: { min: 400, max: 600 } },
    characters: CHARACTERS + TYPED_CHARACTERS,
    features: ['zero', 'ccmp', 'mark'],
  },
];

const require = createRequire(import.meta.url);
for (const { name, source, axes, characters, features } of cuts) {
  const whole = await readFile(require.resolve(source));
  const cut = await subsetFont(whole, characters, {
    targetFormat: 'woff2',
    variationAxes: axes,
    ...(features === undefined ? {} : { keepFeatures: features }),
  });
  await writeFile(join(import.meta.dirname, `${name}.woff2`), cut);
  console.log(`${name}.woff2  ${cut.length} bytes`);
}
