/** The last searches that led somewhere, newest first, in this browser only. Works without storage, too. */

const KEY = 'recent-searches';
export const RECENT_MAX = 6;
const LENGTH_MAX = 80;

/** The part of `localStorage` that is used; a browser may refuse each call. */
export type SearchStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function readRecent(storage: SearchStorage): readonly string[] {
  try {
    const read: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    if (!Array.isArray(read)) return [];
    return read
      .filter((item) => typeof item === 'string' && item !== '' && item.length <= LENGTH_MAX)
      .slice(0, RECENT_MAX);
  } catch {
    return [];
  }
}

/** Puts a search in front, and gives the new list. */
export function addRecent(storage: SearchStorage, query: string): readonly string[] {
  const added = query.trim().replaceAll(/\s+/g, ' ');
  if (added === '' || added.length > LENGTH_MAX) return readRecent(storage);
  const isSame = (other: string): boolean => other.toLowerCase() === added.toLowerCase();
  const recent = [added, ...readRecent(storage).filter((other) => !isSame(other))].slice(0, RECENT_MAX);
  try {
    storage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // A full or forbidden storage: this page remembers, the next does not.
  }
  return recent;
}

export function forgetRecent(storage: SearchStorage): void {
  try {
    storage.removeItem(KEY);
  } catch {
    // As above.
  }
}
