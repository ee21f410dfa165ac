/**
 * Tabs by pointer and keyboard. A choice is shown by every group with the same `sync` and remembered for other pages;
 * what the reader looks at stays where it is, though panels above it may change their height.
 */
import { store } from './storage.ts';
import { keyOfSync, labelOf, showStoredTab, showTab, tabsOf } from './tab-group.ts';

/** The tab that a key goes to, by ARIA's pattern for tabs; null for keys without meaning. */
export function tabForKey(key: string, index: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count;
    case 'ArrowLeft':
      return (index + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

export function installTabs(): void {
  document.addEventListener('click', ({ target }) => {
    const tab = tabAt(target);
    if (tab !== null) choose(tab);
  });
  document.addEventListener('keydown', (event) => {
    const tab = tabAt(event.target);
    const group = tab?.closest('[data-tabs]');
    if (tab === null || group == null) return;
    const tabs = tabsOf(group);
    const next = tabForKey(event.key, tabs.indexOf(tab), tabs.length);
    const goal = next === null ? undefined : tabs[next];
    if (goal === undefined) return;
    event.preventDefault();
    choose(goal);
    goal.focus();
  });
  window.addEventListener('storage', ({ key }) => {
    for (const group of document.querySelectorAll<HTMLElement>('[data-tabs]')) {
      if (key === keyOfSync(group.dataset['tabs'] ?? '')) showStoredTab(group);
    }
  });
}

function tabAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-tabs] [role=tab]') : null;
}

function choose(tab: HTMLElement): void {
  const group = tab.closest<HTMLElement>('[data-tabs]');
  if (group === null) return;
  const before = tab.getBoundingClientRect().top;
  const label = labelOf(tab);
  const sync = group.dataset['tabs'] ?? '';
  showTab(group, label);
  if (sync !== '') {
    store(keyOfSync(sync), label);
    for (const other of document.querySelectorAll(`[data-tabs="${CSS.escape(sync)}"]`)) showTab(other, label);
  }
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
}
