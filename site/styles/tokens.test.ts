/** Contrast of the tokens by WCAG 2's formula, from the stylesheet itself, in both themes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Oklch = readonly [lightness: number, chroma: number, hue: number];

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const NUMBERS = String.raw`oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)`;
const PAIR = new RegExp(String.raw`--([\w-]+):\s*light-dark\(${NUMBERS}, ${NUMBERS}\)`, 'g');
const colours = new Map(
  Array.from(css.matchAll(PAIR), ([, name = '', ...numbers]) => {
    const [l = 0, c = 0, h = 0, l2 = 0, c2 = 0, h2 = 0] = numbers.map(Number);
    const pair: readonly [Oklch, Oklch] = [
      [l / 100, c, h],
      [l2 / 100, c2, h2],
    ];
    return [name, pair] as const;
  }),
);
/** Tokens that only repeat another. */
const aliases = new Map(
  Array.from(css.matchAll(/--([\w-]+): var\(--([\w-]+)\);/g), ([, name = '', of = '']) => [name, of]),
);

/** Relative luminance; OKLab to linear sRGB as in CSS Color 4, out-of-gamut parts clipped. */
function luminance([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number): number => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(name: string, on: string, theme: 0 | 1): number {
  const of = (token: string): number => {
    const pair = colours.get(aliases.get(token) ?? token);
    if (pair === undefined) throw new Error(`tokens.css has no --${token} that is light-dark(oklch, oklch)`);
    return luminance(pair[theme]);
  };
  const [a, b] = [of(name), of(on)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const code = ['text', 'keyword', 'string', 'number', 'function', 'type', 'comment', 'punctuation'].map(
  (name) => `code-${name}`,
);

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('contrast of the %s theme', (_, theme) => {
  it.each([
    ['ink-1', 12],
    ['ink-2', 7],
    ['ink-3', 4.5],
    ['accent', 4.5],
    ['candidate', 4.5],
    ['rule-strong', 3],
    ['accent-mark', 3],
  ])('--%s has at least %d:1 on every paper', (name, least) => {
    for (const paper of ['paper', 'paper-2', 'paper-3'])
      expect(contrast(name, paper, theme), paper).toBeGreaterThanOrEqual(least);
  });

  it('code reads on its sheet and on marked lines', () => {
    for (const name of code) {
      expect(contrast(name, 'paper-2', theme), name).toBeGreaterThanOrEqual(6);
      expect(contrast(name, 'mark', theme), name).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('text reads on the accent', () => {
    expect(contrast('on-accent', 'accent', theme)).toBeGreaterThanOrEqual(4.5);
  });
});
