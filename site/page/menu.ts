/** The menu opens where the reader is, not at its top; so does the sheet on phones. */
import { keepInSight } from './keep-in-sight.ts';

export function installMenu(): void {
  const menu = document.querySelector<HTMLElement>('[data-menu]');
  const current = menu?.querySelector('[aria-current=page]');
  if (menu == null || current == null) return;
  const show = (): void => keepInSight(menu, current.closest('li') ?? current);
  menu.addEventListener('toggle', show);
  requestAnimationFrame(show);
}
