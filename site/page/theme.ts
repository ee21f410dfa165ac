/**
 * Light, dark, or as the system has it. The choice is an attribute of the document, which the tokens read;
 * the boot script sets it before anything is painted, and other windows of the site follow at once.
 */
import { readStored, store } from './storage.ts';

const KEY = 'theme';

export type Theme = 'system' | 'light' | 'dark';

/** Anything but a theme that can be chosen is the system's. */
export function themeOf(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

export function applyStoredTheme(): void {
  applyTheme(themeOf(readStored(KEY)));
}

function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
}

/** Brings the choices to life: in the bar, and in the menu sheet. */
export function installTheme(): void {
  const choices = [...document.querySelectorAll<HTMLSelectElement>('[data-theme-choice]')];
  const show = (): void => {
    applyStoredTheme();
    for (const choice of choices) choice.value = themeOf(readStored(KEY));
  };
  show();
  for (const choice of choices) {
    choice.addEventListener('change', () => {
      const theme = themeOf(choice.value);
      store(KEY, theme === 'system' ? null : theme);
      show();
      applyTheme(theme);
    });
  }
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) show();
  });
}
