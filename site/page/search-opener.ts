/**
 * Opens search: the button in the bar, ⌘K or Ctrl K anywhere, `/` where nothing is being typed. The island opens
 * itself when it is first mounted; after that it listens for the event `site-search` on the document.
 */
import { loadIsland } from './islands.ts';

const SEARCH_EVENT = 'site-search';

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Whether a key means search; `isTyping` when the focus is in a field. */
export function opensSearch({ key, ctrlKey, metaKey, altKey }: KeyPress, isTyping: boolean): boolean {
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !altKey;
  return key === '/' && !isTyping && !ctrlKey && !metaKey && !altKey;
}

export function installSearch(): void {
  for (const button of document.querySelectorAll('[data-search]')) button.addEventListener('click', () => void open());
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !opensSearch(event, isField(event.target))) return;
    event.preventDefault();
    void open();
  });
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  for (const hint of document.querySelectorAll('[data-search-key]')) hint.textContent = isApple ? '⌘K' : 'Ctrl K';
}

async function open(): Promise<void> {
  await loadIsland('Search');
  document.dispatchEvent(new Event(SEARCH_EVENT));
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
