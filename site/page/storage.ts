/**
 * The reader's choices (theme, tabs, steps done), kept by this browser only. Where storing is forbidden, as in
 * some private windows, a choice holds until the page is left.
 */

/** What was stored; null when nothing was, or nothing may be read. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a choice; null forgets it. */
export function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Full or forbidden: the page itself already shows the choice.
  }
}
