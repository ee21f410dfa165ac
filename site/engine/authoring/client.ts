/**
 * Runs beside the page while authors write: takes the page anew when its content or a component has changed, where
 * the reader was, and the styles when they have; islands are Vite's to exchange. What the build would refuse is asked
 * for when the page stands: the checks of the whole site keep nobody waiting for an edit.
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

/** A page that says why it cannot be shown has its problems already. */
async function showProblems(): Promise<void> {
  if (document.querySelector('[data-problems]') !== null) return;
  const answer = await fetch(`/authoring/problems${location.pathname}`);
  if (answer.ok) document.body.insertAdjacentHTML('beforeend', await answer.text());
}

/** The old styles go when the new ones have come. */
function takeStylesAnew(): void {
  const old = document.querySelector<HTMLLinkElement>('link[rel=stylesheet][href^="/authoring/"]');
  if (old === null) return;
  const sheet = old.cloneNode() as HTMLLinkElement;
  sheet.addEventListener('load', () => old.remove());
  sheet.href = `${new URL(old.href).pathname}?${performance.now()}`;
  old.after(sheet);
}

import.meta.hot?.on('site:changed', takeAnew);
import.meta.hot?.on('site:styles', takeStylesAnew);
import.meta.hot?.on('vite:ws:connect', () => void compareVersions());
void compareVersions();
if (document.readyState === 'complete') void showProblems();
else addEventListener('load', () => void showProblems());
