/**
 * One group of tabs: which is shown, and what was chosen for its `sync` name before. The boot script uses it while
 * the document is still being read, so that a stored choice is shown from the first paint on.
 */
import { readStored } from './storage.ts';

export const keyOfSync = (sync: string): string => `tab:${sync}`;

export function tabsOf(group: Element): readonly HTMLElement[] {
  return [...group.querySelectorAll<HTMLElement>(':scope > [role=tablist] > [role=tab]')];
}

export function labelOf(tab: HTMLElement): string {
  return tab.textContent;
}

/** Shows the panel with this label; false, and no change, when the group has none. */
export function showTab(group: Element, label: string): boolean {
  const tabs = tabsOf(group);
  if (!tabs.some((tab) => labelOf(tab) === label)) return false;
  for (const tab of tabs) {
    const isChosen = labelOf(tab) === label;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    document.getElementById(tab.getAttribute('aria-controls') ?? '')?.toggleAttribute('data-selected', isChosen);
  }
  return true;
}

/** Shows what was chosen earlier, on this page or another. */
export function showStoredTab(group: HTMLElement): void {
  const sync = group.dataset['tabs'] ?? '';
  const label = sync === '' ? null : readStored(keyOfSync(sync));
  if (label !== null) showTab(group, label);
}
