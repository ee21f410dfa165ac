/**
 * Opens search: the button in the bar (which leads to the page of search where no script runs), ⌘K or Ctrl K anywhere, `/` where nothing is being typed. The dialog is there at
 * once; what it needs to answer is fetched when the button is pointed at or has the focus, or else now.
 */
import { openShell, searchShell } from './search/shell.ts';

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
  for (const button of document.querySelectorAll('[data-search]')) {
    button.addEventListener('click', (event) => {
      event.preventDefault();
      open();
    });
    for (const sign of ['pointerenter', 'focus']) button.addEventListener(sign, prepare, { once: true });
  }
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !opensSearch(event, isField(event.target))) return;
    event.preventDefault();
    open();
  });
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  for (const hint of document.querySelectorAll('[data-search-key]')) hint.textContent = isApple ? '⌘K' : 'Ctrl K';
}

function open(): void {
  openShell(searchShell());
  prepare();
}

/** Loads what answers. The dialog says when that fails; without it, it says so here. */
function prepare(): void {
  void import('./search/dialog.ts').then(
    ({ startSearch }) => startSearch(),
    () => {
      searchShell().body.textContent =
        'Search could not be loaded. Reload the page: the site may have changed since it was opened.';
    },
  );
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
