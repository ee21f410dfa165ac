/**
 * Runs beside the page while authors write: takes the page anew when its content or a component has
 * changed, where the reader was; styles and islands are Vite's to exchange.
 */
const PLACE = 'authoring-place';

const kept = sessionStorage.getItem(PLACE);
if (kept !== null) {
  sessionStorage.removeItem(PLACE);
  const { path, top } = JSON.parse(kept) as { path: string; top: number };
  if (path === location.pathname) scrollTo({ top, behavior: 'instant' });
}

import.meta.hot?.on('site:changed', () => {
  sessionStorage.setItem(PLACE, JSON.stringify({ path: location.pathname, top: scrollY }));
  location.reload();
});
