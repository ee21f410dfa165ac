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

function takeAnew(): void {
  sessionStorage.setItem(PLACE, JSON.stringify({ path: location.pathname, top: scrollY }));
  location.reload();
}

/** Something may have changed between the answer with this page and the connection that tells of changes. */
async function compareVersions(): Promise<void> {
  const shown = document.querySelector<HTMLMetaElement>('meta[name=authoring-version]')?.content;
  const newest = await (await fetch('/authoring/version')).text();
  if (shown !== newest) takeAnew();
}

import.meta.hot?.on('site:changed', takeAnew);
import.meta.hot?.on('vite:ws:connect', () => void compareVersions());
void compareVersions();
