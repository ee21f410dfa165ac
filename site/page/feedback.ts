/**
 * Says what is wrong with a page without leaving it: a dialog that knows where one is, and an issue that opens filled in.
 * Nothing is sent from here; what is written goes into the address of the issue's form. Keyboard: a form; Esc closes.
 */
import { make } from './make.ts';

/** Addresses that are longer are cut by servers. */
const TEXT_LENGTH_MAX = 2000;
const KINDS = ['Something is wrong', 'Something is missing', 'A sentence is unclear', 'A command does not work'];

/** The form of the issue with what the reader wrote; `form` has page and title already. */
export function issueAddress(
  form: string,
  said: { readonly kind: string; readonly where: string; readonly text: string },
): string {
  const url = new URL(form);
  const page = url.searchParams.get('page') ?? '';
  url.searchParams.set('page', page.replace(/#.*$/, '') + said.where);
  url.searchParams.set('problem', `${said.kind}.\n\n${said.text.slice(0, TEXT_LENGTH_MAX)}`);
  return url.href;
}

/** Opens the dialog; `form` is the address of the issue's form. */
export function openFeedback(form: string): void {
  const selected = (getSelection()?.toString() ?? '').trim().slice(0, TEXT_LENGTH_MAX);
  const where = make('select', { className: 'control' }, ...placesOfPage());
  const kind = make('select', { className: 'control' }, ...KINDS.map((words) => make('option', {}, words)));
  const text = make('textarea', { className: 'control', rows: 5, required: true, maxLength: TEXT_LENGTH_MAX });
  text.value = selected === '' ? '' : `> ${selected.replaceAll('\n', '\n> ')}\n\n`;
  const close = make('button', { type: 'button' }, 'Cancel');
  const body = make(
    'form',
    { method: 'dialog', className: 'own-form' },
    make('label', {}, 'Where', where),
    make('label', {}, 'What', kind),
    make('label', {}, 'In your words', text),
    make('p', {}, 'An issue opens in a new tab, filled in, for you to read and send. Nothing is sent from this page.'),
    make(
      'p',
      { className: 'own-buttons' },
      make('button', { type: 'submit', className: 'own-keep' }, 'Open the issue'),
      close,
    ),
  );
  const dialog = make('dialog', { className: 'own-dialog feedback', ariaLabel: 'Say what is wrong or missing' }, body);
  close.addEventListener('click', () => dialog.close());
  body.addEventListener('submit', () => {
    open(issueAddress(form, { kind: kind.value, where: where.value, text: text.value }), '_blank', 'noopener');
  });
  dialog.addEventListener('close', () => dialog.remove());
  dialog.dataset['print'] = 'no';
  document.body.append(dialog);
  dialog.showModal();
  text.focus();
}

/** The page and its headings; the one that is being read is chosen. */
function placesOfPage(): HTMLOptionElement[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-contents] a')];
  const read = links.find((link) => link.getAttribute('aria-current') === 'location');
  return [
    make('option', { value: '' }, 'The whole page'),
    ...links.map((link) => make('option', { value: link.hash, selected: link === read }, link.textContent ?? '')),
  ];
}
