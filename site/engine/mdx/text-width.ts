/**
 * How wide words are in the text face, and lines of words that fit a width. A build has no browser to ask, so the
 * advances of the face's letters stand here; the faces that stand in for it are scaled to the same width
 * (site/styles/fonts.css).
 */

/** Advances from U+0020 to U+007E, in thousandths of the size of type. */
const ADVANCES =
  '237 289 381 525 518 932 728 182 362 362 458 534 302 320 302 341 529 529 529 529 529 529 529 529 529 529 302 302 534 534 534 414 834 712 653 662 739 638 612 723 814 376 381 710 618 935 768 738 621 738 690 544 632 758 709 1005 672 667 586 335 341 335 534 514 400 541 619 520 614 533 369 557 641 329 303 594 329 955 643 579 622 601 456 465 359 628 579 836 569 586 490 359 290 359 534'
    .split(' ')
    .map(Number);
/** Of letters beyond them, on average. */
const OTHER_ADVANCE = 640;

/** In the unit of `size`, upright; the italic is narrower. */
export function textWidth(text: string, size: number): number {
  let thousandths = 0;
  for (const letter of text) thousandths += ADVANCES[(letter.codePointAt(0) ?? 0) - 0x20] ?? OTHER_ADVANCE;
  return (thousandths * size) / 1000;
}

/**
 * Broken between words into as few lines as `widthMax` allows, and those as even as they come. A word that is longer
 * is broken after a hyphen or before a capital, if it has one.
 */
export function evenLines(text: string, widthMax: number, size: number): string[] {
  const pieces = text.split(' ').flatMap((word) => {
    const parts = textWidth(word, size) <= widthMax ? [word] : word.split(/(?<=-)|(?<=[a-z])(?=[A-Z])/);
    return parts.map((part, at) => ({ part, glue: at === 0 ? ' ' : '' }));
  });
  const filled = (width: number): string[] => {
    const lines: string[] = [];
    for (const { part, glue } of pieces) {
      const longer = lines.length === 0 ? part : `${lines.at(-1)}${glue}${part}`;
      if (lines.length > 0 && textWidth(longer, size) <= width) lines[lines.length - 1] = longer;
      else lines.push(part);
    }
    return lines;
  };
  const fewest = filled(widthMax);
  for (let width = textWidth(text, size) / fewest.length; width < widthMax; width += 2) {
    const lines = filled(width);
    if (lines.length === fewest.length) return lines;
  }
  return fewest;
}
