/**
 * Makes the field above a long table work, and puts a copy button behind every address in it. Loaded only by pages
 * that have such a table. The filter is part of the address (`?filter=…`), so that it can be shared.
 */

const COPIED_MS = 1500;

/** Makes the tables inside of `host` filterable. */
export function addTableFilter(host: HTMLElement): void {
  const rows = [...host.querySelectorAll<HTMLTableRowElement>('tbody tr')].map((row) => ({
    row,
    text: (row.textContent ?? '').toLowerCase(),
  }));
  const field = host.querySelector('input');
  const count = host.querySelector('[role=status]');
  if (field === null || count === null) return;
  field.value = new URLSearchParams(location.search).get('filter') ?? field.value;

  const apply = (): void => {
    const words = wordsOf(field.value);
    let shown = 0;
    for (const { row, text } of rows) {
      const isShown = matches(text, words);
      row.hidden = !isShown;
      if (isShown) shown += 1;
    }
    count.textContent = words.length === 0 ? `${rows.length} rows` : `${shown} of ${rows.length} rows`;
  };
  field.addEventListener('input', () => {
    apply();
    remember(field.value);
  });
  apply();
  for (const cell of host.querySelectorAll<HTMLElement>('td > [data-address]')) addCopyButton(cell);
}

/** The words of a query, lower-case; a row is shown when it has all of them. */
export function wordsOf(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

export function matches(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

function remember(filter: string): void {
  const url = new URL(location.href);
  if (filter === '') url.searchParams.delete('filter');
  else url.searchParams.set('filter', filter);
  history.replaceState(history.state, '', url);
}

function addCopyButton(cell: HTMLElement): void {
  const address = cell.textContent ?? '';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy-address';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${address}`);
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(address).then(
      () => say(button, 'Copied'),
      () => say(button, 'Select it and press Ctrl C'),
    );
  });
  cell.after(button);
}

function say(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
}
