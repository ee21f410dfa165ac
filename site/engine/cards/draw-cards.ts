/**
 * Draws the cards of pages. Those drawn before come from the cache, by the name that their words give them.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { constants, copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import subsetFont from 'subset-font';
import { cardPath, cardSvg, type Card } from './card.ts';

const FACE = 'site/styles/fonts/title.woff2';
const PRINTABLE = Array.from({ length: 0x24f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index)).join('');
const MEASURED_SIZE = 100;

export interface CardsRequest {
  /** The repository, absolute. */
  readonly root: string;
  /** The site, absolute. */
  readonly outDir: string;
  readonly cards: readonly Card[];
}

/** Returns how many had to be drawn. */
export async function drawCards({ root, outDir, cards }: CardsRequest): Promise<number> {
  const cache = join(root, '.cache', 'cards');
  mkdirSync(cache, { recursive: true });
  mkdirSync(join(outDir, 'cards'), { recursive: true });
  const byName = new Map(cards.map((card) => [basename(cardPath(card)), card]));
  const missing = [...byName].filter(([name]) => !existsSync(join(cache, name)));
  if (missing.length > 0) {
    const draw = await openDrawing(root, cache);
    // Written beside and renamed: a build that is stopped leaves no half of a picture.
    for (const [name, card] of missing) {
      const part = join(cache, `${name}.${process.pid}`);
      writeFileSync(part, draw(card));
      renameSync(part, join(cache, name));
    }
  }
  for (const name of byName.keys())
    await copyFile(join(cache, name), join(outDir, 'cards', name), constants.COPYFILE_FICLONE);
  return missing.length;
}

/** The site's face of titles, as a file of the kind that the drawing needs. */
async function openDrawing(root: string, cache: string): Promise<(card: Card) => Buffer> {
  const face = join(cache, 'title.ttf');
  const whole = readFileSync(join(root, FACE));
  writeFileSync(face, await subsetFont(whole, PRINTABLE, { targetFormat: 'truetype' }));
  const font = { fontFiles: [face], loadSystemFonts: false };
  const widthOf = (line: string): number => {
    const words = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><text y="200" font-size="${MEASURED_SIZE}">${words}</text></svg>`;
    return new Resvg(svg, { font }).getBBox()?.width ?? 0;
  };
  return (card) => new Resvg(cardSvg(card, widthOf), { font }).render().asPng();
}
