/** Finds what somebody may have meant who mistyped a word of a known list. */
import { editDistance } from '#conductor/core/edit-distance';

/** Edits beyond this share of the word make another word. */
const editsShareMax = 0.34;

/** The closest candidate that is close enough to be worth naming, or null. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let bestEdits = Math.floor(word.length * editsShareMax) + 1;
  for (const candidate of candidates) {
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestEdits);
    if (edits < bestEdits) [best, bestEdits] = [candidate, edits];
  }
  return best ?? bySharedWord(word, candidates);
}

/** The first candidate with the same last word: --port for --rpc.port. */
function bySharedWord(word: string, candidates: readonly string[]): string | null {
  const last = word.split(/[.-]/).at(-1);
  return candidates.find((candidate) => candidate.split(/[.-]/).at(-1) === last) ?? null;
}
