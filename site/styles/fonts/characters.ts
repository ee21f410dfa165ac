/**
 * The characters that the site's own faces hold. What is not here is drawn by the reader's system face, which is
 * right for a name in another script and wrong for anything common: then it belongs here.
 */
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index)).join('');

export const CHARACTERS = `${ASCII}\u00A0§©·×÷±°µ¼½¾²³äöüßéèêáàâóòôíîúçñøåæÄÖÜÉØÅ–—‘’“”„…•†→←↑↓−≤≥≈≠′″₂‹›€¹`;

/** What only code and terminals print: box drawing, blocks, ticks, keys. */
export const TYPED_CHARACTERS = '─│┌┐└┘├┤┬┴┼█░▒✓✗⌘↵';
