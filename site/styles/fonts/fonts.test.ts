import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHARACTERS, TYPED_CHARACTERS } from './characters.ts';

const BYTES_MAX = 90_000;
const root = join(import.meta.dirname, '..', '..', '..');
/** Marks that stand alone in the text of a few pages and look the same in any face. */
const LEFT_TO_THE_SYSTEM = /\p{Extended_Pictographic}/u;

describe('the faces', () => {
  it('weigh at most 90 kB together', () => {
    const files = globSync('*.woff2', { cwd: import.meta.dirname });
    const bytes = files.reduce((sum, file) => sum + statSync(join(import.meta.dirname, file)).size, 0);
    expect(files).toHaveLength(4);
    expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
  });

  it('hold every character that pages, menus and components use', () => {
    const known = new Set(CHARACTERS + TYPED_CHARACTERS);
    const files = globSync(['content/pages/**/*.{mdx,yaml}', 'site/{layout,mdx,islands}/**/*.{tsx,css}'], {
      cwd: root,
    });
    const unknown = files.flatMap((file) => {
      const strange = new Set(readFileSync(join(root, file), 'utf8').replaceAll('\n', ''));
      return [...strange].filter((c) => !known.has(c) && !LEFT_TO_THE_SYSTEM.test(c)).map((c) => `${file}: ${c}`);
    });
    expect(unknown, 'add them to CHARACTERS and run `npm run docs:fonts`, or use a character that is there').toEqual(
      [],
    );
  });
});
