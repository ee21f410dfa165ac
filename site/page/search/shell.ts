/**
 * The frame of the search dialog, in the page's own script: it opens at once and takes what is typed, while the rest of
 * search is still on its way. Keyboard: typing searches; Esc closes.
 */
import { make } from '../make.ts';

const QUERY_LENGTH_MAX = 300;

export interface Shell {
  readonly dialog: HTMLDialogElement;
  readonly input: HTMLInputElement;
  /** What is announced. */
  readonly status: HTMLElement;
  readonly body: HTMLElement;
}

let shell: Shell | null = null;

/** The one dialog of the page, put there when it is first asked for. */
export function searchShell(): Shell {
  shell ??= newShell();
  return shell;
}

/** Opens it with what was typed before selected. */
export function openShell({ dialog, input }: Shell): void {
  if (!dialog.open) dialog.showModal();
  input.focus();
  input.select();
}

function newShell(): Shell {
  const input = make('input', {
    className: 'search-input',
    placeholder: 'Search',
    ariaLabel: 'Search the documentation',
    role: 'combobox',
    ariaExpanded: 'false',
    ariaAutoComplete: 'list',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: false,
    enterKeyHint: 'go',
    maxLength: QUERY_LENGTH_MAX,
  });
  const close = make('button', { className: 'search-close', type: 'button' }, 'Close');
  const status = make('p', { className: 'unseen', role: 'status' });
  const body = make('div', { className: 'search-body' });
  const keys = make('p', { className: 'search-keys', ariaHidden: 'true' });
  for (const [key, does] of Object.entries({
    '↑ ↓': 'choose',
    Enter: 'open',
    'Ctrl C': 'copy the name',
    Esc: 'close',
  })) {
    keys.append(make('span', {}, make('kbd', {}, key), ` ${does}`));
  }
  const dialog = make(
    'dialog',
    { className: 'search-dialog', role: 'dialog', ariaLabel: 'Search' },
    make('div', { className: 'search-head' }, input, close),
    keys,
    status,
    body,
  );
  dialog.dataset['print'] = 'no';
  close.addEventListener('click', () => dialog.close());
  // A click beside the dialog's content is one on the dialog itself.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  // A page that comes back from the browser's memory comes without the dialog.
  addEventListener('pagehide', () => dialog.close());
  document.body.append(dialog);
  return { dialog, input, status, body };
}
