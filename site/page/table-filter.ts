/**
 * Makes the field above a long table work, and opens and shuts its groups. Loaded only by pages that have such a table.
 * The filter is part of the address (`?filter=…`, `?filter2=…` for the second table), so that it can be shared.
 */

interface Row {
  readonly row: HTMLTableRowElement;
  /** Its words and those of its group, lower-case. */
  readonly text: string;
}

/** Makes the table inside of `host` filterable; `position` is its place among those of the page, from 0. */
export function addTableFilter(host: HTMLElement, position: number): void {
  const groups = [...host.querySelectorAll<HTMLElement>('tbody[data-fold]')];
  const rows = rowsOf(host);
  const field = host.querySelector('input');
  const count = host.querySelector<HTMLElement>('[role=status]');
  if (field === null || count === null) return;
  const parameter = parameterOf(position);
  field.value = new URLSearchParams(location.search).get(parameter) ?? field.value;

  const apply = (): void => {
    const words = wordsOf(field.value);
    let shown = 0;
    for (const { row, text } of rows) {
      const isShown = matches(text, words);
      row.hidden = !isShown;
      if (isShown) shown += 1;
    }
    for (const group of groups) {
      const isFound = group.querySelector('tr:not(:first-child, [hidden])') !== null;
      group.hidden = !isFound;
      group.toggleAttribute('data-found', isFound && words.length > 0);
    }
    count.textContent =
      words.length === 0 ? countInWords(rows.length, groups.length) : `${shown} of ${rows.length} rows`;
    if (shown === 0) count.append(...elsewhere(host, field.value));
  };
  field.addEventListener('input', () => {
    apply();
    remember(parameter, field.value);
  });
  for (const group of groups) group.querySelector('tr')?.addEventListener('click', () => toggle(group));
  apply();
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

/** What the filter of a page's table is called in the address. */
export function parameterOf(position: number): string {
  return position === 0 ? 'filter' : `filter${position + 1}`;
}

function rowsOf(host: HTMLElement): Row[] {
  return [...host.querySelectorAll<HTMLTableRowElement>('tbody:not([data-fold]) tr, tbody[data-fold] tr + tr')].map(
    (row) => {
      const group = row.closest<HTMLElement>('[data-fold]')?.dataset['fold'] ?? '';
      return { row, text: `${group} ${row.textContent ?? ''}`.toLowerCase() };
    },
  );
}

function countInWords(rows: number, groups: number): string {
  return groups === 0 ? `${rows} rows` : `${rows} rows in ${groups} groups; open one, or type what to look for`;
}

function toggle(group: HTMLElement): void {
  const isOpen = group.toggleAttribute('data-open');
  const button = group.querySelector('button');
  if (button !== null) button.ariaExpanded = String(isOpen);
}

/** Links to the other tables of the page that have the words, by the headings above them. */
function elsewhere(host: HTMLElement, query: string): (string | HTMLElement)[] {
  const words = wordsOf(query);
  const found = [...document.querySelectorAll<HTMLElement>('[data-table-filter]')].flatMap((other) => {
    const rows = other === host ? 0 : rowsOf(other).filter(({ text }) => matches(text, words)).length;
    const heading = headingAbove(other);
    return rows === 0 || heading === null ? [] : [linkTo(other, heading, { query, rows })];
  });
  const nowhere = words.length > 1 ? '. Try fewer words.' : '. No table of this page has it.';
  return found.length === 0 ? [nowhere] : ['. ', ...found.flatMap((link) => [link, ' '])];
}

function headingAbove(host: HTMLElement): HTMLElement | null {
  let before = host.previousElementSibling;
  while (before !== null && !/^H[234]$/.test(before.tagName)) before = before.previousElementSibling;
  return before instanceof HTMLElement ? before : null;
}

function linkTo(
  host: HTMLElement,
  heading: HTMLElement,
  { query, rows }: { readonly query: string; readonly rows: number },
): HTMLElement {
  const link = document.createElement('a');
  link.href = `#${heading.id}`;
  link.textContent = `${heading.textContent ?? ''} has ${rows}.`;
  link.addEventListener('click', () => {
    const field = host.querySelector('input');
    if (field === null) return;
    field.value = query;
    field.dispatchEvent(new Event('input'));
  });
  return link;
}

function remember(parameter: string, filter: string): void {
  const url = new URL(location.href);
  if (filter === '') url.searchParams.delete(parameter);
  else url.searchParams.set(parameter, filter);
  history.replaceState(history.state, '', url);
}
